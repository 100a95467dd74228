import type { Logger } from 'pino';
import { emailIdentity } from '../../lib/identifiers.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { isStoreUnavailable } from '../../platform/errors/store-failures.ts';
import type { Users } from '../users/service.ts';
import { readChange } from './plan-change.ts';
import type { Signs } from './plan-change.ts';
import { mergePlan } from './plan-merge.ts';
import { PaymentEvent } from './schemas.ts';
import type { EventRow, EventStatus, PaymentStore } from './store.ts';

export interface HandlingOptions {
  store: PaymentStore;
  ownerOf: Users['ownerOf'];
  clock: Clock;
  logger: Logger;
}

/** How often an event is tried before it counts as failed. */
export const attempts = 5;

const reopenDays = 30;
const batch = 100;

/** Carries out events that are stored: finds the person and changes the plan. */
export function createHandling({ store, ownerOf, clock, logger }: HandlingOptions) {
  async function findByEmail(emails: readonly string[]): Promise<string | undefined> {
    for (const email of emails) {
      const identity = emailIdentity(email);
      const owner = identity === undefined ? undefined : await ownerOf(identity);
      if (owner !== undefined) return owner.id;
    }
    return undefined;
  }

  async function findUser({ userIds, customerId, emails }: Signs): Promise<string | undefined> {
    return (
      (await store.firstUser(userIds)) ??
      (customerId === undefined ? undefined : await store.userOfCustomer(customerId)) ??
      findByEmail(emails)
    );
  }

  async function settle(
    { id, type, attempts: attempt }: EventRow,
    status: EventStatus,
    errorCode: string | null,
  ): Promise<void> {
    await store.settle(id, status, errorCode, new Date(clock.now()));
    logger.info(
      { event_id: id, type, status, attempt, error_code: errorCode },
      'payment event handled',
    );
  }

  /** True when a plan has changed, so that other events may have become clear. */
  async function carryOut(row: EventRow): Promise<boolean> {
    const reading = readChange(row.type, PaymentEvent.parse(row.payload).data.object, row.created);
    if (reading.kind !== 'change') {
      await (reading.kind === 'invalid'
        ? settle(row, 'failed', 'object_invalid')
        : settle(row, 'ignored', null));
      return false;
    }
    const userId = await findUser(reading.signs);
    if (userId === undefined) {
      await settle(row, 'failed', 'user_unknown');
      return false;
    }
    const { id, type, attempts: attempt } = row;
    const isApplied = await store.apply({
      id,
      userId,
      merge: (current) => mergePlan(current, reading.change),
      now: new Date(clock.now()),
    });
    if (isApplied)
      logger.info(
        { event_id: id, type, status: 'done', attempt, user_id: userId },
        'payment event handled',
      );
    return isApplied;
  }

  /** Handles an event unless that is done. Throws when it should be tried again; the last failure is noted. */
  async function handleOne(id: string): Promise<boolean> {
    const row = await store.begin(id);
    if (row === undefined) return false;
    try {
      return await carryOut(row);
    } catch (error) {
      // While a store is away nothing is wrong with the event: it stays pending.
      if (row.attempts >= attempts && !isStoreUnavailable(error))
        await settle(row, 'failed', 'handler_failed');
      throw error;
    }
  }

  async function handleAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await handleOne(id).catch((error: unknown) =>
        logger.warn({ err: error, event_id: id }, 'a payment event could not be handled'),
      );
    }
  }

  const reopen = () => store.reopenKnown(new Date(clock.now() - reopenDays * dayMs));

  return {
    /**
     * Handles the event, and those that wait for the customer it has made known: a subscription is often reported before
     * the checkout that says whose it is. Throws when the event should be tried again.
     */
    async handle(id: string): Promise<void> {
      if (await handleOne(id)) await handleAll(await reopen());
    },

    /** Handles what was stored more than a minute ago and is still pending: its job was never added, or was lost. */
    async sweep(): Promise<void> {
      await reopen();
      await handleAll(await store.pendingBefore(new Date(clock.now() - minuteMs), batch));
    },
  };
}

export type Handling = ReturnType<typeof createHandling>;
