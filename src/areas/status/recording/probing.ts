import type { Clock } from '../../../lib/clock.ts';
import type { ComponentRecord } from '../components/component-store.ts';
import type { ComponentStatus } from '../model.ts';
import { damp, type Damped } from './damping.ts';
import { probe } from './probe.ts';
import { createResponseTimes, type ResponseTimes } from './response-times.ts';
import type { StateCache } from './state-cache.ts';

/** Probes that run at the same time. */
const maxConcurrent = 10;

export interface ProbingDeps {
  cache: Pick<
    StateCache,
    'components' | 'observations' | 'setProbed' | 'probed' | 'responseSamples'
  >;
  clock: Clock;
}

/** The turns of one component. */
interface Schedule {
  /** Unix ms. */
  dueAt: number;
  /** Undefined before the first result. */
  known: Damped | undefined;
  /** Another target begins a new schedule. */
  target: string | null;
}

/** Also when the clock was set back: nobody waits longer than an interval. */
const isDue = ({ settings }: ComponentRecord, { dueAt }: Schedule, now: number): boolean =>
  dueAt <= now || dueAt > now + settings.interval_s * 1000;

function setResult(
  cache: ProbingDeps['cache'],
  { id, checkStatus, checkSince }: ComponentRecord,
  schedule: Schedule,
  status: ComponentStatus,
  at: number,
): void {
  const before = cache.observations().get(id) ?? { status: checkStatus, since: checkSince };
  schedule.known = damp(schedule.known ?? { shown: before, last: before }, { status, since: at });
  cache.setProbed(id, schedule.known.shown);
}

/** Runs the probes of components when they are due. */
function createProbeRunner({ cache, clock }: ProbingDeps, times: ResponseTimes) {
  const schedules = new Map<string, Schedule>();
  const running = new Map<string, Promise<void>>();

  async function run(component: ComponentRecord, schedule: Schedule): Promise<void> {
    const at = clock.now();
    const { isGood, ms } = await probe(component);
    // It was changed or deleted meanwhile, or another replica probes now.
    if (schedules.get(component.id) !== schedule) return;
    if (isGood) times.add(component.id, at, ms);
    const speed = ms > component.settings.timeout_ms / 2 ? 'degraded_performance' : 'operational';
    setResult(cache, component, schedule, isGood ? speed : 'major_outage', at);
  }

  /** The component's schedule: a new one for a new target. */
  function scheduleOf({ id, target }: ComponentRecord): Schedule {
    const known = schedules.get(id);
    if (known?.target === target) return known;
    const schedule: Schedule = { dueAt: 0, known: undefined, target };
    schedules.set(id, schedule);
    return schedule;
  }

  /** Starts the probe of a component if it is due, and there is room. */
  function startIfDue(component: ComponentRecord, schedule: Schedule, now: number): void {
    const isFree = running.size < maxConcurrent && !running.has(component.id);
    if (!isFree || !isDue(component, schedule, now)) return;
    schedule.dueAt = now + component.settings.interval_s * 1000;
    const work = run(component, schedule).finally(() => running.delete(component.id));
    running.set(component.id, work);
  }

  return { schedules, running, scheduleOf, startIfDue };
}

/** Probes the components that admins have added, each on its interval. */
export function createProbing(deps: ProbingDeps) {
  const { cache, clock } = deps;
  const times = createResponseTimes();
  const sampledAt = new Map<string, number>();
  const { schedules, running, scheduleOf, startIfDue } = createProbeRunner(deps, times);

  return {
    /** Starts the probes that are due. Call it every second. */
    runDue(): void {
      const now = clock.now();
      const components = cache.components().filter(({ source }) => source !== 'builtin');
      for (const id of schedules.keys()) {
        if (components.some((component) => component.id === id)) continue;
        schedules.delete(id);
        cache.setProbed(id, null);
      }
      // Who has waited longest comes first: targets that never answer must not starve the others.
      components
        .map((component) => ({ component, schedule: scheduleOf(component) }))
        .sort((a, b) => a.schedule.dueAt - b.schedule.dueAt)
        .forEach(({ component, schedule }) => startIfDue(component, schedule, now));
    },

    /** Adds each new response time of the stores. Call it every second. */
    recordResponseTimes(): void {
      for (const { id, at, ms } of cache.responseSamples()) {
        if (sampledAt.get(id) !== at) times.add(id, at, ms);
        sampledAt.set(id, at);
      }
    },

    /** Another replica probes from now on. */
    reset(): void {
      schedules.clear();
      times.clear();
      for (const id of cache.probed()) cache.setProbed(id, null);
    },

    takeTimes: times.take,
    putBackTimes: times.putBack,

    /** Resolves when no probe is under way. */
    settled: async (): Promise<void> => {
      await Promise.all(running.values());
    },
  };
}

export type Probing = ReturnType<typeof createProbing>;
