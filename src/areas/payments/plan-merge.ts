import type { PlanChange } from './plan-change.ts';

/** A user's plan as stored. */
export interface Plan {
  plan: string | null;
  /** The provider's status of the subscription. */
  status: string;
  currentPeriodEnd: Date | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** Time of the newest event merged into it. */
  eventCreated: Date;
}

const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
/** Statuses in which a subscription grants nothing yet, or nothing anymore. */
const inactiveStatuses: ReadonlySet<string> = new Set([
  ...endedStatuses,
  'incomplete',
  'past_due',
  'unpaid',
  'paused',
]);

function toPlan({
  plan,
  status,
  currentPeriodEnd,
  customerId,
  subscriptionId,
  eventCreated,
}: PlanChange): Plan {
  return { plan, status, currentPeriodEnd, customerId, subscriptionId, eventCreated };
}

/**
 * The plan after an event. Events arrive in any order, so an older one only fills gaps. An event of
 * another subscription replaces the plan if it is newer, and either grants something or the current
 * subscription has ended.
 */
export function mergePlan(current: Plan | undefined, change: PlanChange): Plan {
  if (current === undefined) return toPlan(change);
  const isOlder = change.eventCreated < current.eventCreated;
  if (current.subscriptionId !== change.subscriptionId) {
    return isOlder || (inactiveStatuses.has(change.status) && !endedStatuses.has(current.status))
      ? current
      : toPlan(change);
  }
  const [newer, older] = isOlder ? [current, change] : [change, current];
  return {
    plan: newer.plan ?? older.plan,
    status: change.isInferred ? current.status : newer.status,
    currentPeriodEnd: newer.currentPeriodEnd ?? older.currentPeriodEnd,
    customerId: newer.customerId ?? older.customerId,
    subscriptionId: newer.subscriptionId,
    eventCreated: newer.eventCreated,
  };
}
