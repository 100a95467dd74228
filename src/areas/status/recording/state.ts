import type { Observation } from '../components/builtin.ts';
import type { ComponentRecord } from '../components/store.ts';
import { isActive, isMaintained } from '../incidents/activity.ts';
import type { Incident } from '../incidents/store.ts';
import type { StoredState } from './state-cache.ts';
import type { ComponentState, ComponentStatus, StatusState } from '../model.ts';
import { overall } from '../overall.ts';
import { daysOf, uptimeOf, worse } from '../history/uptime.ts';

/** What the checks of this process have found. */
interface Checked {
  observed: ReadonlyMap<string, Observation>;
  checkedAt: number | null;
}

/** Returns the worst of check and open incidents. Running maintenance replaces the check. */
function statusOf(
  componentId: string,
  check: ComponentStatus,
  incidents: readonly Incident[],
): ComponentStatus {
  const active = incidents.filter((each) => isActive(each));
  const statuses = active.flatMap(({ affected }) =>
    affected.filter(({ id }) => id === componentId).map(({ status }) => status),
  );
  return statuses.reduce(worse, isMaintained(active, componentId) ? 'operational' : check);
}

function toComponent(
  record: ComponentRecord,
  observed: Observation | undefined,
  { spans, incidents, responseTimes }: StoredState,
  now: number,
): ComponentState {
  const check = observed?.status ?? record.checkStatus;
  // Prefer the recorded time, which is the same on every replica.
  const since =
    observed === undefined || observed.status === record.checkStatus
      ? record.checkSince
      : observed.since;
  const own = incidents.filter(({ components }) => components.includes(record.id));
  const days = daysOf({
    intervals: spans.filter(({ componentId }) => componentId === record.id),
    createdAt: record.createdAt,
    now,
  });
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    group: record.group,
    position: record.position,
    status: statusOf(record.id, check, incidents),
    onlyShowIfDegraded: record.onlyShowIfDegraded,
    createdAt: record.createdAt,
    updatedAt: Math.max(record.updatedAt, since, ...own.map(({ updatedAt }) => updatedAt)),
    days,
    uptime: uptimeOf(days, record.createdAt, now),
    responseTimes: responseTimes
      .filter(({ componentId }) => componentId === record.id)
      .map(({ hour, count, sumMs }) => ({ at: hour, ms: sumMs / count })),
  };
}

/**
 * Builds the public state. `observed` has the current results of the checks of this process,
 * `checkedAt` when they were made; `now` is Unix ms.
 */
export function buildState(
  loaded: StoredState,
  { observed, checkedAt }: Checked,
  now: number,
): StatusState {
  const components = loaded.components.map((record) =>
    toComponent(record, observed.get(record.id), loaded, now),
  );
  const isOpen = ({ resolvedAt }: Incident) => resolvedAt === null;
  const incidents = loaded.incidents.filter((each) => each.kind === 'incident' && isOpen(each));
  const maintenances = loaded.incidents
    .filter((each) => each.kind === 'maintenance' && isOpen(each))
    .sort((a, b) => (a.scheduledFor ?? 0) - (b.scheduledFor ?? 0));
  const impacts = [
    ...incidents.map(({ impact }) => impact),
    ...maintenances.filter(isActive).map(() => 'maintenance' as const),
  ];
  return {
    ...overall(
      components.map(({ status }) => status),
      impacts,
    ),
    components,
    incidents,
    maintenances,
    history: loaded.incidents.filter((each) => !isOpen(each)),
    updatedAt: Math.max(
      0,
      ...components.map(({ updatedAt }) => updatedAt),
      ...loaded.incidents.map(({ updatedAt }) => updatedAt),
    ),
    checkedAt,
  };
}
