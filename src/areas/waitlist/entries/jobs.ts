import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { WaitlistParts } from '../compose.ts';
import { batchStore } from './store.ts';

const pageSize = 100;

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'comms.recipient_invalid';

/**
 * Defines the job that sends the invitations of a batch, and returns the function that queues it.
 * After a crash it continues where it was; a repeated job sends those that Redis was away for.
 */
export function defineInvitations({ db, emails, queues, clock }: WaitlistParts) {
  const job = queues.defineJob({
    name: 'waitlist-invitations',
    schema: z.strictObject({ batch: z.uuid().nullable() }),
    options: { attempts: 5, every: { ms: 10 * minuteMs, payload: { batch: null } } },
    async process({ batch }) {
      for (
        let page = await batchStore.uninvited(db, batch, pageSize);
        page.length > 0;
        page = await batchStore.uninvited(db, batch, pageSize)
      ) {
        const results = await Promise.allSettled(
          page.map((row) => emails.sendInvitation(row, row.approved_at?.getTime() ?? 0)),
        );
        // An address that no message can be sent to must not keep the others waiting.
        const isDone = (result: PromiseSettledResult<unknown> | undefined): boolean =>
          result?.status === 'fulfilled' || isUnreachable(result?.reason);
        await batchStore.setInvited(
          db,
          page.filter((_row, at) => isDone(results[at])).map(({ id }) => id),
          new Date(clock.now()),
        );
        for (const result of results)
          if (result.status === 'rejected' && !isDone(result)) throw result.reason;
      }
    },
  });
  return (batch: string) => job.add({ batch }, { id: batch });
}
