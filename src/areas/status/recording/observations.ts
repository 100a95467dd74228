import type { CheckState } from '../../health/monitor.ts';
import type { Health } from '../../health/service.ts';
import { type Builtin, builtinsOf, type Judges, type Observation, type Settle } from './builtin.ts';
import { createDamping } from './damping.ts';
import type { StoredState } from './state-cache.ts';

export interface KnownObservation extends Observation {
  /** False until its check has ended once. */
  isKnown: boolean;
}

/** An answer at `at` (Unix ms) that took `ms`. */
export interface ResponseSample {
  id: string;
  at: number;
  ms: number;
}

function responseSampleOf({
  name,
  componentType,
  isKnown,
  status,
  checkedAt,
  result: { observedValue: ms, observedUnit },
}: CheckState): ResponseSample[] {
  const hasAnswered = componentType === 'datastore' && isKnown && status !== 'fail';
  return hasAnswered && observedUnit === 'ms' && typeof ms === 'number'
    ? [{ id: name.split(':', 1)[0] ?? name, at: checkedAt, ms }]
    : [];
}

/** What the health checks and the requests of this process say of each component. */
export function createObservations(
  health: Pick<Health, 'checks' | 'startedAt'>,
  judges: Judges,
  stored: () => StoredState,
) {
  const probed = new Map<string, Observation>();
  const damp = createDamping();

  const settle: Settle = (check, id, status) => {
    const { version, components } = stored();
    // Before the first read nobody knows what the component was.
    if (version < 0) return { status, since: check.changedAt };
    const record = components.find((each) => each.id === id);
    const recorded: Observation =
      record === undefined
        ? { status: 'operational', since: health.startedAt }
        : { status: record.checkStatus, since: record.checkSince };
    return damp(check, status, recorded);
  };

  const builtins = (): Builtin[] => builtinsOf(health.checks(), judges, settle);

  return {
    builtins,

    /** By the component's id. */
    observations(): Map<string, KnownObservation> {
      const found = new Map<string, KnownObservation>(builtins().map((each) => [each.id, each]));
      for (const [id, observation] of probed) found.set(id, { ...observation, isKnown: true });
      return found;
    },

    /** Notes what a request to a component's target has found. Null: nothing is known any more. */
    setProbed(id: string, observation: Observation | null): void {
      if (observation === null) probed.delete(id);
      else probed.set(id, observation);
    },

    probed: (): readonly string[] => [...probed.keys()],

    /** How long the stores took to answer their last checks. */
    responseSamples: (): ResponseSample[] => health.checks().flatMap(responseSampleOf),
  };
}
