import { IncidentView } from './schemas.incidents.ts';
import { MaintenanceView } from './schemas.maintenances.ts';
import type { Incident } from './store.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

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
