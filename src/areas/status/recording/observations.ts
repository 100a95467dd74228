import { minuteMs } from '../../../lib/durations.ts';
import type { CheckState } from '../../health/monitor.ts';
import type { Health } from '../../health/service.ts';
import {
  type Builtin,
  builtinsOf,
  type StatusOverrides,
  type Observation,
  type ResolveObservation,
} from '../components/builtin.ts';
import { createDamper } from './damper.ts';
import type { StoredState } from './state-cache.ts';

export interface KnownObservation extends Observation {
  /** False until its check has completed once. */
  isKnown: boolean;
}

/** A response at `at` (Unix ms) that took `ms`. */
export interface ResponseSample {
  id: string;
  at: number;
  ms: number;
}

function toResponseSamples({
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

/** The results of health checks and probes of this process, by component. */
export function createObservations(
  health: Pick<Health, 'checks' | 'startedAt'>,
  overrides: StatusOverrides,
  stored: () => StoredState,
) {
  const probed = new Map<string, Observation>();
  const damp = createDamper();

  const resolve: ResolveObservation = (check, id, status) => {
    const { version, components } = stored();
    // Before the first read the recorded status is unknown.
    if (version < 0) return { status, since: check.changedAt };
    const record = components.find((each) => each.id === id);
    const recorded: Observation =
      record === undefined
        ? { status: 'operational', since: health.startedAt }
        : { status: record.checkStatus, since: record.checkSince };
    return damp(check, status, recorded);
  };

  const builtins = (): Builtin[] => builtinsOf(health.checks(), overrides, resolve);

  return {
    builtins,

    /** Observations by component id. */
    observations(): Map<string, KnownObservation> {
      const found = new Map<string, KnownObservation>(builtins().map((each) => [each.id, each]));
      for (const [id, observation] of probed) found.set(id, { ...observation, isKnown: true });
      return found;
    },

    /**
     * When the stores and services were last checked, in Unix ms; null before the first check. To
     * the minute, so that clients who ask more often get 304 while nothing else has changed.
     */
    checkedAt(): number | null {
      const times = health
        .checks()
        .filter(({ isPublic, isKnown }) => isPublic && isKnown)
        .map(({ checkedAt }) => checkedAt);
      return times.length === 0 ? null : Math.floor(Math.max(...times) / minuteMs) * minuteMs;
    },

    /** Stores the result of a probe. Null removes it. */
    setProbed(id: string, observation: Observation | null): void {
      if (observation === null) probed.delete(id);
      else probed.set(id, observation);
    },

    probed: (): readonly string[] => [...probed.keys()],

    /** Response times of the stores in their last checks. */
    responseSamples: (): ResponseSample[] => health.checks().flatMap(toResponseSamples),
  };
}
