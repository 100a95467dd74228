import type { PlanChange } from './plan-change.ts';

/** A person's plan as it is kept. */
export interface Plan {
  plan: string | null;
  /** The provider's status of the subscription. */
  status: string;
  currentPeriodEnd: Date | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** When the newest event in it happened. */
  eventCreated: Date;
}

const ended: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
/** A subscription in one of these gives its owner nothing yet, or nothing any more. */
const powerless: ReadonlySet<string> = new Set([
  ...ended,
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
 * The plan after an event. Events come in any order: an older one only adds what no newer one has said. An event of
 * another subscription counts when that one is newer and has something to give, or the plan's own is over.
 */
export function mergePlan(current: Plan | undefined, change: PlanChange): Plan {
  if (current === undefined) return toPlan(change);
  const isOlder = change.eventCreated < current.eventCreated;
  if (current.subscriptionId !== change.subscriptionId) {
    return isOlder || (powerless.has(change.status) && !ended.has(current.status))
      ? current
      : toPlan(change);
  }
  const [newer, older] = isOlder ? [current, change] : [change, current];
  return {
    plan: newer.plan ?? older.plan,
    status: change.isConcluded ? current.status : newer.status,
    currentPeriodEnd: newer.currentPeriodEnd ?? older.currentPeriodEnd,
    customerId: newer.customerId ?? older.customerId,
    subscriptionId: newer.subscriptionId,
    eventCreated: newer.eventCreated,
  };
}
