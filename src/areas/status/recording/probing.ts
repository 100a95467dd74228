import type { Clock } from '../../../lib/clock.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { ComponentRecord } from '../components/component-store.ts';
import type { Memory } from './memory.ts';
import { type Damped, damped } from './damping.ts';
import type { ComponentStatus } from '../model.ts';
import { probe } from './probe.ts';
import type { ResponseTime } from './span-store.ts';

/** Requests at a time. */
const most = 10;

export interface ProbingDeps {
  memory: Pick<Memory, 'present' | 'observations' | 'probe' | 'probed' | 'measured'>;
  clock: Clock;
}

interface Turn {
  dueAt: number;
  /** Undefined before the first result. */
  known: Damped | undefined;
  /** What it was asked for: with another target everything begins anew. */
  target: string | null;
}

/** Checks the components that admins have added, each on its interval. */
export function createProbing({ memory, clock }: ProbingDeps) {
  const turns = new Map<string, Turn>();
  const running = new Map<string, Promise<void>>();
  let times = new Map<string, ResponseTime>();
  const measuredAt = new Map<string, number>();

  function measure(componentId: string, at: number, ms: number): void {
    const hour = Math.floor(at / hourMs) * hourMs;
    const key = `${componentId} ${hour}`;
    const { count, sumMs } = times.get(key) ?? { count: 0, sumMs: 0 };
    times.set(key, { componentId, hour, count: count + 1, sumMs: sumMs + ms });
  }

  function observe(
    { id, checkStatus, checkSince }: ComponentRecord,
    turn: Turn,
    status: ComponentStatus,
    at: number,
  ): void {
    const before = memory.observations().get(id) ?? { status: checkStatus, since: checkSince };
    turn.known = damped(turn.known ?? { shown: before, last: before }, { status, since: at });
    memory.probe(id, turn.known.shown);
  }

  async function run(component: ComponentRecord, turn: Turn): Promise<void> {
    const at = clock.now();
    const { isGood, ms } = await probe(component);
    // It was changed, deleted, or is somebody else's by now.
    if (turns.get(component.id) !== turn) return;
    if (isGood) measure(component.id, at, ms);
    const speed = ms > component.settings.timeout_ms / 2 ? 'degraded_performance' : 'operational';
    observe(component, turn, isGood ? speed : 'major_outage', at);
  }

  function turnOf({ id, target }: ComponentRecord): Turn {
    const known = turns.get(id);
    if (known?.target === target) return known;
    const turn: Turn = { dueAt: 0, known: undefined, target };
    turns.set(id, turn);
    return turn;
  }

  /** Also when the clock was set back: nobody waits longer than an interval. */
  const isDue = ({ settings }: ComponentRecord, { dueAt }: Turn, now: number): boolean =>
    dueAt <= now || dueAt > now + settings.interval_s * 1000;

  function begin(component: ComponentRecord, turn: Turn, now: number): void {
    turn.dueAt = now + component.settings.interval_s * 1000;
    running.set(
      component.id,
      run(component, turn).finally(() => running.delete(component.id)),
    );
  }

  return {
    /** Begins the checks that are due. Call it every second. */
    runDue(): void {
      const now = clock.now();
      const components = memory.present().filter(({ source }) => source !== 'builtin');
      for (const id of [...turns.keys()].filter(
        (each) => !components.some((component) => component.id === each),
      )) {
        turns.delete(id);
        memory.probe(id, null);
      }
      // Who has waited longest comes first: many that never answer must not keep the others from their turn.
      for (const { component, turn } of components
        .map((each) => ({ component: each, turn: turnOf(each) }))
        .sort((a, b) => a.turn.dueAt - b.turn.dueAt)) {
        if (isDue(component, turn, now) && running.size < most && !running.has(component.id))
          begin(component, turn, now);
      }
    },

    /** Notes how long the stores took to answer their checks. Call it every second. */
    noteMeasured(): void {
      for (const { id, at, ms } of memory.measured()) {
        if (measuredAt.get(id) !== at) measure(id, at, ms);
        measuredAt.set(id, at);
      }
    },

    /** Somebody else checks from now on. */
    forget(): void {
      turns.clear();
      times.clear();
      for (const id of memory.probed()) memory.probe(id, null);
    },

    /** What was measured since the last time this was called. */
    takeTimes(): ResponseTime[] {
      const taken = [...times.values()];
      times = new Map();
      return taken;
    },

    /** Puts back what could not be kept. */
    giveBack(taken: readonly ResponseTime[]): void {
      for (const each of taken) {
        const key = `${each.componentId} ${each.hour}`;
        const { count, sumMs } = times.get(key) ?? { count: 0, sumMs: 0 };
        times.set(key, { ...each, count: count + each.count, sumMs: sumMs + each.sumMs });
      }
    },

    /** Resolves when no check is under way. */
    settled: async (): Promise<void> => {
      await Promise.all(running.values());
    },
  };
}

export type Probing = ReturnType<typeof createProbing>;
