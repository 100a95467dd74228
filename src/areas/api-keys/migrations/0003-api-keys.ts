import { createTables } from '../../../platform/database/create-tables.ts';

export const apiKeyTables = {
  /** API keys. The key itself is not stored, only its SHA-256. */
  api_keys: {
    /** UUID version 7, so that ids sort by age. */
    id: 'uuid primary key',
    name: 'text not null',
    /** SHA-256 of the whole key, lower-case hex. */
    secret_hash: 'text not null unique',
    /** The first characters of the key, shown in lists. */
    hint: 'text not null',
    scopes: 'text[] not null',
    created_at: 'timestamptz not null',
    last_used_at: 'timestamptz',
    expires_at: 'timestamptz',
    revoked_at: 'timestamptz',
  },
} as const;

export const apiKeys = createTables(apiKeyTables);
