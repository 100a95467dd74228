import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { newShortCode } from '../../../lib/short-codes.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type RequestActor, systemActor } from '../../../platform/http/requests/request-actor.ts';
import { type ImportedRow, readEntries } from '../../../platform/resource/entry-csv.ts';
import { checkRows } from '../../../platform/resource/import.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { checkCode } from '../codes/rules.ts';
import { codeLength } from '../codes/code-length.ts';
import type { Codes } from '../codes/service.ts';
import type { QrParts } from '../compose.ts';
import { qrErrors } from '../errors.ts';
import { QrCodeBody } from '../schemas.ts';
import { BatchFailures, type BatchQuery, maxBatchRows, type QrBatchView } from './schemas.ts';
import { type BatchFailure, type BatchRow, createBatchStore, type StoredBatch } from './store.ts';

/** Rows that are created together, and then noted as done. */
const sliceSize = 50;

/** Files of codes, which a job creates. */
export function createBatches(context: QrParts & { codes: Codes }) {
  const { db, queues, clock, baseOrigin, audit, codes } = context;
  const store = createBatchStore(db);
  const job = queues.defineJob({
    name: 'qr-batches',
    schema: z.strictObject({ batch: z.uuid().nullable() }),
    options: { attempts: 5, every: { ms: 5 * minuteMs, payload: { batch: null } } },
    async process({ batch }) {
      for (const id of batch === null ? await store.unfinished() : [batch]) await resume(id);
    },
  });
  return { check, create, get, list, resume };

  /**
   * Checks all rows, and lets a job create their codes. Rejects with a RequestValidationError
   * that names the lines of invalid rows, and with `qr.not_found` for an unknown `style_of`.
   */
  async function create(
    text: string,
    { style_of: styleOf, name }: BatchQuery,
    by: RequestActor,
  ): Promise<QrBatchView> {
    const rows = await newRows(text, styleOf);
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
    await job.add({ batch: id }, { id }).catch(() => undefined);
    return toView(stored);
  }

  /** Throws `qr.batch_not_found`. */
  async function get(id: string): Promise<QrBatchView> {
    const found = await store.find(id);
    if (found === undefined) throw qrErrors.batch_not_found();
    return toView(found);
  }

  /** The last fifty. */
  async function list(): Promise<QrBatchView[]> {
    return (await store.list()).map(toView);
  }

  /** Creates the codes that are missing, as the job does. After a crash it continues. */
  async function resume(id: string): Promise<void> {
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

  /** Creates one row, once: a row that exists already is fine. Returns why it can't. */
  async function createRow(
    batchId: string,
    { line, code, values }: BatchRow,
  ): Promise<BatchFailure[]> {
    try {
      await codes.create(QrCodeBody.parse(values), systemActor, { code, batchId });
      return [];
    } catch (error) {
      if ((await store.created(batchId, [code])).has(code)) return [];
      return [failureOf(line, error)];
    }
  }

  /** Reads the rows of a file and creates nothing. Rejects as `create` does. */
  async function check(text: string, { style_of: styleOf }: BatchQuery): Promise<ImportedRow[]> {
    const rows = await readRows(text);
    if (styleOf !== undefined) await codes.get(styleOf);
    return rows;
  }

  async function readRows(text: string): Promise<ImportedRow[]> {
    const rows = await readEntries(text, QrCodeBody, maxBatchRows);
    await checkRows(rows, async (values) => checkCode(QrCodeBody.parse(values), baseOrigin));
    return rows;
  }

  /** Checks all rows of a file, and gives each its short code and style. */
  async function newRows(text: string, styleOf: string | undefined): Promise<BatchRow[]> {
    const rows = await readRows(text);
    const style = styleOf === undefined ? {} : { style: (await codes.get(styleOf)).style };
    return rows.map(({ line, values }) => ({
      line,
      code: typeof values.code === 'string' ? values.code : newShortCode(codeLength),
      values: { ...values, ...style },
    }));
  }
}

export type Batches = ReturnType<typeof createBatches>;

const toView = ({ errors, created_at: created, finished_at: finished, ...batch }: StoredBatch) => ({
  ...batch,
  status: finished === null ? ('running' as const) : ('done' as const),
  errors: BatchFailures.parse(errors),
  created_at: created.toISOString(),
  finished_at: finished === null ? null : finished.toISOString(),
});

/** Why a row can't become a code; rethrows what another attempt may mend. */
function failureOf(line: number, error: unknown): BatchFailure {
  if (error instanceof RequestValidationError)
    return { line, code: 'request.invalid', detail: detailOf(error) };
  if (error instanceof AppError && error.status < 500)
    return { line, code: error.code, detail: error.message };
  throw error;
}

/** The first problem, with the name of its column. */
function detailOf({ details: [first], message }: RequestValidationError): string {
  if (first === undefined) return message;
  const column = first.loc.slice(1).join('.');
  const text = first.msg.replace(/^Value error, /, '');
  return column === '' ? text : `${column}: ${text}`;
}
