import type { z } from 'zod';
import type { RequestActor } from '../http/requests/request-actor.ts';
import { createPace } from '../../lib/concurrency/pace.ts';
import {
  detailLimit,
  RequestValidationError,
  type ValidationDetail,
} from '../validation/validation-error.ts';
import { type BatchView, runAll } from './batch.ts';
import { type ImportedRow, readEntries } from './entry-csv.ts';
import type { BoundResource, Values } from './resource.ts';

/** Imports the rows of a CSV file, and says which ones were skipped. */
export interface Importer {
  /** The body that creates an entry. */
  body: z.ZodObject;
  /** Reads and checks the rows. Throws a RequestValidationError if one is invalid. */
  read: (text: string) => Promise<readonly ImportedRow[]>;
  /**
   * Throws a RequestValidationError, and imports nothing, if a row is invalid, and
   * `auth.step_up_required`.
   */
  run: (text: string, by: RequestActor, parents?: Values) => Promise<BatchView>;
}

/** Time that checks may take per turn of the event loop: milliseconds. */
const sliceMs = 4;

/** Rejects with a RequestValidationError that names the lines of invalid rows. */
export async function checkRows(
  rows: readonly ImportedRow[],
  check: (values: Values) => Promise<void>,
): Promise<void> {
  const pace = createPace(sliceMs);
  const details: ValidationDetail[] = [];
  for (const { line, values } of rows) {
    if (details.length >= detailLimit) break;
    await pace();
    try {
      await check(values);
    } catch (error) {
      if (!(error instanceof RequestValidationError)) throw error;
      for (const { loc, ...detail } of error.details)
        details.push({ ...detail, loc: ['body', line, ...loc.slice(1)] });
    }
  }
  if (details.length > 0) throw new RequestValidationError(details);
}

/** How a resource is imported; undefined when its entries can't be created. */
export function importerOf({
  resource,
  service,
  admitChange,
}: BoundResource): Importer | undefined {
  const [create, check] = [service.create?.bind(service), service.check?.bind(service)];
  const { create: body } = resource;
  if (body === undefined || create === undefined) return undefined;
  const read = async (text: string): Promise<readonly ImportedRow[]> => {
    const rows = await readEntries(text, body);
    if (check !== undefined) await checkRows(rows, check);
    return rows;
  };
  return {
    body,
    read,
    async run(text, by, parents) {
      admitChange(by);
      const rows = await read(text);
      return runAll(
        rows.map(({ line, values }) => ({ at: { line }, run: () => create(values, by, parents) })),
      );
    },
  };
}
