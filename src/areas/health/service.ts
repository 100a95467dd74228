import type { Clock } from '../../lib/clock.ts';
import { createLoopMeter } from './loop-meter.ts';
import { createMonitor } from './monitor.ts';
import type { Check, CheckOptions, CheckState, HealthStatus, Monitor } from './monitor.ts';

export interface Readiness {
  status: 'pass' | 'fail';
  draining: boolean;
  reason: 'starting' | 'draining' | 'check_failed' | null;
  /** Names of the failing gates. */
  failing: string[];
}

interface SettingWarning {
  variable: string;
  message: string;
}

const rank = { pass: 0, warn: 1, fail: 2 };

const worstOf = (statuses: readonly HealthStatus[]): HealthStatus =>
  statuses.reduce((worst, status) => (rank[worst] >= rank[status] ? worst : status), 'pass');

/** Returns whether this replica should get requests, and if not, why. */
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
  /** Protections that the settings turn off. Shown to admins, without effect on the status. */
  warnings?: readonly SettingWarning[];
  intervalMs?: number;
  timeoutMs?: number;
}

/**
 * The health of the service, from checks that run on timers. Reading it does no I/O, so that probes
 * are cheap and can't be used to load the stores. Runs of a check never overlap; a check that times
 * out counts as failed.
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

    /** Registers a check. Call it before `start`. */
    register(name: string, check: Check, options: CheckOptions): void {
      const monitor = createMonitor(name, check, options, { clock, timeoutMs });
      monitors.push({ ...monitor, intervalMs: options.intervalMs ?? intervalMs });
    },

    /** Runs every check once, resolves when all are done, and repeats them until `stop`. */
    async start(): Promise<void> {
      timers.push(setInterval(() => loop.sample(), intervalMs).unref());
      for (const { run, intervalMs: ms } of monitors)
        timers.push(setInterval(() => void run(), ms).unref());
      await Promise.all(monitors.map(({ run }) => run()));
    },

    stop: (): void => timers.splice(0).forEach((timer) => clearInterval(timer)),

    /** Makes the service not ready, so that load balancers send no new requests. */
    drain(): void {
      draining = true;
    },

    isDraining: (): boolean => draining,

    /** Utilization of the event loop in the last interval, in percent. */
    loopPercent: loop.percent,

    /** How late the last timer fired, in ms: the event loop was blocked for at least that long. */
    loopLateMs: loop.lateMs,

    /** The last result of every check, in the order of registration. */
    checks: (): readonly CheckState[] => states(),

    /** The worst status of all checks. Draining and checks that have not run count as `warn`. */
    status: (): HealthStatus =>
      worstOf([draining ? 'warn' : 'pass', ...states().map(({ status }) => status)]),

    ready: (): Readiness => readinessOf(states(), draining),
  };
}

export type Health = ReturnType<typeof createHealth>;
