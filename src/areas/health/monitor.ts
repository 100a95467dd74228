import type { Clock } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { AppError } from '../../platform/errors/errors.ts';

export type HealthStatus = 'pass' | 'warn' | 'fail';

/** The result of a check. Without a status it passed. */
export interface CheckResult {
  status?: HealthStatus;
  observedValue?: number | string;
  observedUnit?: string;
  /** Why it did not pass. Shown to admins only. */
  output?: string;
}

export type Check = (signal: AbortSignal) => Promise<CheckResult>;

export interface CheckOptions {
  /** Name of the component on the status page. */
  title: string;
  componentType?: 'component' | 'datastore' | 'system';
  /** Status when the check throws or times out. Default `fail`. */
  onError?: 'warn' | 'fail';
  /** The replica is not ready while the check fails. Only for faults of this replica alone. */
  gate?: boolean;
  /** False: for operators only, not on the status page. Default true. */
  isPublic?: boolean;
  /** Milliseconds between two runs. Default: the registry's. */
  intervalMs?: number;
  /** URI templates (RFC 6570) of the endpoints that depend on it. */
  affectedEndpoints?: readonly string[];
  /** Further reading: link relations (RFC 8288) and URLs. */
  links?: Readonly<Record<string, string>>;
}

export interface CheckState extends Required<
  Omit<CheckOptions, 'onError' | 'intervalMs' | 'links'>
> {
  /** `component:measurement`, as in draft-inadarei-api-health-check. */
  name: string;
  links: Readonly<Record<string, string>> | undefined;
  status: HealthStatus;
  /** False until the first run has ended. */
  isKnown: boolean;
  /** Unix ms of the last run, and of the last change of the status. */
  checkedAt: number;
  changedAt: number;
  result: CheckResult;
  /** The last measured numbers, oldest first; none for a check that measures no number. */
  recent: readonly number[];
}

/** Numbers that are kept of each check. */
const maxRecent = 60;

function describeError(error: unknown): string {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error
    ? (cause.message.split('\n')[0] ?? '').slice(0, 200)
    : 'unknown error';
}

/** Runs one check and keeps its last result. Runs never overlap. */
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
    recent: [],
  };
  let running: Promise<void> | undefined;

  function record(result: CheckResult): void {
    const status = result.status ?? 'pass';
    const now = clock.now();
    if (!state.isKnown || state.status !== status) state.changedAt = now;
    const { observedValue: value } = result;
    const recent =
      typeof value === 'number' ? [...state.recent, value].slice(-maxRecent) : state.recent;
    Object.assign(state, { status, result, recent, checkedAt: now, isKnown: true });
  }

  async function runOnce(): Promise<void> {
    const controller = new AbortController();
    const answer = (async () => check(controller.signal))();
    const failed = (error: unknown): CheckResult => ({
      status: options.onError ?? 'fail',
      output: describeError(error),
    });
    const onTimeout = () => {
      controller.abort();
      throw new Error(`no answer within ${timeoutMs} ms`);
    };
    record(await withTimeout(answer, timeoutMs, onTimeout).catch(failed));
    const release = () => {
      running = undefined;
    };
    void answer.then(release, release);
  }

  return { state, run: (): Promise<void> => (running ??= runOnce()) };
}

export type Monitor = ReturnType<typeof createMonitor>;
