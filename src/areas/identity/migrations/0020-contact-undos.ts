import { createTables } from '../../../platform/database/create-tables.ts';

export const contactUndoTables = {
  /** Replaced addresses and numbers, whose owners can have them back for a week. */
  contact_undos: {
    /** In the order of the changes. */
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    kind: "text not null check (kind in ('email', 'phone'))",
    key: 'text not null',
    value: 'text not null',
    /** SHA-256 of the token in the link, lower-case hex. */
    token_hash: 'text not null unique',
    created_at: 'timestamptz not null',
    expires_at: 'timestamptz not null',
  },
} as const;

export const contactUndos = createTables(contactUndoTables, [
  'create index contact_undos_by_user on contact_undos (user_id)',
  'create index contact_undos_by_expiry on contact_undos (expires_at)',
]);
