import type { AuditAction } from '../../audit/actions.ts';
import { statusErrors } from '../errors.ts';
import type { Affected, Incident } from './store.ts';
import type { Impact, IncidentState, MaintenanceStatus } from '../model.ts';

/** Event types published to clients. */
export type StatusEvent =
  | 'incident.created'
  | 'incident.updated'
  | 'incident.resolved'
  | 'incident.deleted'
  | 'maintenance.scheduled'
  | 'maintenance.started'
  | 'maintenance.completed'
  | 'maintenance.updated'
  | 'maintenance.deleted';

/** The event and the audit action of a change. */
export interface Step {
  event: StatusEvent;
  action: AuditAction;
}

const order: readonly string[] = [
  'scheduled',
  'in_progress',
  'verifying',
  'completed',
] satisfies readonly MaintenanceStatus[];

/**
 * Resolved incidents can be reopened, except those recorded for a downtime of the service itself.
 * Throws `status.incident_over`, `.incident_open`.
 */
function incidentStep({ resolvedAt, source }: Incident, to: string): Step {
  if (resolvedAt !== null && (to === 'resolved' || (source === 'downtime' && to !== 'postmortem')))
    throw statusErrors.incident_over();
  if (resolvedAt === null && to === 'postmortem') throw statusErrors.incident_open();
  return to === 'resolved'
    ? { event: 'incident.resolved', action: 'status.incident_resolved' }
    : { event: 'incident.updated', action: 'status.incident_updated' };
}

/** Throws `status.maintenance_over`, `.maintenance_running`. */
function maintenanceStep({ status }: IncidentState, to: string): Step {
  if (status === 'completed') throw statusErrors.maintenance_over();
  if (to === 'scheduled' && status !== 'scheduled') throw statusErrors.maintenance_running();
  if (to === 'completed')
    return { event: 'maintenance.completed', action: 'status.maintenance_completed' };
  if (status === 'scheduled' && order.indexOf(to) > 0)
    return { event: 'maintenance.started', action: 'status.maintenance_started' };
  return { event: 'maintenance.updated', action: 'status.maintenance_updated' };
}

/** Returns the step to the status `to`. Throws when it is not allowed. */
export const nextState = (before: Incident, to: string): Step =>
  before.kind === 'incident' ? incidentStep(before, to) : maintenanceStep(before, to);

/** Derives the impact of an incident from its affected components. */
export function impactOf(affected: readonly Affected[]): Impact {
  if (affected.some(({ status }) => status === 'major_outage')) return 'critical';
  if (affected.some(({ status }) => status === 'partial_outage')) return 'major';
  return affected.some(({ status }) => status === 'degraded_performance') ? 'minor' : 'none';
}
