import { createTables } from '../../../platform/database/create-tables.ts';

export const userTables = {
  /** Users. Their addresses and numbers are in `identities`. */
  users: {
    /** UUID version 7. */
    id: 'uuid primary key',
    name: 'text',
    picture: 'text',
    roles: "text[] not null default '{}'",
    created_at: 'timestamptz not null',
    last_seen_at: 'timestamptz',
    disabled_at: 'timestamptz',
    /** The id of the person elsewhere, such as at an identity provider. */
    external_id: 'text',
    /** BCP 47. */
    locale: 'text',
    /** IANA time zone. */
    zoneinfo: 'text',
    /** When the account is deleted, unless the user keeps it. */
    deletion_due_at: 'timestamptz',
    /**
     * When the name, roles, access or a way to sign in changed last. Triggers keep it. Null: never.
     */
    changed_at: 'timestamptz',
  },
  /** An address, a number or an account elsewhere. A verified one belongs to one user. */
  identities: {
    id: 'uuid primary key',
    user_id: 'uuid not null references users on delete cascade',
    kind: "text not null check (kind in ('email', 'phone', 'idp'))",
    /** Normalised: lower-case address, E.164 number, `issuer subject`. */
    key: 'text not null',
    /** As entered. */
    value: 'text not null',
    verified_at: 'timestamptz',
    created_at: 'timestamptz not null',
  },
  /** Pictures that users have uploaded. */
  avatars: {
    user_id: 'uuid primary key references users on delete cascade',
    /** Start of the image's SHA-256, lower-case hex. It is a part of the URL. */
    hash: 'text not null',
    /** WebP, 256 pixels square, without metadata. */
    image: 'bytea not null',
    created_at: 'timestamptz not null',
  },
  /** Copies of users' data: the newest of each user, for a day. */
  data_exports: {
    /** UUID version 7. */
    id: 'uuid primary key',
    user_id: 'uuid not null unique references users on delete cascade',
    state: "text not null check (state in ('queued', 'running', 'ready', 'failed'))",
    /** Parts that are collected, of `total`. */
    done: 'integer not null default 0',
    total: 'integer not null',
    /** Bytes of the file. */
    size: 'integer',
    requested_at: 'timestamptz not null',
    finished_at: 'timestamptz',
  },
  /** The file of an export in parts. */
  data_export_chunks: {
    export_id: 'uuid not null references data_exports on delete cascade',
    position: 'integer not null',
    bytes: 'bytea not null',
  },
  /** Deleted accounts whose sessions have to be ended and whose last message has to be sent. */
  account_erasures: {
    /** The id that the user had. */
    id: 'uuid primary key',
    /** A sealed `DeletionNotice`. */
    sealed: 'text not null',
    erased_at: 'timestamptz not null',
  },
  /** Invitations. Links are not stored, only the SHA-256 of their tokens. */
  invitations: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** Lower-case address. */
    email: 'text not null',
    /** The role that accepting it gives; null for none. */
    role: "text check (role in ('admin', 'viewer'))",
    /** A personal note of the inviter. */
    note: 'text',
    lifetime_days: 'integer not null',
    /** Null once it is accepted or revoked. */
    token_hash: 'text unique',
    inviter_kind: 'text not null',
    /** Id of the user or API key; `env` for ADMIN_API_KEY. */
    inviter_id: 'text not null',
    created_at: 'timestamptz not null',
    /** When the last message was sent. */
    sent_at: 'timestamptz not null',
    /** Messages so far. */
    sends: 'integer not null',
    expires_at: 'timestamptz not null',
    /** Set while it is being accepted. Lapses after a minute, in case the process was killed. */
    claimed_at: 'timestamptz',
    accepted_at: 'timestamptz',
    accepted_by: 'uuid references users on delete set null',
    revoked_at: 'timestamptz',
  },
} as const;

/**
 * Indexes for searches anywhere in a text. pg_trgm comes with PostgreSQL, but not every server has
 * it or lets this user add it: without it, a search reads the whole table.
 */
const trigramIndexes = `do $$
begin
  create extension if not exists pg_trgm;
  create index identities_anywhere on identities using gin (key gin_trgm_ops)
    where kind in ('email', 'phone');
  create index users_name_anywhere on users using gin (fold_case(name) gin_trgm_ops);
exception when others then
  raise notice 'no trigram indexes: %', sqlerrm;
end $$`;

/** Users with an address and a number of each, as admins list them. */
const directoryView = `create view user_directory as
  select users.id, users.name, users.roles, users.external_id, users.created_at,
    users.last_seen_at, users.disabled_at is not null as disabled,
    email.value as email, coalesce(email.verified_at is not null, false) as email_verified,
    phone.key as phone, coalesce(phone.verified_at is not null, false) as phone_verified
  from users
  left join lateral (
    select value, verified_at from identities where user_id = users.id and kind = 'email'
    order by verified_at is null, id limit 1
  ) as email on true
  left join lateral (
    select key, verified_at from identities where user_id = users.id and kind = 'phone'
    order by verified_at is null, id limit 1
  ) as phone on true`;

export const users = createTables(userTables, [
  `create index users_name_prefix on users (fold_case(name) text_pattern_ops, id)
    where name is not null`,
  `create index users_by_name on users ((coalesce(fold_case(name), '')), id)`,
  'create index users_by_time on users (created_at, id)',
  `create index users_with_roles on users (id) where roles <> '{}'`,
  'create index users_disabled on users (id) where disabled_at is not null',
  'create unique index users_external_id on users (external_id) where external_id is not null',
  'create index users_leaving on users (deletion_due_at) where deletion_due_at is not null',
  `create unique index identities_one_person on identities (kind, key)
    where verified_at is not null`,
  'create unique index identities_one_claim on identities (kind, key) where verified_at is null',
  'create index identities_of_user on identities (user_id)',
  `create index identities_prefix on identities (key text_pattern_ops, user_id)
    where kind in ('email', 'phone') and verified_at is not null`,
  trigramIndexes,
  directoryView,
  `alter table data_export_chunks
    add constraint data_export_chunks_pkey primary key (export_id, position)`,
  `create index invitations_open on invitations (email)
    where accepted_at is null and revoked_at is null`,
  'create index invitations_by_sending on invitations (sent_at)',
]);
