import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { BatchFailures } from './schemas.ts';

/** A row of a file: the body of a code, and the short code that it gets. */
const BatchRow = z.object({
  line: z.int(),
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
});
export type BatchRow = z.output<typeof BatchRow>;

export type BatchFailure = z.output<typeof BatchFailures>[number];
export type StoredBatch = Omit<Selectable<Tables['qr_batches']>, 'rows'>;

const maxErrors = 100;
const maxListed = 50;
const columns = [
  ...(['id', 'name', 'total', 'done', 'failed', 'errors'] as const),
  ...(['created_at', 'finished_at'] as const),
] as const;

interface NewBatch {
  id: string;
  name: string | null;
  rows: readonly BatchRow[];
  now: Date;
}

interface Progress {
  /** Rows that were done before. */
  done: number;
  /** Rows that are done now, besides. */
  count: number;
  failures: readonly BatchFailure[];
  now: Date;
}

/** The files of codes to create, and how far each one is. */
export const createBatchStore = (db: Database) => ({
  insert: (within: Database, { id, name, rows, now }: NewBatch): Promise<StoredBatch> =>
    within
      .insertInto('qr_batches')
      .values({
        id,
        name,
        total: rows.length,
        done: 0,
        failed: 0,
        rows: JSON.stringify(rows),
        errors: '[]',
        created_at: now,
        finished_at: rows.length === 0 ? now : null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),

  find: (id: string): Promise<StoredBatch | undefined> =>
    db.selectFrom('qr_batches').select(columns).where('id', '=', id).executeTakeFirst(),

  list: (): Promise<StoredBatch[]> =>
    db.selectFrom('qr_batches').select(columns).orderBy('id', 'desc').limit(maxListed).execute(),

  /** The ids of files with rows that are not done. */
  async unfinished(): Promise<string[]> {
    const rows = await db
      .selectFrom('qr_batches')
      .select('id')
      .where('finished_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  },

  /** At most `limit` rows that are not done, and how many are. Undefined when all are. */
  async next(id: string, limit: number): Promise<{ done: number; rows: BatchRow[] } | undefined> {
    const { rows } = await sql<{ done: number; part: unknown }>`
      select done, jsonb_path_query_array(rows, ${sql.lit('$[$from to $to]')}::jsonpath,
        jsonb_build_object('from', done, 'to', done + ${limit}::int - 1)) as part
      from qr_batches where id = ${id} and finished_at is null`.execute(db);
    const [found] = rows;
    return found && { done: found.done, rows: z.array(BatchRow).parse(found.part) };
  },

  /** Notes that rows after the first `done` are done, unless another process did. */
  async advance(id: string, { done, count, failures, now }: Progress): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`update qr_batches set
        done = done + ${count}::int,
        failed = failed + ${failures.length}::int,
        errors = case when jsonb_array_length(errors) >= ${maxErrors}::int then errors
          else errors || ${JSON.stringify(failures)}::jsonb end,
        finished_at = case when done + ${count}::int >= total then ${now}::timestamptz end,
        rows = case when done + ${count}::int >= total then '[]' else rows end
      where id = ${id} and done = ${done} and finished_at is null`.execute(db);
    return numAffectedRows > 0n;
  },

  /** Which of these short codes a file has created already. */
  async created(id: string, codes: readonly string[]): Promise<Set<string>> {
    const rows = await db
      .selectFrom('qr_codes')
      .select('code')
      .where('batch_id', '=', id)
      .where('code', 'in', [...codes])
      .execute();
    return new Set(rows.map(({ code }) => code));
  },
});
