import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { personalData } from '../../src/app/personal-data.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { PersonalRows } from '../../src/platform/database/personal-data.ts';
import { freshApp } from '../support/app.ts';

const app = await freshApp();

/** Names of columns that usually name a person. */
const personal = new RegExp(
  '^(?:.*_)?(?:user|user_id|person|owner|actor_id|target_id|customer|customer_id|email|phone|' +
    'contact|address|ip|name|picture|avatar|payload|note|message|details|recipient|sender|' +
    'subject|to|from|to_hash|email_hash|phone_hash|address_hash|fingerprint_hash|locale|' +
    'zoneinfo|user_agent|sealed)$|_by$',
);
/** Migrations are Kysely's own tables. */
const ours = (table: string): boolean => !table.startsWith('kysely_');

const rows: PersonalRows[] = personalData.flatMap((area) => [...area.rows]);
const namesNobody = new Map(personalData.flatMap((area) => Object.entries(area.namesNobody ?? {})));
const covered = new Set([
  ...rows.flatMap(({ table, names, shows }) => [...names, ...shows].map((c) => `${table}.${c}`)),
  ...namesNobody.keys(),
]);

const advice =
  'These columns may name a person, and nobody has said what an export shows of them and what ' +
  'deleting an account does. Add an entry for their table (`personalRows`) to the ' +
  '`personal-data.ts` of its area, and list that file in src/app/personal-data.ts. A column ' +
  'that names nobody goes into `namesNobody` there, with the reason.';

async function columnsOf(db: Database): Promise<Map<string, Set<string>>> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and table_name in (
      select tables.table_name from information_schema.tables
      where tables.table_schema = 'public' and table_type = 'BASE TABLE')`.execute(db);
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of columns.filter(({ table: name }) => ours(name)))
    tables.set(table, (tables.get(table) ?? new Set()).add(column));
  return tables;
}

/** Columns that refer to users, whatever they are called. */
async function referencesToUsers(db: Database): Promise<string[]> {
  const { rows: found } = await sql<{ name: string }>`
    select from_table.relname || '.' || attribute.attname as name
    from pg_constraint as reference
    join pg_class as from_table on from_table.oid = reference.conrelid
    join pg_attribute as attribute
      on attribute.attrelid = reference.conrelid and attribute.attnum = any(reference.conkey)
    where reference.contype = 'f' and reference.confrelid = 'users'::regclass`.execute(db);
  return found.map(({ name }) => name);
}

describe('what the service knows about people', () => {
  it('is listed for every column that may name a person', async () => {
    const columns = [...(await columnsOf(app.stores.db))].flatMap(([table, names]) =>
      [...names].map((column) => ({ name: `${table}.${column}`, column })),
    );
    expect(columns.length).toBeGreaterThan(150);
    const suspects = [
      ...columns.filter(({ column }) => personal.test(column)).map(({ name }) => name),
      ...(await referencesToUsers(app.stores.db)),
    ];
    const missing = [...new Set(suspects)].filter((name) => !covered.has(name)).sort();
    expect(missing, advice).toEqual([]);
  });

  it('names only tables and columns that exist', async () => {
    const tables = await columnsOf(app.stores.db);
    const named = [...covered, ...rows.map(({ table, key }) => `${table}.${key}`)];
    const unknown = named.filter((name) => {
      const [table = '', column = ''] = name.split('.');
      return tables.get(table)?.has(column) !== true;
    });
    expect(unknown).toEqual([]);
    const cleared = rows.flatMap(({ table, onDeletion }) =>
      onDeletion.action === 'clear'
        ? Object.keys(onDeletion.set).map((column) => `${table}.${column}`)
        : [],
    );
    expect(cleared.filter((name) => !covered.has(name) && !name.endsWith('.status'))).toEqual([]);
  });

  it('has a title of its own for each list, and a reason for everything that stays', () => {
    const titles = personalData.flatMap(({ area, rows: all }) =>
      all.map(({ title }) => `${area}/${title}`),
    );
    expect(new Set(titles).size).toBe(titles.length);
    for (const { about, onDeletion } of rows) {
      expect(about).toMatch(/^[A-Z].*\.$/);
      if (onDeletion.action !== 'delete') expect(onDeletion.keeps).toMatch(/^[A-Z].*\.$/);
    }
    for (const reason of namesNobody.values()) expect(reason.length).toBeGreaterThan(5);
  });

  it('has conditions that run, and that select nothing for a stranger', async () => {
    const nobody = {
      userId: '01985f6e-0000-7000-8000-000000000000',
      emails: ['nobody@example.com'],
      phones: ['+14155550100'],
      identifierHashes: ['none'],
      recipientHashes: ['none'],
    };
    for (const { table, of } of rows) {
      const condition: RawBuilder<boolean> = of(nobody);
      const { rows: found } = await sql`
        select 1 from ${sql.table(table)} where ${condition}`.execute(app.stores.db);
      expect({ table, found }).toEqual({ table, found: [] });
    }
  });
});
