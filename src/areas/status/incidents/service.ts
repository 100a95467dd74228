import { systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AuditActor } from '../../audit/service.ts';
import { statusErrors } from '../errors.ts';
import type {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
  UpdateIncidentBody,
} from './schemas.incidents.ts';
import {
  deleteIncident,
  editIncident,
  getIncident,
  type IncidentDeps,
  type IncidentQuery,
  insertIncident,
  listIncidents,
  newIncident,
  recordAudit,
  updateEdit,
} from './incident-changes.ts';
import { type Incident, incidentStore } from './store.ts';

function createIncident(
  deps: IncidentDeps,
  { name, status, impact, body, components }: CreateIncidentBody,
  actor: AuditActor,
): Promise<Incident> {
  const incident = newIncident('incident', deps.clock.now(), {
    status,
    body,
    affected: components,
  });
  return insertIncident(
    deps,
    { ...incident, name, impact: impact ?? incident.impact },
    { event: 'incident.created', action: 'status.incident_created' },
    actor,
  );
}

const updateIncident = (
  deps: IncidentDeps,
  id: string,
  { name, impact, components }: UpdateIncidentBody,
  actor: AuditActor,
): Promise<Incident> =>
  editIncident(deps, 'incident', id, actor, (before) => {
    if (before.resolvedAt !== null && components !== undefined) throw statusErrors.incident_over();
    return {
      event: 'incident.updated',
      action: 'status.incident_changed',
      at: deps.clock.now(),
      set: { name, impact },
      affected: components,
    };
  });

/** Incidents entered by admins. Each change commits together with its audit entry and spans. */
export function createIncidents(deps: IncidentDeps) {
  const { db, audit, clock } = deps;
  return {
    /** Throws a RequestValidationError for components that do not exist. */
    create: (body: CreateIncidentBody, actor: AuditActor): Promise<Incident> =>
      createIncident(deps, body, actor),

    /** Throws `status.incident_not_found`, `.incident_over`. */
    update: (id: string, body: UpdateIncidentBody, actor: AuditActor): Promise<Incident> =>
      updateIncident(deps, id, body, actor),

    /** Throws `status.incident_not_found`, `.incident_over`, `.incident_open`, and as `create`. */
    createUpdate: (
      id: string,
      { status, body, components: affected }: CreateIncidentUpdateBody,
      actor: AuditActor,
    ): Promise<Incident> =>
      editIncident(deps, 'incident', id, actor, (before) =>
        updateEdit(before, { status, body, affected }, clock.now()),
      ),

    /** Deletes an incident with its updates and spans. Throws `status.incident_not_found`. */
    delete: (id: string, actor: AuditActor): Promise<void> =>
      deleteIncident(deps, 'incident', id, actor),

    /** Throws `status.incident_not_found`. */
    get: (id: string): Promise<Incident> => getIncident(db, 'incident', id),

    list: (query: IncidentQuery, signal?: AbortSignal) =>
      listIncidents(db, 'incident', query, signal),

    /** Inserts an incident for a downtime of the service itself. Publish it after the commit. */
    async insertDowntime(transaction: Database, incident: Incident): Promise<void> {
      await incidentStore.insert(transaction, incident);
      await recordAudit(transaction, audit, 'status.incident_created', incident, systemActor);
    },
  };
}

export type Incidents = ReturnType<typeof createIncidents>;
