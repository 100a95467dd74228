import { dayMs, minuteMs } from '../../lib/durations.ts';
import { emailIdentity } from '../../lib/identifiers.ts';
import { isStoreUnavailable } from '../../platform/errors/store-failures.ts';
import type { PaymentParts } from './compose.ts';
import { type CustomerHints, readPlanChange } from './plan-change.ts';
import { mergePlan } from './plan-merge.ts';
import { PaymentEvent } from './schemas.ts';
import type { EventRow, EventStatus } from './store.ts';

/** The number of attempts before an event is marked as failed. */
export const attempts = 5;

const reopenDays = 30;
const sweepSize = 100;

/** Handles stored payment events. */
export function createEventHandler({ store, users, plans, clock, logger }: PaymentParts) {
  return { handle, sweep };

  /**
   * Handles the event, then earlier events of customers that have become known: a subscription
   * often arrives before the checkout that names its user. Throws when the event should be
   * retried; the last failure is stored.
   */
  async function handle(id: string): Promise<void> {
    if (await handleOne(id)) await handleAll(await reopen());
  }

  /** Handles events that are pending for more than a minute because their job was lost. */
  async function sweep(): Promise<void> {
    await reopen();
    await handleAll(await store.pendingBefore(new Date(clock.now() - minuteMs), sweepSize));
  }

  function reopen(): Promise<string[]> {
    return store.reopenKnown(new Date(clock.now() - reopenDays * dayMs));
  }

  async function handleAll(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      await handleOne(id).catch((error: unknown) =>
        logger.warn({ err: error, event_id: id }, 'a payment event could not be handled'),
      );
  }

  /** Returns true when a plan changed. */
  async function handleOne(id: string): Promise<boolean> {
    const row = await store.begin(id);
    if (row === undefined) return false;
    try {
      return await apply(row);
    } catch (error) {
      // While a store is unavailable, the event is not at fault, and stays pending.
      if (row.attempts >= attempts && !isStoreUnavailable(error))
        await settle(row, 'failed', 'handler_failed');
      throw error;
    }
  }

  /** Finds the user and updates the plan. Returns true when a plan changed. */
  async function apply(row: EventRow): Promise<boolean> {
    const { object } = PaymentEvent.parse(row.payload).data;
    const reading = readPlanChange(row.type, object, row.created, (names) =>
      plans.planOfPrice(names),
    );
    if (reading.kind === 'invalid') return settle(row, 'failed', 'object_invalid');
    if (reading.kind === 'unknown plan') return settle(row, 'failed', 'plan_unknown');
    if (reading.kind === 'unrelated') return settle(row, 'ignored', null);
    const userId = await findUser(reading.hints);
    if (userId === undefined) return settle(row, 'failed', 'user_unknown');
    const isApplied = await store.apply({
      id: row.id,
      userId,
      merge: (current) => mergePlan(current, reading.change),
      now: new Date(clock.now()),
    });
    if (isApplied) log(row, 'done', { user_id: userId });
    return isApplied;
  }

  async function findUser(hints: CustomerHints): Promise<string | undefined> {
    const { userIds, customerId, emails } = hints;
    const named = await store.firstUser(userIds);
    if (named !== undefined) return named;
    const known = customerId === undefined ? undefined : await store.userOfCustomer(customerId);
    if (known !== undefined) return known;
    for (const email of emails) {
      const identity = emailIdentity(email);
      const owner = identity === undefined ? undefined : await users.ownerOf(identity);
      if (owner !== undefined) return owner.id;
    }
    return undefined;
  }

  async function settle(
    row: EventRow,
    status: EventStatus,
    errorCode: string | null,
  ): Promise<false> {
    await store.settle(row.id, status, errorCode, new Date(clock.now()));
    log(row, status, { error_code: errorCode });
    return false;
  }

  function log({ id, type, attempts: attempt }: EventRow, status: EventStatus, rest: object): void {
    logger.info({ event_id: id, type, status, attempt, ...rest }, 'payment event handled');
  }
}

export type EventHandler = ReturnType<typeof createEventHandler>;
