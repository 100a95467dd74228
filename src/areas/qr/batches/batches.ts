import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { minuteMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type RequestActor, systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import { readEntries } from '../../../platform/resource/entry-csv.ts';
import { checkRows } from '../../../platform/resource/import.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { Audit } from '../../audit/service.ts';
import { checkCode } from '../codes/code-rules.ts';
import { codeLength, type Codes } from '../codes/codes.ts';
import { qrErrors } from '../errors.ts';
import { QrCodeBody, QrCodeView } from '../schemas.ts';
import { newShortCode } from '../../../lib/short-codes.ts';
import type { BatchFailure, BatchRow, BatchStore, StoredBatch } from './batch-store.ts';
import {
  BatchFailures,
  type BatchQuery,
  maxBatchRows,
  type QrBatchView,
} from './schemas.batches.ts';

export interface BatchesOptions {
  db: Database;
  store: BatchStore;
  codes: Codes;
  audit: Pick<Audit, 'recordIn'>;
  queues: Queues;
  clock: Clock;
  baseOrigin: string;
}

/** Rows that are created together, and then noted as done. */
const sliceSize = 50;

const toView = ({ errors, created_at: created, finished_at: finished, ...batch }: StoredBatch) => ({
  ...batch,
  status: finished === null ? ('running' as const) : ('done' as const),
  errors: BatchFailures.parse(errors),
  created_at: created.toISOString(),
  finished_at: finished === null ? null : finished.toISOString(),
});

/** The first problem, with the name of its column. */
function detailOf({ details: [first], message }: RequestValidationError): string {
  if (first === undefined) return message;
  const column = first.loc.slice(1).join('.');
  const text = first.msg.replace(/^Value error, /, '');
  return column === '' ? text : `${column}: ${text}`;
}

/** Why a row can't become a code; rethrows what another attempt may mend. */
function failureOf(line: number, error: unknown): BatchFailure {
  if (error instanceof RequestValidationError)
    return { line, code: 'request.invalid', detail: detailOf(error) };
  if (error instanceof AppError && error.status < 500)
    return { line, code: error.code, detail: error.message };
  throw error;
}

/** Creates the function that creates one row, once: a row that exists already is fine. */
function createRowWork({ store, codes }: BatchesOptions) {
  return async (batchId: string, { line, code, values }: BatchRow): Promise<BatchFailure[]> => {
    try {
      await codes.create(QrCodeBody.parse(values), systemActor, { code, batchId });
      return [];
    } catch (error) {
      if ((await store.created(batchId, [code])).has(code)) return [];
      return [failureOf(line, error)];
    }
  };
}

/** Defines the job that creates the codes of files. After a crash it goes on where it was. */
function defineBatchJob(options: BatchesOptions) {
  const { store, queues, clock } = options;
  const createRow = createRowWork(options);

  async function run(id: string): Promise<void> {
    for (let next = await store.next(id, sliceSize); next; next = await store.next(id, sliceSize)) {
      const { done, rows } = next;
      const existing = await store.created(
        id,
        rows.map(({ code }) => code),
      );
      const missing = rows.filter(({ code }) => !existing.has(code));
      const failures = (await Promise.all(missing.map((row) => createRow(id, row)))).flat();
      const now = new Date(clock.now());
      if (!(await store.advance(id, { done, count: rows.length, failures, now }))) return;
    }
  }

  const job = queues.defineJob({
    name: 'qr-batches',
    schema: z.strictObject({ batch: z.uuid().nullable() }),
    options: { attempts: 5, every: { ms: 5 * minuteMs, payload: { batch: null } } },
    async process({ batch }) {
      for (const id of batch === null ? await store.unfinished() : [batch]) await run(id);
    },
  });
  return { start: (batch: string) => job.add({ batch }, { id: batch }), run };
}

/** Checks all rows of a file, and gives each its short code and style. */
async function readRows(
  { codes, baseOrigin }: Pick<BatchesOptions, 'codes' | 'baseOrigin'>,
  text: string,
  styleOf: string | undefined,
): Promise<BatchRow[]> {
  const rows = await readEntries(text, QrCodeBody, maxBatchRows);
  await checkRows(rows, async (values) => checkCode(QrCodeBody.parse(values), baseOrigin));
  const style =
    styleOf === undefined
      ? {}
      : { style: QrCodeView.parse(await codes.bound.service.get(styleOf)).style };
  return rows.map(({ line, values }) => ({
    line,
    code: typeof values.code === 'string' ? values.code : newShortCode(codeLength),
    values: { ...values, ...style },
  }));
}

/** Files of codes, which a job creates. */
export function createBatches(options: BatchesOptions) {
  const { db, store, audit, clock } = options;
  const { start, run } = defineBatchJob(options);

  return {
    /**
     * Checks all rows, and lets a job create their codes. Rejects with a RequestValidationError
     * that names the lines of invalid rows, and with `qr.not_found` for an unknown `style_of`.
     */
    async create(
      text: string,
      { style_of: styleOf, name }: BatchQuery,
      by: RequestActor,
    ): Promise<QrBatchView> {
      const rows = await readRows(options, text, styleOf);
      const now = clock.now();
      const id = uuidv7(now);
      const stored = await db.transaction().execute(async (within) => {
        const batch = await store.insert(within, {
          id,
          name: name ?? null,
          rows,
          now: new Date(now),
        });
        const target = { kind: 'qr_batch', id };
        const details = { rows: rows.length };
        await audit.recordIn(within, [{ ...by, action: 'qr.batch_created', target, details }]);
        return batch;
      });
      // Without Redis, the job that runs every few minutes finds it.
      await start(id).catch(() => undefined);
      return toView(stored);
    },

    /** Throws `qr.batch_not_found`. */
    async get(id: string): Promise<QrBatchView> {
      const found = await store.find(id);
      if (found === undefined) throw qrErrors.batch_not_found();
      return toView(found);
    },

    /** Creates the codes that are missing, as the job does. */
    resume: run,

    /** The last fifty. */
    list: async (): Promise<QrBatchView[]> => (await store.list()).map(toView),
  };
}

export type Batches = ReturnType<typeof createBatches>;
