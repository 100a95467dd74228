import type { CheckState } from '../../health/monitor.ts';
import { type ComponentRecord, defaultSettings } from './store.ts';
import type { ComponentStatus } from '../model.ts';
import { worse } from '../history/uptime.ts';

/** The status of a component according to its check. */
export interface Observation {
  status: ComponentStatus;
  /** Unix ms. */
  since: number;
}

/** A component that the health checks of the service cover. */
export interface Builtin extends Observation {
  id: string;
  name: string;
  /** False until its check has completed once. */
  isKnown: boolean;
}

/** Functions that replace the status of the health check, by component id. */
export type StatusOverrides = Readonly<Partial<Record<string, () => ComponentStatus>>>;

/** Ids that other components may not use, even when the built-in component does not exist. */
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

/** The component of a check: `database` for `database:responseTime`. */
function componentIdOf({ name }: CheckState): string {
  const [part = name] = name.split(':', 1);
  return part === 'queues' ? 'jobs' : part;
}

/** Returns the reported status for a completed check, for example after damping. */
export type ResolveObservation = (
  check: CheckState,
  id: string,
  status: ComponentStatus,
) => Observation;

/** Returns the components of the health checks, in order, with the status of the worst check. */
export function builtinsOf(
  checks: readonly CheckState[],
  overrides: StatusOverrides,
  resolve: ResolveObservation,
): Builtin[] {
  const found = new Map<string, Builtin>();
  for (const check of checks.filter(({ isPublic }) => isPublic)) {
    const id = componentIdOf(check);
    const result = overrides[id]?.() ?? componentStatus[check.isKnown ? check.status : 'warn'];
    const { status, since } = check.isKnown
      ? resolve(check, id, result)
      : { status: result, since: check.changedAt };
    const before = found.get(id);
    if (before === undefined)
      found.set(id, { id, name: check.title, status, since, isKnown: check.isKnown });
    else if (status !== before.status && worse(status, before.status) === status)
      found.set(id, { ...before, status, since, isKnown: before.isKnown && check.isKnown });
  }
  return [...found.values()];
}

/** Creates the record of a built-in component that is not stored yet. */
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
