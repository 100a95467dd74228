import { z } from 'zod';
import { dayMs } from '../../lib/durations.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Resources } from '../resources.ts';
import { PermanentJobError } from './permanent-job-error.ts';

const Task = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ask'),
    sealed: z.string(),
    askedAt: z.number().describe('Unix ms.'),
  }),
  z.strictObject({ kind: z.literal('clean') }),
]);

/** A job of requests that hold personal data. */
export interface SealedJob<Schema extends z.ZodType> {
  name: string;
  /** The purpose of the key that seals the requests. */
  purpose: string;
  /** A request. It must survive JSON. */
  schema: Schema;
  /** Works on a request made at `askedAt` (Unix ms). Repeated if it fails. */
  process: (request: z.output<Schema>, askedAt: number) => Promise<void>;
  /** Runs once a day. */
  clean: () => Promise<void>;
}

/**
 * Defines a job of requests that are answered before they are looked at, so that no response tells
 * who is known. Redis holds them sealed. Returns the function that queues one; it throws
 * `request.unavailable`.
 */
export function defineSealedJob<Schema extends z.ZodType>(
  { queues, keys, clock }: Pick<Resources, 'queues' | 'keys' | 'clock'>,
  { name, purpose, schema, process, clean }: SealedJob<Schema>,
) {
  const seal = createSeal(keys(purpose));
  const job = queues.defineJob({
    name,
    schema: Task,
    options: {
      attempts: 4,
      concurrency: 4,
      keepDone: false,
      every: { ms: dayMs, payload: { kind: 'clean' } },
    },
    async process(task) {
      if (task.kind === 'clean') return clean();
      const opened = seal.open(task.sealed);
      // Sealed with another AUTH_SECRET: no retry can open it.
      if (opened === undefined)
        throw new PermanentJobError('the request was sealed with another key');
      return process(schema.parse(JSON.parse(opened)), task.askedAt);
    },
  });
  return (request: z.input<Schema>): Promise<string> =>
    job.add({ kind: 'ask', sealed: seal.seal(JSON.stringify(request)), askedAt: clock.now() });
}
