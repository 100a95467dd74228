import type { Clock } from '../../../lib/clock.ts';
import type { ComponentRecord } from '../components/store.ts';
import { damp, type Damped } from './damper.ts';
import { probe } from './probe.ts';
import { createResponseTimes } from './response-times.ts';
import type { StateCache } from './state-cache.ts';

/** Maximum number of concurrent probes. */
const maxConcurrent = 10;

type ProbedCache = Pick<
  StateCache,
  'components' | 'observations' | 'setProbed' | 'probed' | 'responseSamples'
>;

/** The probe schedule of one component. */
interface Schedule {
  /** Unix ms. */
  dueAt: number;
  /** Undefined before the first result. */
  known: Damped | undefined;
  /** A changed target starts a new schedule. */
  target: string | null;
}

/** The second condition handles a clock that was set back: no wait exceeds the interval. */
const isDue = ({ settings }: ComponentRecord, { dueAt }: Schedule, now: number): boolean =>
  dueAt <= now || dueAt > now + settings.interval_s * 1000;

/** Probes the components that admins have added, each at its interval. */
export function createProber({ cache, clock }: { cache: ProbedCache; clock: Clock }) {
  const times = createResponseTimes();
  const sampledAt = new Map<string, number>();
  const schedules = new Map<string, Schedule>();
  const running = new Map<string, Promise<void>>();
  return {
    runDue,
    recordResponseTimes,
    reset,
    takeTimes: times.take,
    putBackTimes: times.putBack,
    settled,
  };

  /** Starts the probes that are due. Call it every second. */
  function runDue(): void {
    const now = clock.now();
    const components = cache.components().filter(({ source }) => source !== 'builtin');
    for (const id of schedules.keys()) {
      if (components.some((component) => component.id === id)) continue;
      schedules.delete(id);
      cache.setProbed(id, null);
    }
    // Longest waiting first: targets that never respond must not starve the others.
    components
      .map((component) => ({ component, schedule: scheduleOf(component) }))
      .sort((a, b) => a.schedule.dueAt - b.schedule.dueAt)
      .forEach(({ component, schedule }) => startIfDue(component, schedule, now));
  }

  /** Records new response times of the stores. Call it every second. */
  function recordResponseTimes(): void {
    for (const { id, at, ms } of cache.responseSamples()) {
      if (sampledAt.get(id) !== at) times.add(id, at, ms);
      sampledAt.set(id, at);
    }
  }

  /** Drops all results, because another replica probes now. */
  function reset(): void {
    schedules.clear();
    times.clear();
    for (const id of cache.probed()) cache.setProbed(id, null);
  }

  /** Resolves when no probe is running. */
  async function settled(): Promise<void> {
    await Promise.all(running.values());
  }

  /** Returns the schedule of a component, or a new one when its target has changed. */
  function scheduleOf({ id, target }: ComponentRecord): Schedule {
    const known = schedules.get(id);
    if (known?.target === target) return known;
    const schedule: Schedule = { dueAt: 0, known: undefined, target };
    schedules.set(id, schedule);
    return schedule;
  }

  /** Starts the probe of a component if it is due and a slot is free. */
  function startIfDue(component: ComponentRecord, schedule: Schedule, now: number): void {
    const isFree = running.size < maxConcurrent && !running.has(component.id);
    if (!isFree || !isDue(component, schedule, now)) return;
    schedule.dueAt = now + component.settings.interval_s * 1000;
    const work = run(component, schedule).finally(() => running.delete(component.id));
    running.set(component.id, work);
  }

  async function run(component: ComponentRecord, schedule: Schedule): Promise<void> {
    const at = clock.now();
    const { isGood, ms } = await probe(component);
    // The component was changed or deleted meanwhile, or another replica probes now.
    if (schedules.get(component.id) !== schedule) return;
    if (isGood) times.add(component.id, at, ms);
    const speed = ms > component.settings.timeout_ms / 2 ? 'degraded_performance' : 'operational';
    const status = isGood ? speed : 'major_outage';
    const { id, checkStatus, checkSince } = component;
    const before = cache.observations().get(id) ?? { status: checkStatus, since: checkSince };
    schedule.known = damp(schedule.known ?? { shown: before, last: before }, { status, since: at });
    cache.setProbed(id, schedule.known.shown);
  }
}

export type Prober = ReturnType<typeof createProber>;
