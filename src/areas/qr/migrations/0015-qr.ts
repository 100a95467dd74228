import { createTables } from '../../../platform/database/create-tables.ts';

export const qrTables = {
  /** Files of codes to create. */
  qr_batches: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** Null: none was given. */
    name: 'text',
    total: 'integer not null',
    /** How many rows are done, in their order, failed ones included. */
    done: 'integer not null default 0',
    failed: 'integer not null default 0',
    /** The rows, as JSON; empty once all are done. */
    rows: 'jsonb not null',
    /** Why rows failed, as JSON. */
    errors: "jsonb not null default '[]'",
    created_at: 'timestamptz not null',
    finished_at: 'timestamptz',
  },
  /** QR codes. */
  qr_codes: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** What follows `/q/` in the short link, in lower case. */
    code: 'text not null constraint qr_codes_code unique',
    name: 'text not null',
    type: 'text not null',
    /** The target of a code of the type `url`; null for the others. */
    url: 'text',
    /** The content of the other types, as JSON; null for `url`. */
    content: 'jsonb',
    /** Whether the picture has the short link, whose target can change. */
    dynamic: 'boolean not null',
    /** The site whose figures count the scans. */
    site_id: 'text not null',
    /** How the picture looks, as JSON. */
    style: 'jsonb not null',
    active: 'boolean not null',
    starts_at: 'timestamptz',
    expires_at: 'timestamptz',
    /** Where scans lead after the end. */
    expired_url: 'text',
    scan_limit: 'integer',
    /** How many scans have counted toward the limit. */
    scans_used: 'integer not null default 0',
    /** scrypt (RFC 7914) with salt; null: no password. */
    password: 'text',
    utm_source: 'text',
    utm_medium: 'text',
    utm_campaign: 'text',
    utm_term: 'text',
    utm_content: 'text',
    /** Whether the query of the short link is added to the target. */
    forward_query: 'boolean not null default true',
    /** Targets for some people, as JSON; the first one that fits counts. */
    rules: "jsonb not null default '[]'",
    /** The file that the code was created from. */
    batch_id: 'uuid references qr_batches on delete set null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
  /** Former targets of codes. A trigger of `qr_codes` writes them. */
  qr_targets: {
    /** Grows with every change. */
    id: 'bigint generated always as identity primary key',
    code_id: 'uuid not null references qr_codes on delete cascade',
    url: 'text not null',
    rules: 'jsonb not null',
    replaced_at: 'timestamptz not null',
  },
  /** Logos for the center of codes. */
  qr_logos: {
    /** UUID version 7. */
    id: 'uuid primary key',
    png: 'bytea not null',
    /** Pixels. */
    width: 'integer not null',
    height: 'integer not null',
    created_at: 'timestamptz not null',
  },
} as const;

/** Keeps the last hundred targets of each code, in the transaction that changes one. */
const rememberTargets = [
  `create function qr_codes_remember_target() returns trigger language plpgsql as $$
    begin
      insert into qr_targets (code_id, url, rules, replaced_at)
        values (old.id, old.url, old.rules, new.updated_at);
      delete from qr_targets where code_id = old.id and id <= (
        select id from qr_targets where code_id = old.id order by id desc offset 100 limit 1);
      return null;
    end $$`,
  `create trigger qr_codes_remember_target after update on qr_codes
    for each row when (old.url is not null
      and (old.url is distinct from new.url or old.rules is distinct from new.rules))
    execute function qr_codes_remember_target()`,
];

export const qr = createTables(qrTables, [
  'create index qr_batches_unfinished on qr_batches (id) where finished_at is null',
  'create index qr_codes_by_time on qr_codes (created_at, id)',
  'create index qr_codes_by_update on qr_codes (updated_at, id)',
  'create index qr_codes_by_name on qr_codes (name, id)',
  'create index qr_codes_by_type on qr_codes (type, created_at, id)',
  `create index qr_codes_by_batch on qr_codes (batch_id, created_at, id)
    where batch_id is not null`,
  'create index qr_codes_by_campaign on qr_codes (utm_campaign, created_at, id)',
  `create index qr_codes_by_logo on qr_codes ((style ->> 'logo'))
    where style ->> 'logo' is not null`,
  'create index qr_targets_by_code on qr_targets (code_id, id)',
  ...rememberTargets,
]);
