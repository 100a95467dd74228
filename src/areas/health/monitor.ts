import type { Clock } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { AppError } from '../../platform/errors/errors.ts';

export type HealthStatus = 'pass' | 'warn' | 'fail';

/** What a check found. Without a status it passed. */
export interface CheckResult {
  status?: HealthStatus;
  observedValue?: number | string;
  observedUnit?: string;
  /** Why it did not pass. Shown to admins only. */
  output?: string;
}

export type Check = (signal: AbortSignal) => Promise<CheckResult>;

export interface CheckOptions {
  /** What people call the component on the status page. */
  title: string;
  componentType?: 'component' | 'datastore' | 'system';
  /** What it means when the check throws or takes too long. Default `fail`. */
  onError?: 'warn' | 'fail';
  /** While it fails this replica is not ready. Only for what another replica can do. */
  gate?: boolean;
  /** False: for those who run the service, and no component of the status page. Default true. */
  isPublic?: boolean;
  /** Milliseconds between two runs. Default: the registry's. */
  intervalMs?: number;
  /** URI templates (RFC 6570) of what does not work without it. */
  affectedEndpoints?: readonly string[];
  /** Where to read on: link relations (RFC 8288) and addresses. */
  links?: Readonly<Record<string, string>>;
}

export interface CheckState {
  /** `component:measurement`, as in draft-inadarei-api-health-check. */
  name: string;
  title: string;
  componentType: 'component' | 'datastore' | 'system';
  gate: boolean;
  isPublic: boolean;
  affectedEndpoints: readonly string[];
  links: Readonly<Record<string, string>> | undefined;
  status: HealthStatus;
  /** False until the first run has ended. */
  isKnown: boolean;
  /** Unix ms of the last run, and of the last time the status became another one. */
  checkedAt: number;
  changedAt: number;
  result: CheckResult;
}

function outputOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error
    ? (cause.message.split('\n')[0] ?? '').slice(0, 200)
    : 'unknown error';
}

/** One check with its last result. `run` never overlaps itself. */
export function createMonitor(
  name: string,
  check: Check,
  options: CheckOptions,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
) {
  const state: CheckState = {
    name,
    title: options.title,
    componentType: options.componentType ?? 'component',
    gate: options.gate ?? false,
    isPublic: options.isPublic ?? true,
    affectedEndpoints: options.affectedEndpoints ?? [],
    links: options.links,
    status: 'warn',
    isKnown: false,
    checkedAt: clock.now(),
    changedAt: clock.now(),
    result: {},
  };
  let running: Promise<void> | undefined;

  function record(result: CheckResult): void {
    const status = result.status ?? 'pass';
    const now = clock.now();
    if (!state.isKnown || state.status !== status) state.changedAt = now;
    Object.assign(state, { status, result, checkedAt: now, isKnown: true });
  }

  async function runOnce(): Promise<void> {
    const controller = new AbortController();
    const answer = (async () => check(controller.signal))();
    const failed = (error: unknown): CheckResult => ({
      status: options.onError ?? 'fail',
      output: outputOf(error),
    });
    const onTimeout = () => {
      controller.abort();
      throw new Error(`no answer within ${timeoutMs} ms`);
    };
    record(await withTimeout(answer, timeoutMs, onTimeout).catch(failed));
    const free = () => {
      running = undefined;
    };
    void answer.then(free, free);
  }

  return { state, run: (): Promise<void> => (running ??= runOnce()) };
}

export type Monitor = ReturnType<typeof createMonitor>;
