import type { CheckState } from '../../health/monitor.ts';
import { type ComponentRecord, defaultSettings } from '../components/component-store.ts';
import type { ComponentStatus } from '../model.ts';
import { worse } from './uptime.ts';

/** What is known of a component's check. */
export interface Observation {
  status: ComponentStatus;
  /** Unix ms. */
  since: number;
}

/** A component that the service checks itself. */
export interface Builtin extends Observation {
  id: string;
  name: string;
  /** False until its check has ended once. */
  isKnown: boolean;
}

/** Judges a component by more than its health check tells. */
export type Judges = Readonly<Partial<Record<string, () => ComponentStatus>>>;

/** Ids that no other component may have, also where one of them is not there. */
export const reservedIds: readonly string[] = [
  'database',
  'redis',
  'jobs',
  'analytics',
  'realtime',
  'email',
  'sms',
  'all',
  'overall',
  'status',
];

const componentStatus = {
  pass: 'operational',
  warn: 'degraded_performance',
  fail: 'major_outage',
} as const;

/** `database:responseTime` is of the component `database`. */
function idOf({ name }: CheckState): string {
  const [part = name] = name.split(':', 1);
  return part === 'queues' ? 'jobs' : part;
}

/** What a check that has ended at least once is taken to say of the component `id`. */
export type Settle = (check: CheckState, id: string, status: ComponentStatus) => Observation;

/** The components of the health checks, in order; the worst check of each counts. */
export function builtinsOf(
  checks: readonly CheckState[],
  judges: Judges,
  settle: Settle,
): Builtin[] {
  const found = new Map<string, Builtin>();
  for (const check of checks.filter(({ isPublic }) => isPublic)) {
    const id = idOf(check);
    const result = judges[id]?.() ?? componentStatus[check.isKnown ? check.status : 'warn'];
    const { status, since } = check.isKnown
      ? settle(check, id, result)
      : { status: result, since: check.changedAt };
    const before = found.get(id);
    if (before === undefined)
      found.set(id, { id, name: check.title, status, since, isKnown: check.isKnown });
    else if (status !== before.status && worse(status, before.status) === status)
      found.set(id, { ...before, status, since, isKnown: before.isKnown && check.isKnown });
  }
  return [...found.values()];
}

/** A built-in component as it is entered when it is seen for the first time. */
export const newBuiltin = (
  { id, name }: Pick<Builtin, 'id' | 'name'>,
  position: number,
  at: number,
): ComponentRecord => ({
  id,
  name,
  description: null,
  group: null,
  position,
  source: 'builtin',
  target: null,
  settings: defaultSettings,
  onlyShowIfDegraded: false,
  checkStatus: 'operational',
  checkSince: at,
  createdAt: at,
  updatedAt: at,
});
