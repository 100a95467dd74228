import type { Clock } from '../../lib/clock.ts';
import { createLoopMeter } from './loop-meter.ts';
import { createMonitor } from './monitor.ts';
import type { Check, CheckOptions, CheckState, HealthStatus, Monitor } from './monitor.ts';

export interface Readiness {
  status: 'pass' | 'fail';
  draining: boolean;
  reason: 'starting' | 'draining' | 'check_failed' | null;
  /** Names of the gates that do not pass. */
  failing: string[];
}

interface SettingWarning {
  variable: string;
  message: string;
}

const rank = { pass: 0, warn: 1, fail: 2 };

const worstOf = (statuses: readonly HealthStatus[]): HealthStatus =>
  statuses.reduce((worst, status) => (rank[worst] >= rank[status] ? worst : status), 'pass');

/** Whether requests should be sent here, and if not, why. */
function readinessOf(checks: readonly CheckState[], draining: boolean): Readiness {
  const gates = checks.filter(({ gate }) => gate);
  const failing = gates
    .filter(({ status, isKnown }) => !isKnown || status === 'fail')
    .map(({ name }) => name);
  const cause = gates.some(({ isKnown }) => !isKnown) ? 'starting' : 'check_failed';
  const reason = draining ? 'draining' : failing.length > 0 ? cause : null;
  return { status: reason === null ? 'pass' : 'fail', draining, reason, failing };
}

export interface HealthOptions {
  clock: Clock;
  /** Protections that the settings turn off: admins are told, and no status changes. */
  warnings?: readonly SettingWarning[];
  intervalMs?: number;
  timeoutMs?: number;
}

/**
 * The state of the service, from checks that run on a timer: reading it does no I/O, so that probes
 * are cheap and can't be used to load the stores. A check never overlaps itself; one that hangs
 * counts as failed.
 */
export function createHealth({
  clock,
  warnings = [],
  intervalMs = 2000,
  timeoutMs = 1000,
}: HealthOptions) {
  const monitors: (Monitor & { intervalMs: number })[] = [];
  const timers: NodeJS.Timeout[] = [];
  const startedAt = clock.now();
  const loop = createLoopMeter(intervalMs);
  let draining = false;
  const states = () => monitors.map(({ state }) => state);

  return {
    startedAt,
    warnings,

    /** Adds a check. Call it before `start`. */
    register(name: string, check: Check, options: CheckOptions): void {
      const monitor = createMonitor(name, check, options, { clock, timeoutMs });
      monitors.push({ ...monitor, intervalMs: options.intervalMs ?? intervalMs });
    },

    /** Runs every check once, resolves when all have answered, and repeats them until `stop`. */
    async start(): Promise<void> {
      timers.push(setInterval(() => loop.sample(), intervalMs).unref());
      for (const { run, intervalMs: ms } of monitors)
        timers.push(setInterval(() => void run(), ms).unref());
      await Promise.all(monitors.map(({ run }) => run()));
    },

    stop: (): void => timers.splice(0).forEach((timer) => clearInterval(timer)),

    /** From now on the service is not ready: no new requests, please. */
    drain(): void {
      draining = true;
    },

    isDraining: (): boolean => draining,

    /** How much of the last interval the event loop was busy, in percent. */
    loopPercent: loop.percent,

    /** How late the last timer was: so long at least the event loop did nothing else. */
    loopLateMs: loop.lateMs,

    /** The last result of every check, in the order of registration. */
    checks: (): readonly CheckState[] => states(),

    /** The worst of all checks; a check that has not run yet, and draining, count as `warn`. */
    status: (): HealthStatus =>
      worstOf([draining ? 'warn' : 'pass', ...states().map(({ status }) => status)]),

    ready: (): Readiness => readinessOf(states(), draining),
  };
}

export type Health = ReturnType<typeof createHealth>;
