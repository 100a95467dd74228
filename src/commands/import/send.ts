import { z } from 'zod';
import type { Client } from '../service/client.ts';
import { CommandError } from '../service/command.ts';
import { withRetry } from '../service/retry.ts';
import type { Batch } from './batches.ts';
import type { Tally } from './tally.ts';

const Answer = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(
    z.object({ index: z.int(), message: z.string(), field: z.string().optional() }),
  ),
  dropped: z.array(z.object({ index: z.int(), reason: z.string(), field: z.string().optional() })),
});
type Answer = z.output<typeof Answer>;

const path = 'analytics/batch/';
const requestTimeoutMs = 60_000;
/** A service that has answered once is retried for longer than one that never has. */
const retryLimitMs = { atFirst: 30_000, later: 10 * 60_000 };

const withoutScope =
  'The API key lacks the scope analytics:write: ' +
  'without it, the service ignores event times, visitors and countries.';

function parseResponse(answer: unknown): Answer {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success)
    throw new CommandError('What answers at this URL is not the service.', { cause: parsed.error });
  return parsed.data;
}

function checkScope({ dropped }: Answer): void {
  if (dropped.some(({ reason }) => reason === 'needs_api_key'))
    throw new CommandError(withoutScope);
}

/** Sends batches, retries each until it is answered, and counts the results. */
export function createSender({
  client,
  tally,
  stop,
  onWait,
}: {
  client: Client;
  tally: Tally;
  stop: AbortSignal;
  onWait: (reason: string, ms: number) => void;
}) {
  let hasAnswered = false;

  function count(answer: Answer, { lines }: Batch, attempts: number): void {
    tally.counts.accepted += answer.accepted;
    tally.counts.duplicates += answer.duplicates;
    if (attempts > 1) tally.counts.repeated += answer.duplicates;
    for (const { index, message, field } of answer.rejected)
      tally.reject(lines[index] ?? 0, field === undefined ? message : `${field}: ${message}`);
    for (const { reason, field } of answer.dropped)
      tally.omit(field === undefined ? reason : `${reason} (${field})`);
  }

  return {
    /** Resolves once the service has stored or rejected every event of the batch. */
    async send(batch: Batch): Promise<void> {
      const body = `{"events":[${batch.events.join(',')}]}`;
      const retryOptions = {
        maxElapsedMs: hasAnswered ? retryLimitMs.later : retryLimitMs.atFirst,
        stop,
        onWait,
      };
      const { result, attempts } = await withRetry(
        async () => parseResponse(await client.json(path, body, requestTimeoutMs)),
        retryOptions,
      );
      hasAnswered = true;
      checkScope(result);
      count(result, batch, attempts);
    },
  };
}
