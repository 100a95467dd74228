import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';

/** Returns every column, constraint and index of the database, a line each. */
async function schemaOf({ stores: { db } }: TestApp): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name || '.' || column_name, data_type,
        case is_nullable when 'NO' then 'not null' end, 'default ' || column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all
    select conrelid::regclass || ': ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select indexdef from pg_indexes where schemaname = 'public'`.execute(db);
  return `${rows
    .map(({ line }) => line)
    .sort()
    .join('\n')}\n`;
}

describe('the record store', () => {
  it('has exactly the columns, constraints and indexes of schema.txt', async () => {
    // A migration changes the file, too: npm test -- test/contract/schema.test.ts -u
    await expect(await schemaOf(await sharedApp('plain'))).toMatchFileSnapshot('schema.txt');
  });
});
