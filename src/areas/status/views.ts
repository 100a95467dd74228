import type { ComponentRecord } from './components/component-store.ts';
import type { Incident } from './incidents/incident-store.ts';
import type { ComponentState } from './model.ts';
import type { ComponentView } from './components/schemas.components.ts';
import { IncidentView } from './incidents/schemas.incidents.ts';
import { MaintenanceView } from './incidents/schemas.maintenances.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** The admin view of a component. `state` is its public state. */
export const toComponentView = (
  {
    id,
    name,
    description,
    group,
    position,
    source,
    target,
    settings,
    onlyShowIfDegraded,
    checkStatus,
    createdAt,
    updatedAt,
  }: ComponentRecord,
  state: ComponentState | undefined,
): ComponentView => ({
  id,
  name,
  description,
  group,
  position,
  source,
  target,
  settings: source === 'builtin' ? null : settings,
  only_show_if_degraded: onlyShowIfDegraded,
  status: state?.status ?? checkStatus,
  uptime: state?.uptime ?? null,
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
});

function toView({
  id,
  name,
  status,
  impact,
  source,
  affected,
  createdAt,
  updatedAt,
  resolvedAt,
  scheduledFor,
  scheduledUntil,
  updates,
}: Incident) {
  return {
    id,
    name,
    status,
    impact,
    source,
    components: [...affected],
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    resolved_at: isoOrNull(resolvedAt),
    scheduled_for: isoOrNull(scheduledFor),
    scheduled_until: isoOrNull(scheduledUntil),
    incident_updates: updates.map((update) => ({
      id: update.id,
      status: update.status,
      body: update.body,
      created_at: iso(update.createdAt),
      display_at: iso(update.displayAt),
    })),
  };
}

export const toIncidentView = (incident: Incident) => IncidentView.parse(toView(incident));
export const toMaintenanceView = (incident: Incident) => MaintenanceView.parse(toView(incident));
