import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely';

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await sql`create table qr_batches (
    id uuid primary key,
    total integer not null,
    done integer not null default 0,
    failed integer not null default 0,
    rows jsonb not null,
    errors jsonb not null default '[]',
    created_at timestamptz not null,
    finished_at timestamptz
  )`.execute(db);
  await sql`create index qr_batches_unfinished on qr_batches (id)
    where finished_at is null`.execute(db);
}

async function createCodes(db: Kysely<unknown>): Promise<void> {
  await sql`create table qr_codes (
    id uuid primary key,
    code text not null,
    name text not null,
    type text not null,
    url text,
    content jsonb,
    dynamic boolean not null,
    site_id text not null,
    style jsonb not null,
    active boolean not null,
    starts_at timestamptz,
    expires_at timestamptz,
    expired_url text,
    scan_limit integer,
    scans_used integer not null default 0,
    password text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    rules jsonb not null default '[]',
    batch_id uuid references qr_batches (id) on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint qr_codes_code unique (code)
  )`.execute(db);
  await sql`create index qr_codes_by_time on qr_codes (created_at, id)`.execute(db);
  await sql`create index qr_codes_by_update on qr_codes (updated_at, id)`.execute(db);
  await sql`create index qr_codes_by_name on qr_codes (name, id)`.execute(db);
  await sql`create index qr_codes_by_type on qr_codes (type, created_at, id)`.execute(db);
  await sql`create index qr_codes_by_batch on qr_codes (batch_id, created_at, id)
    where batch_id is not null`.execute(db);
  await sql`create index qr_codes_by_campaign on qr_codes (utm_campaign, created_at, id)`.execute(
    db,
  );
}

async function createLogos(db: Kysely<unknown>): Promise<void> {
  await sql`create table qr_logos (
    id uuid primary key,
    png bytea not null,
    width integer not null,
    height integer not null,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index qr_codes_by_logo on qr_codes ((style ->> 'logo'))
    where style ->> 'logo' is not null`.execute(db);
}

/** Keeps the last hundred targets of each code, in the transaction that changes one. */
async function rememberTargets(db: Kysely<unknown>): Promise<void> {
  await sql`create table qr_targets (
    id bigint generated always as identity primary key,
    code_id uuid not null references qr_codes (id) on delete cascade,
    url text not null,
    rules jsonb not null,
    replaced_at timestamptz not null
  )`.execute(db);
  await sql`create index qr_targets_by_code on qr_targets (code_id, id)`.execute(db);
  await sql`create function qr_codes_remember_target() returns trigger language plpgsql as $$
    begin
      insert into qr_targets (code_id, url, rules, replaced_at)
        values (old.id, old.url, old.rules, new.updated_at);
      delete from qr_targets where code_id = old.id and id <= (
        select id from qr_targets where code_id = old.id order by id desc offset 100 limit 1);
      return null;
    end $$`.execute(db);
  await sql`create trigger qr_codes_remember_target after update on qr_codes
    for each row when (old.url is not null
      and (old.url is distinct from new.url or old.rules is distinct from new.rules))
    execute function qr_codes_remember_target()`.execute(db);
}

/** QR codes and the targets that they had. */
export const qrCodes: Migration = {
  async up(db) {
    await createBatches(db);
    await createCodes(db);
    await createLogos(db);
    await rememberTargets(db);
  },
};
