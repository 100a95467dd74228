import { systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../audit/service.ts';
import { statusErrors } from '../errors.ts';
import type {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  UpdateMaintenanceBody,
} from './schemas.maintenances.ts';
import {
  deleteIncident,
  editIncident,
  editIncidentIf,
  getIncident,
  type IncidentDeps,
  type IncidentQuery,
  insertIncident,
  listIncidents,
  newIncident,
  updateEdit,
  type UpdateInput,
} from './incident-changes.ts';
import type { Affected, Incident } from './store.ts';
import { invalidBody } from '../invalid-body.ts';

/** Timing of an automatic update. Both functions get the locked maintenance. */
export interface SystemUpdateTiming {
  /** Unix ms. */
  at: (before: Incident) => number;
  /** False: the update is no longer due and is not posted. */
  onlyIf: (before: Incident) => boolean;
}

const underMaintenance = (ids: readonly string[]): Affected[] =>
  ids.map((id) => ({ id, status: 'under_maintenance' }));

function createMaintenance(
  deps: IncidentDeps,
  { name, body, components, scheduled_for: from, scheduled_until: until }: CreateMaintenanceBody,
  actor: AuditActor,
): Promise<Incident> {
  const now = deps.clock.now();
  if (Date.parse(until) <= now)
    throw invalidBody(['scheduled_until'], 'must be in the future', until);
  const affected = underMaintenance(components);
  return insertIncident(
    deps,
    {
      ...newIncident('maintenance', now, { status: 'scheduled', body, affected }),
      name,
      impact: 'maintenance',
      scheduledFor: Date.parse(from),
      scheduledUntil: Date.parse(until),
    },
    { event: 'maintenance.scheduled', action: 'status.maintenance_scheduled' },
    actor,
  );
}

/**
 * Returns the times of the maintenance after a change. Throws `status.maintenance_over`,
 * `.maintenance_running`, or a RequestValidationError.
 */
function changedTimes(
  before: Incident,
  { scheduled_for: begin, scheduled_until: end }: UpdateMaintenanceBody,
  now: number,
): { scheduledFor: number; scheduledUntil: number } {
  const scheduledFor = begin === undefined ? (before.scheduledFor ?? 0) : Date.parse(begin);
  const scheduledUntil = end === undefined ? (before.scheduledUntil ?? 0) : Date.parse(end);
  if (before.status === 'completed') throw statusErrors.maintenance_over();
  if (begin !== undefined && before.status !== 'scheduled')
    throw statusErrors.maintenance_running();
  if (scheduledFor >= scheduledUntil)
    throw invalidBody(['scheduled_until'], 'must be after scheduled_for', end ?? null);
  if (end !== undefined && scheduledUntil <= now)
    throw invalidBody(['scheduled_until'], 'must be in the future', end);
  return { scheduledFor, scheduledUntil };
}

const updateMaintenance = (
  deps: IncidentDeps,
  id: string,
  body: UpdateMaintenanceBody,
  actor: AuditActor,
): Promise<Incident> =>
  editIncident(deps, 'maintenance', id, actor, (before) => {
    const { name, components } = body;
    const now = deps.clock.now();
    return {
      event: 'maintenance.updated',
      action: 'status.maintenance_changed',
      at: now,
      set: { name, ...changedTimes(before, body, now) },
      affected: components === undefined ? undefined : underMaintenance(components),
    };
  });

/** Planned maintenance. Each change commits together with its audit entry and spans. */
export function createMaintenances(deps: IncidentDeps) {
  const { db, clock } = deps;
  return {
    /**
     * Schedules maintenance, which starts and completes automatically. Throws a
     * RequestValidationError.
     */
    create: (body: CreateMaintenanceBody, actor: AuditActor): Promise<Incident> =>
      createMaintenance(deps, body, actor),

    /**
     * Changes name, components and times. Throws `status.maintenance_not_found`,
     * `.maintenance_over`, `.maintenance_running`, or a RequestValidationError.
     */
    update: (id: string, body: UpdateMaintenanceBody, actor: AuditActor): Promise<Incident> =>
      updateMaintenance(deps, id, body, actor),

    /** Throws `status.maintenance_not_found`, `.maintenance_over`, `.maintenance_running`. */
    createUpdate: (
      id: string,
      input: CreateMaintenanceUpdateBody,
      actor: AuditActor,
    ): Promise<Incident> =>
      editIncident(deps, 'maintenance', id, actor, (before) =>
        updateEdit(before, input, clock.now()),
      ),

    /** Posts an automatic update. Undefined when `onlyIf` returned false. */
    createSystemUpdate: (
      id: string,
      input: UpdateInput,
      { at, onlyIf }: SystemUpdateTiming,
    ): Promise<Incident | undefined> =>
      editIncidentIf(deps, 'maintenance', id, systemActor, (before) =>
        onlyIf(before) ? updateEdit(before, input, at(before)) : undefined,
      ),

    /** Deletes a maintenance with its updates and spans. Throws `status.maintenance_not_found`. */
    delete: (id: string, actor: AuditActor): Promise<void> =>
      deleteIncident(deps, 'maintenance', id, actor),

    /** Throws `status.maintenance_not_found`. */
    get: (id: string): Promise<Incident> => getIncident(db, 'maintenance', id),

    list: (query: IncidentQuery, signal?: AbortSignal) =>
      listIncidents(db, 'maintenance', query, signal),
  };
}

export type Maintenances = ReturnType<typeof createMaintenances>;
