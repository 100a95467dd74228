import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import type { Person, PersonalRows } from '../../../../platform/database/personal-data.ts';
import type { Tables } from '../../../../platform/database/tables.ts';

export interface DataExport {
  id: string;
  state: Tables['data_exports']['state'];
  done: number;
  total: number;
  size: number | null;
  requested_at: Date;
  finished_at: Date | null;
}

interface NewExport {
  id: string;
  userId: string;
  total: number;
  at: Date;
  /** Exports that were requested before are replaced: finished ones, and lost ones. */
  finishedBefore: Date;
  lostBefore: Date;
}

export type Row = Readonly<Record<string, unknown>>;

const columns = ['id', 'state', 'done', 'total', 'size', 'requested_at', 'finished_at'] as const;

/** Exports of personal data, and their files in parts, so that every replica can send them. */
export function createExportStore(db: Database) {
  return {
    find: (userId: string): Promise<DataExport | undefined> =>
      db
        .selectFrom('data_exports')
        .select(columns)
        .where('user_id', '=', userId)
        .executeTakeFirst(),

    /** Enters an export, unless the user has one that is under way or new. True when entered. */
    enter: ({ id, userId, total, at, finishedBefore, lostBefore }: NewExport): Promise<boolean> =>
      db.transaction().execute(async (within) => {
        await within
          .deleteFrom('data_exports')
          .where('user_id', '=', userId)
          .where((where) =>
            where.or([
              where('state', '=', 'failed'),
              where.and([where('state', '=', 'ready'), where('requested_at', '<', finishedBefore)]),
              where('requested_at', '<', lostBefore),
            ]),
          )
          .execute();
        const { numInsertedOrUpdatedRows = 0n } = await within
          .insertInto('data_exports')
          .values({ id, user_id: userId, state: 'queued', total, requested_at: at })
          .onConflict((conflict) => conflict.column('user_id').doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows > 0n;
      }),

    async withdraw(id: string): Promise<void> {
      await db.deleteFrom('data_exports').where('id', '=', id).execute();
    },

    /** Marks an export as running. Returns its user; undefined when it is gone or finished. */
    async claim(id: string): Promise<string | undefined> {
      const row = await db
        .updateTable('data_exports')
        .set({ state: 'running', done: 0 })
        .where('id', '=', id)
        .where('state', 'in', ['queued', 'running'])
        .returning('user_id')
        .executeTakeFirst();
      return row?.user_id;
    },

    async progress(id: string, done: number): Promise<void> {
      await db.updateTable('data_exports').set({ done }).where('id', '=', id).execute();
    },

    async fail(id: string, at: Date): Promise<void> {
      await db
        .updateTable('data_exports')
        .set({ state: 'failed', finished_at: at })
        .where('id', '=', id)
        .where('state', '<>', 'ready')
        .execute();
    },

    /** Stores the file. False when the export is gone: the account was deleted meanwhile. */
    finish: (id: string, parts: readonly Buffer[], at: Date): Promise<boolean> =>
      db.transaction().execute(async (within) => {
        const size = parts.reduce((sum, part) => sum + part.length, 0);
        const { numUpdatedRows } = await within
          .updateTable('data_exports')
          .set({ state: 'ready', size, finished_at: at, done: sql`total` })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        for (const [position, bytes] of parts.entries())
          await within
            .insertInto('data_export_chunks')
            .values({ export_id: id, position, bytes })
            .execute();
        return true;
      }),

    async deleteFinishedBefore(time: Date): Promise<void> {
      await db.deleteFrom('data_exports').where('finished_at', '<', time).execute();
    },

    /** A part of a file; undefined after the last one. */
    chunk: async (id: string, position: number): Promise<Buffer | undefined> =>
      (
        await db
          .selectFrom('data_export_chunks')
          .select('bytes')
          .where('export_id', '=', id)
          .where('position', '=', position)
          .executeTakeFirst()
      )?.bytes,
  };
}

export type ExportStore = ReturnType<typeof createExportStore>;

/** Reads rows of a person, newest key first: at most `limit`, before the key `after`. */
export const createPersonReads =
  (db: Database) =>
  async (
    { table, key, shows, of }: PersonalRows,
    person: Person,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<{ rows: Row[]; last: string | undefined }> => {
    const id = sql<string>`${sql.ref(key)}::text`;
    const before = after === undefined ? sql`true` : sql`${id} < ${after}`;
    const { rows } = await sql<Row & { page_key: string }>`
      select ${sql.join(shows.map((name) => sql.ref(name)))}, ${id} as page_key
      from ${sql.table(table)} where ${of(person)} and ${before}
      order by ${id} desc limit ${limit}`.execute(db);
    return { rows, last: rows.length < limit ? undefined : rows.at(-1)?.page_key };
  };

export type ReadPersonalRows = ReturnType<typeof createPersonReads>;
