import type { Selectable } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import type { Database } from '../../../platform/database/database.ts';

export type DefinitionRow = Selectable<Tables['goals']>;

/** Stores goals or funnels in SQL. */
export function createDefinitionStore(table: 'goals' | 'funnels') {
  return {
    /** Oldest first. */
    list: (db: Database, site: number): Promise<DefinitionRow[]> =>
      db.selectFrom(table).selectAll().where('site', '=', site).orderBy('id').execute(),

    find: (db: Database, id: string): Promise<DefinitionRow | undefined> =>
      db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst(),

    /** Blocks other writers of this site until the transaction ends. */
    async lock(db: Database, site: number): Promise<void> {
      await db.selectFrom('sites').select('id').where('id', '=', site).forUpdate().execute();
    },

    async insert(db: Database, row: DefinitionRow): Promise<void> {
      await db
        .insertInto(table)
        .values({ ...row, definition: JSON.stringify(row.definition) })
        .execute();
    },

    async rename(db: Database, id: string, name: string): Promise<void> {
      await db.updateTable(table).set({ name }).where('id', '=', id).execute();
    },

    async delete(db: Database, id: string): Promise<void> {
      await db.deleteFrom(table).where('id', '=', id).execute();
    },
  };
}
