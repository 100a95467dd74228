import type { CheckState } from '../../health/monitor.ts';
import type { Observation } from './builtin.ts';
import type { ComponentStatus } from '../model.ts';
import { worse } from './uptime.ts';

/** What a check is taken to say, and what it said last. */
export interface Damped {
  shown: Observation;
  last: Observation;
}

const isWorse = (a: ComponentStatus, b: ComponentStatus): boolean => a !== b && worse(a, b) === a;

/**
 * What a check is taken to say after one more result; `since` is the result's time (Unix ms).
 * Better at once. Worse when two results in a row are: as bad as the better of the two, from the
 * first of them on. One alone is often the network between.
 */
export function damp({ shown, last }: Damped, result: Observation): Damped {
  if (result.status === shown.status) return { shown, last: result };
  if (!isWorse(result.status, shown.status)) return { shown: result, last: result };
  if (!isWorse(last.status, shown.status)) return { shown, last: result };
  const status = isWorse(last.status, result.status) ? result.status : last.status;
  return { shown: { status, since: last.since }, last: result };
}

/** The same for health checks, whose results are looked at every second, and oftener. */
export function createDamping() {
  const known = new Map<string, Damped & { checkedAt: number }>();

  /** `recorded`: what the component was when nothing had been seen of it here. */
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
