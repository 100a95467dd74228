import { dayMs, minuteMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import { systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { ResetParts } from './context.ts';
import { expireOverdue, waitMs } from './service.ts';
import {
  type CancelReason,
  type FactorReset,
  hasUsedFactor,
  isAdmin,
  isDisabled,
  lockOpen,
  moveReset,
} from './store.ts';

const batch = 100;
/** How long a request may take to tell everybody itself. */
const graceMs = minuteMs;
const keptDays = 400;

/** Why a reset that is due must not take effect; undefined when it may. */
async function obstacleOf(within: Database, reset: FactorReset): Promise<CancelReason | undefined> {
  for (const admin of [reset.requested_by, reset.approved_by])
    if (!(await isAdmin(within, admin))) return 'admin_lost';
  if ((await isDisabled(within, reset.user_id)) !== false) return 'user_disabled';
  return (await hasUsedFactor(within, reset)) ? 'factor_used' : undefined;
}

/**
 * Creates the function that does what is due: ends overdue requests, sends late messages, and
 * resets factors. Several replicas may run it: each step of a reset is a transaction that checks
 * the state, so it happens once. When a process dies in between, the next run goes on. One reset
 * that fails does not stop the others; its error is thrown at the end.
 */
export function createResetExecution(parts: ResetParts) {
  const { store, notices, log, audit, endAccess, clock } = parts;
  return runDue;

  async function runDue(): Promise<void> {
    const now = new Date(clock.now());
    const failures: unknown[] = [];
    await expireOverdue(parts);
    await retell();
    await each(await store.waiting('approved', now, batch), begin, failures);
    await each(await store.waiting('completing', now, batch), finish, failures);
    await store.deleteEndedBefore(new Date(now.getTime() - keptDays * dayMs));
    if (failures.length > 0) throw failures[0];
  }

  async function each(
    resets: readonly FactorReset[],
    step: (reset: FactorReset) => Promise<FactorReset | undefined>,
    failures: unknown[],
  ): Promise<void> {
    for (const reset of resets)
      try {
        const changed = await step(reset);
        if (changed !== undefined) await notices.tell(changed);
      } catch (error) {
        failures.push(error);
      }
  }

  /**
   * Takes the factors of a user away, or cancels the reset, in one transaction. Undefined when it
   * is no longer due: canceled, or begun by another replica.
   */
  function begin(due: FactorReset): Promise<FactorReset | undefined> {
    return store.underLock(async (within) => {
      const found = await lockOpen(within, due.user_id);
      const at = new Date(clock.now());
      if (found?.id !== due.id || found.state !== 'approved') return undefined;
      if (found.due_at === null || found.due_at > at) return undefined;
      const obstacle = await obstacleOf(within, found);
      if (obstacle !== undefined) {
        const set = { state: 'canceled', changed_at: at, cancel_reason: obstacle } as const;
        const canceled = await moveReset(within, found, set);
        await log('factor_reset.canceled', systemActor)(within, canceled);
        return canceled;
      }
      const methods = await store.removeFactors(within, found.user_id);
      const target = { kind: 'user', id: found.user_id };
      const entry = { ...systemActor, action: 'second_factor.removed', target } as const;
      await audit.recordIn(
        within,
        methods.map((method) => ({ ...entry, reason: 'factor_reset', details: { method } })),
      );
      return moveReset(within, found, { state: 'completing', changed_at: at });
    });
  }

  /** Ends sessions and devices, which may be repeated, and then notes that it is done, once. */
  async function finish(begun: FactorReset): Promise<FactorReset | undefined> {
    await endAccess(begun.user_id, systemActor);
    return store.underLock(async (within) => {
      const found = await lockOpen(within, begun.user_id);
      if (found?.id !== begun.id || found.state !== 'completing') return undefined;
      const set = { state: 'completed', changed_at: new Date(clock.now()) } as const;
      const completed = await moveReset(within, found, set);
      await log('factor_reset.completed', systemActor)(within, completed);
      return completed;
    });
  }

  /** Tells those who were not told, because a store was away or the process died. */
  async function retell(): Promise<void> {
    const now = clock.now();
    for (const untold of await store.untold(new Date(now - graceMs), batch)) {
      // The day begins once people can know of it.
      const reset =
        untold.state === 'approved'
          ? await store.postpone(untold.id, new Date(now + waitMs))
          : untold;
      if (reset !== undefined) await notices.tell(reset);
    }
  }
}

export type ResetExecution = ReturnType<typeof createResetExecution>;
