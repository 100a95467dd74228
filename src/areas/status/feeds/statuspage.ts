import type { ComponentState, IncidentState, StatusState, UpdateState } from '../model.ts';
import { worse } from '../history/uptime.ts';
import { knownUntil } from '../overall.ts';
import { type Component, Incident, Maintenance, type StatusSummary } from '../schemas.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** The colon prevents collisions: ids of components have none. */
const toGroupId = (name: string): string => `group:${encodeURIComponent(name.toWellFormed())}`;

/** Converts a component to the Statuspage format. */
export const toStatuspageComponent = ({
  id,
  name,
  description,
  group,
  position,
  status,
  onlyShowIfDegraded,
  createdAt,
  updatedAt,
}: ComponentState): Component => ({
  id,
  name,
  description,
  status,
  group: false,
  group_id: group === null ? null : toGroupId(group),
  position,
  only_show_if_degraded: onlyShowIfDegraded,
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
});

const toUpdate = ({ id, status, body, createdAt, displayAt }: UpdateState) => ({
  id,
  status,
  body,
  created_at: iso(createdAt),
  display_at: iso(displayAt),
});

/** Converts an incident or maintenance with its components to the Statuspage format. */
export function toStatuspageIncident(
  incident: IncidentState,
  components: readonly ComponentState[],
): Incident | Maintenance {
  const {
    id,
    name,
    status,
    impact,
    createdAt,
    updatedAt,
    resolvedAt,
    scheduledFor,
    scheduledUntil,
    kind,
  } = incident;
  const same = {
    id,
    name,
    status,
    impact,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    resolved_at: isoOrNull(resolvedAt),
    incident_updates: incident.updates.map(toUpdate),
    components: components
      .filter((component) => incident.components.includes(component.id))
      .map(toStatuspageComponent),
  };
  if (kind === 'incident') return Incident.parse(same);
  return Maintenance.parse({
    ...same,
    scheduled_for: isoOrNull(scheduledFor),
    scheduled_until: isoOrNull(scheduledUntil),
  });
}

/** Statuspage lists groups as components too. */
function toGroups(components: readonly ComponentState[]): Component[] {
  const names = [...new Set(components.flatMap(({ group }) => group ?? []))];
  return names.map((name) => {
    const members = components.filter(({ group }) => group === name);
    const [first] = members;
    return {
      id: toGroupId(name),
      name,
      description: null,
      status: members.map(({ status }) => status).reduce(worse, 'operational'),
      group: true,
      group_id: null,
      position: first?.position ?? 1,
      only_show_if_degraded: false,
      created_at: iso(Math.min(...members.map(({ createdAt }) => createdAt))),
      updated_at: iso(Math.max(...members.map(({ updatedAt }) => updatedAt))),
      components: members.map(({ id }) => id),
    };
  });
}

/** Converts the state to the summary format of Atlassian Statuspage. */
export function toSummary(
  state: StatusState,
  { name, baseUrl }: { name: string; baseUrl: string },
): StatusSummary {
  const { components } = state;
  return {
    page: {
      id: 'platform-service',
      name,
      url: new URL('/status', baseUrl).href,
      time_zone: 'Etc/UTC',
      updated_at: iso(knownUntil(state)),
    },
    status: { indicator: state.indicator, description: state.description },
    components: [...components.map(toStatuspageComponent), ...toGroups(components)],
    incidents: state.incidents.map((each) =>
      Incident.parse(toStatuspageIncident(each, components)),
    ),
    scheduled_maintenances: state.maintenances.map((each) =>
      Maintenance.parse(toStatuspageIncident(each, components)),
    ),
  };
}
