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
  createIncidentChanges,
  type IncidentParts,
  newIncident,
  updateEdit,
} from './incident-changes.ts';
import { type Incident, incidentStore } from './store.ts';

/** Incidents entered by admins. Each change commits together with its audit entry and spans. */
export function createIncidents(parts: IncidentParts) {
  const { clock } = parts;
  const changes = createIncidentChanges('incident', parts);
  const { insert, edit, recordAudit, delete: remove, get, list } = changes;
  return { create, update, createUpdate, delete: remove, get, list, insertDowntime };

  /** Throws a RequestValidationError for components that do not exist. */
  function create(
    { name, status, impact, body, components }: CreateIncidentBody,
    actor: AuditActor,
  ): Promise<Incident> {
    const incident = newIncident('incident', clock.now(), { status, body, affected: components });
    return insert(
      { ...incident, name, impact: impact ?? incident.impact },
      { event: 'incident.created', action: 'status.incident_created' },
      actor,
    );
  }

  /** Throws `status.incident_not_found`, `.incident_over`. */
  function update(
    id: string,
    { name, impact, components }: UpdateIncidentBody,
    actor: AuditActor,
  ): Promise<Incident> {
    return edit(id, actor, (before) => {
      if (before.resolvedAt !== null && components !== undefined)
        throw statusErrors.incident_over();
      return {
        event: 'incident.updated',
        action: 'status.incident_changed',
        at: clock.now(),
        set: { name, impact },
        affected: components,
      };
    });
  }

  /** Throws `status.incident_not_found`, `.incident_over`, `.incident_open`, and as `create`. */
  function createUpdate(
    id: string,
    { status, body, components: affected }: CreateIncidentUpdateBody,
    actor: AuditActor,
  ): Promise<Incident> {
    return edit(id, actor, (before) => updateEdit(before, { status, body, affected }, clock.now()));
  }

  /** Inserts an incident for a downtime of the service itself. Publish it after the commit. */
  async function insertDowntime(transaction: Database, incident: Incident): Promise<void> {
    await incidentStore.insert(transaction, incident);
    await recordAudit(transaction, 'status.incident_created', incident, systemActor);
  }
}

export type Incidents = ReturnType<typeof createIncidents>;
