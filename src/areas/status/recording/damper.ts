import type { CheckState } from '../../health/monitor.ts';
import type { Observation } from '../components/builtin.ts';
import type { ComponentStatus } from '../model.ts';
import { worse } from '../history/uptime.ts';

/** The reported result of a check, and its last raw result. */
export interface Damped {
  shown: Observation;
  last: Observation;
}

const isWorse = (a: ComponentStatus, b: ComponentStatus): boolean => a !== b && worse(a, b) === a;

/**
 * Applies a result, with its time in `since` (Unix ms), to the damped state. An improvement is
 * reported at once. A deterioration needs two results in a row, since a single one is often the
 * network: the better of the two is reported, from the time of the first.
 */
export function damp({ shown, last }: Damped, result: Observation): Damped {
  if (result.status === shown.status) return { shown, last: result };
  if (!isWorse(result.status, shown.status)) return { shown: result, last: result };
  if (!isWorse(last.status, shown.status)) return { shown, last: result };
  const status = isWorse(last.status, result.status) ? result.status : last.status;
  return { shown: { status, since: last.since }, last: result };
}

/** Damps health checks. Results may be passed repeatedly; `checkedAt` identifies new ones. */
export function createDamper() {
  const known = new Map<string, Damped & { checkedAt: number }>();

  /** `recorded` is the stored status, used before the first result of a check. */
  return (
    { name, checkedAt }: CheckState,
    status: ComponentStatus,
    recorded: Observation,
  ): Observation => {
    const before = known.get(name) ?? { shown: recorded, last: recorded, checkedAt: undefined };
    if (before.checkedAt !== checkedAt)
      known.set(name, { ...damp(before, { status, since: checkedAt }), checkedAt });
    return known.get(name)?.shown ?? recorded;
  };
}
