import { createTables } from '../../../platform/database/create-tables.ts';

export const factorTables = {
  /** Authenticator apps (RFC 6238): at most one for each user. */
  totp_factors: {
    id: 'uuid primary key',
    user_id: 'uuid not null unique references users on delete cascade',
    /** Sealed, so that the database alone can't generate codes. */
    sealed_secret: 'text not null',
    /** The last time step used: each is valid once. */
    last_step: 'bigint not null default 0',
    created_at: 'timestamptz not null',
    /** Null until the first right code confirms it. */
    verified_at: 'timestamptz',
    last_used_at: 'timestamptz',
  },
  /** Single-use codes for users who lost the other factors, stored as hashes. */
  backup_codes: {
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    salt: 'text not null',
    hash: 'text not null',
    created_at: 'timestamptz not null',
    used_at: 'timestamptz',
  },
  /** WebAuthn credentials: up to twenty for each user. */
  passkeys: {
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    /** Base64url, as the authenticator sent it. */
    credential_id: 'text not null unique',
    /** COSE (RFC 9052). */
    public_key: 'bytea not null',
    /** The authenticator's signature counter; some always send 0. */
    counter: 'bigint not null',
    /** `internal`, `usb`, `hybrid`, … */
    transports: "text[] not null default '{}'",
    /** Whether it can leave the device that created it. */
    device_type: "text not null check (device_type in ('singleDevice', 'multiDevice'))",
    /** Whether it was backed up when last used. */
    backed_up: 'boolean not null',
    /** The authenticator's model; zeros when unknown. */
    aaguid: 'uuid not null',
    /** Chosen by the user. */
    name: 'text not null',
    created_at: 'timestamptz not null',
    last_used_at: 'timestamptz',
  },
  /** Resets of a user's second factors. At most one of a user is open. */
  factor_resets: {
    /** UUID version 7. */
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    /**
     * `requested` until a second admin approves, `approved` for a day, `completing` while the
     * factors are gone and sessions and devices are ended. The others are final.
     */
    state: `text not null check (state in ('requested', 'approved', 'completing',
      'completed', 'canceled', 'expired'))`,
    /** When the state was reached. */
    changed_at: 'timestamptz not null',
    /** Why the factors are to be reset, by the admin who asked. */
    reason: 'text not null',
    /** Null once that admin's account is deleted; the same for the other columns of people. */
    requested_by: 'uuid references users on delete set null',
    requested_at: 'timestamptz not null',
    /** When a request that nobody approved ends. */
    expires_at: 'timestamptz not null',
    approved_by: 'uuid references users on delete set null',
    approved_at: 'timestamptz',
    /** When it takes effect. Null until it is approved. */
    due_at: 'timestamptz',
    /** Null unless a signed-in person canceled it. */
    canceled_by: 'uuid references users on delete set null',
    cancel_reason: 'text',
    /** SHA-256 of the token in the link that cancels it. */
    token_hash: 'text not null unique',
    /** The last state of which everybody was told. */
    told: 'text',
  },
} as const;

export const secondFactor = createTables(factorTables, [
  'create index backup_codes_of_user on backup_codes (user_id)',
  'create index passkeys_of_user on passkeys (user_id)',
  `alter table factor_resets add constraint factor_resets_two_admins check (requested_by <> user_id
    and approved_by <> user_id and approved_by <> requested_by)`,
  `create unique index factor_resets_open on factor_resets (user_id)
    where state in ('requested', 'approved', 'completing')`,
  'create index factor_resets_of_user on factor_resets (user_id, id)',
  `create index factor_resets_untold on factor_resets (changed_at)
    where told is distinct from state`,
  'create index factor_resets_by_change on factor_resets (changed_at)',
]);
