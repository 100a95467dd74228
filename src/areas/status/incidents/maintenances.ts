import { systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../audit/service.ts';
import { statusErrors } from '../errors.ts';
import type {
  CreateMaintenanceBody,
  CreateMaintenanceUpdateBody,
  UpdateMaintenanceBody,
} from './schemas.maintenances.ts';
import {
  createIncidentChanges,
  type IncidentParts,
  newIncident,
  updateEdit,
} from './incident-changes.ts';
import type { Affected, Incident } from './store.ts';
import { invalidBody } from '../invalid-body.ts';

const startText = 'Scheduled maintenance is in progress. We will say here when it is completed.';
const endText = 'The scheduled maintenance is completed.';

const isPast = (time: number | null, now: number): time is number => time !== null && time <= now;

const underMaintenance = (ids: readonly string[]): Affected[] =>
  ids.map((id) => ({ id, status: 'under_maintenance' }));

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

/** Planned maintenance. Each change commits together with its audit entry and spans. */
export function createMaintenances(parts: IncidentParts) {
  const { clock } = parts;
  const changes = createIncidentChanges('maintenance', parts);
  const { insert, edit, editIf, delete: remove, get, list } = changes;
  return { create, update, createUpdate, delete: remove, get, list, runSchedule };

  /**
   * Schedules maintenance, which starts and completes automatically. Throws a
   * RequestValidationError.
   */
  function create(
    { name, body, components, scheduled_for: from, scheduled_until: until }: CreateMaintenanceBody,
    actor: AuditActor,
  ): Promise<Incident> {
    const now = clock.now();
    if (Date.parse(until) <= now)
      throw invalidBody(['scheduled_until'], 'must be in the future', until);
    const affected = underMaintenance(components);
    return insert(
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
   * Changes name, components and times. Throws `status.maintenance_not_found`,
   * `.maintenance_over`, `.maintenance_running`, or a RequestValidationError.
   */
  function update(id: string, body: UpdateMaintenanceBody, actor: AuditActor): Promise<Incident> {
    return edit(id, actor, (before) => {
      const { name, components } = body;
      const now = clock.now();
      return {
        event: 'maintenance.updated',
        action: 'status.maintenance_changed',
        at: now,
        set: { name, ...changedTimes(before, body, now) },
        affected: components === undefined ? undefined : underMaintenance(components),
      };
    });
  }

  /** Throws `status.maintenance_not_found`, `.maintenance_over`, `.maintenance_running`. */
  function createUpdate(
    id: string,
    input: CreateMaintenanceUpdateBody,
    actor: AuditActor,
  ): Promise<Incident> {
    return edit(id, actor, (before) => updateEdit(before, input, clock.now()));
  }

  /** Starts and completes maintenance that is due. Checks `known` again under a lock. */
  async function runSchedule(known: readonly Incident[]): Promise<void> {
    const planned = known.filter((each) => each.kind === 'maintenance' && each.resolvedAt === null);
    for (const maintenance of planned) {
      await startIfDue(maintenance);
      await completeIfDue(maintenance);
    }
  }

  async function startIfDue({ id, ...known }: Incident): Promise<void> {
    const now = clock.now();
    const isDue = ({ status, scheduledFor }: Pick<Incident, 'status' | 'scheduledFor'>) =>
      status === 'scheduled' && isPast(scheduledFor, now);
    if (!isDue(known)) return;
    await editIf(id, systemActor, (before) => {
      if (!isDue(before)) return undefined;
      // Rescheduling the start into the past must not change recorded history.
      const at = Math.max(before.scheduledFor ?? now, before.updatedAt);
      return updateEdit(before, { status: 'in_progress', body: startText }, at);
    });
  }

  async function completeIfDue({ id, scheduledUntil }: Incident): Promise<void> {
    const now = clock.now();
    if (!isPast(scheduledUntil, now)) return;
    await editIf(id, systemActor, (before) =>
      before.resolvedAt === null && isPast(before.scheduledUntil, now)
        ? updateEdit(before, { status: 'completed', body: endText }, before.scheduledUntil)
        : undefined,
    );
  }
}

export type Maintenances = ReturnType<typeof createMaintenances>;
