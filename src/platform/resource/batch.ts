import pLimit from 'p-limit';
import { z } from 'zod';
import { AppError } from '../errors/errors.ts';
import { RequestValidationError } from '../validation/validation-error.ts';

// With more, the requests of others would queue for the connections of the database.
const concurrency = 8;

/** The result of several changes at once. */
export const BatchView = z
  .object({
    succeeded: z.int().describe('Number of changes that were made.'),
    failed: z
      .array(
        z.object({
          id: z.uuid().optional().describe('The id of the entry.'),
          line: z.int().optional().describe('The line of the file.'),
          code: z.string().meta({ examples: ['request.not_found'] }),
          detail: z.string().meta({ examples: ['Nothing was found at this path.'] }),
        }),
      )
      .describe('The changes that were not made, and why.'),
  })
  .meta({ id: 'BatchResult', description: 'The result of each change.' });
export type BatchView = z.output<typeof BatchView>;

interface Change {
  /** What the change is about, for the result. */
  at: { id?: string; line?: number };
  run: () => Promise<unknown>;
}

/** What the result says of a refusal; undefined for any other error. */
function refusalOf(error: unknown): { code: string; detail: string } | undefined {
  if (error instanceof AppError && error.status < 500)
    return { code: error.code, detail: error.message };
  if (!(error instanceof RequestValidationError)) return undefined;
  const sentences = error.details.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  return { code: 'request.invalid', detail: sentences.join('. ') };
}

/**
 * Makes all changes, several at a time. Refusals (AppErrors below 500, invalid values) are listed;
 * any other error rejects, after the changes that were already running.
 */
export async function runAll(changes: readonly Change[]): Promise<BatchView> {
  const runLimited = pLimit(concurrency);
  const results = await Promise.all(
    changes.map(({ at, run }) =>
      runLimited(async () => {
        try {
          await run();
          return undefined;
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          return { ...at, ...refusal };
        }
      }),
    ),
  );
  const failed = results.filter((result) => result !== undefined);
  return { succeeded: changes.length - failed.length, failed };
}
