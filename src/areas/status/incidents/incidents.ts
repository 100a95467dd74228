import { systemActor } from '../../../platform/identity/actors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { componentStore } from '../component-store.ts';
import { statusErrors } from '../errors.ts';
import { heartbeatStore } from '../recording/heartbeat-store.ts';
import { impactOf, type StatusEvent, stepOf } from './incident-steps.ts';
import {
  type Affected,
  type Incident,
  type IncidentChanges,
  incidentStore,
  type Kind,
} from './incident-store.ts';
import { invalidBody } from './invalid-body.ts';
import type { UpdateState } from '../model.ts';
import type {
  ChangeIncidentBody,
  ChangeMaintenanceBody,
  CreateIncidentBody,
  CreateMaintenanceBody,
} from '../schemas.admin.ts';
import { spanStore } from '../recording/span-store.ts';
import { isActive } from '../state.ts';

/** A change that was made, for everybody who wants to know. */
export interface Happened {
  event: StatusEvent;
  incident: Incident;
  /** Undefined when nothing was said. */
  update?: UpdateState | undefined;
}

export interface IncidentsDeps {
  db: Database;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** Called after the change is in the database. */
  happened: (change: Happened) => Promise<void>;
}

interface Said {
  status: Incident['status'];
  body: string;
  /** Undefined: as they are. */
  affected?: readonly Affected[] | undefined;
}

/** When the service says something by itself (Unix ms), and where it does not hold any more. Asked of the locked incident. */
interface BySelf {
  at: (before: Incident) => number;
  onlyIf: (before: Incident) => boolean;
}

const underMaintenance = (ids: readonly string[]): Affected[] =>
  ids.map((id) => ({ id, status: 'under_maintenance' }));
const notFound = (kind: Kind) =>
  kind === 'incident' ? statusErrors.incident_not_found() : statusErrors.maintenance_not_found();

/** Incidents and maintenance: each change with its entry in the audit log, its spans and its word to those who listen, or not at all. */
export function createIncidents({ db, audit, clock, happened }: IncidentsDeps) {
  async function requireComponents(
    transaction: Database,
    affected: readonly Affected[] | undefined,
  ): Promise<void> {
    if (affected === undefined || affected.length === 0) return;
    const known = (await componentStore.list(transaction)).map(({ id }) => id);
    affected.forEach(({ id }, index) => {
      if (!known.includes(id))
        throw invalidBody(['components', index], 'there is no component with this id', id);
    });
  }

  async function note(
    transaction: Database,
    action: AuditAction,
    { id, kind, name, status }: Incident,
    by: AuditActor,
  ): Promise<void> {
    await audit.recordIn(transaction, [
      { ...by, action, target: { kind: `status_${kind}`, id }, details: { name, status } },
    ]);
    await heartbeatStore.grow(transaction);
  }

  /** Reads what it has become, in the same transaction, and lets the spans follow. */
  async function settled(
    transaction: Database,
    kind: Kind,
    id: string,
    at: number,
  ): Promise<Incident> {
    const incident = await incidentStore.find(transaction, kind, id);
    if (incident === undefined) throw notFound(kind);
    await spanStore.settleIncident(
      transaction,
      incident,
      isActive(incident) ? incident.affected : [],
      at,
    );
    return incident;
  }

  async function insert(
    incident: Incident,
    event: StatusEvent,
    action: AuditAction,
    by: AuditActor,
  ): Promise<Incident> {
    const made = await db.transaction().execute(async (transaction) => {
      await requireComponents(transaction, incident.affected);
      await incidentStore.insert(transaction, incident);
      await note(transaction, action, incident, by);
      return settled(transaction, incident.kind, incident.id, incident.createdAt);
    });
    await happened({ event, incident: made, update: made.updates[0] });
    return made;
  }

  function newIncident(kind: Kind, said: Said): Incident {
    const now = clock.now();
    const { status, body, affected = [] } = said;
    return {
      id: uuidv7(now),
      kind,
      name: '',
      status,
      impact: impactOf(affected),
      source: 'admin',
      createdAt: now,
      updatedAt: now,
      resolvedAt: null,
      scheduledFor: null,
      scheduledUntil: null,
      affected,
      components: affected.map(({ id }) => id),
      updates: [{ id: uuidv7(now), status, body, createdAt: now, displayAt: now }],
    };
  }

  /** One change of a locked incident: what `plan` says of it is written together with its entry and its spans. */
  async function change(
    kind: Kind,
    id: string,
    by: AuditActor,
    plan: (before: Incident) =>
      | {
          event: StatusEvent;
          action: AuditAction;
          at: number;
          set: IncidentChanges;
          affected?: readonly Affected[] | undefined;
          update?: UpdateState;
        }
      | undefined,
  ): Promise<Incident | undefined> {
    const made = await db.transaction().execute(async (transaction) => {
      const before = await incidentStore.lock(transaction, kind, id);
      if (before === undefined) throw notFound(kind);
      const planned = plan(before);
      if (planned === undefined) return undefined;
      const { event, action, at, set, affected, update } = planned;
      await requireComponents(transaction, affected);
      await incidentStore.change(transaction, id, set, clock.now());
      if (affected !== undefined) await incidentStore.setAffected(transaction, id, affected);
      if (update !== undefined) await incidentStore.addUpdate(transaction, id, update);
      const incident = await settled(transaction, kind, id, at);
      await note(transaction, action, incident, by);
      return { event, incident, update };
    });
    if (made !== undefined) await happened(made);
    return made?.incident;
  }

  /** As `post`; undefined where `onlyIf` does not hold any more. */
  const say = (
    kind: Kind,
    id: string,
    { status, body, affected }: Said,
    by: AuditActor,
    { at: timeOf = () => clock.now(), onlyIf = () => true }: Partial<BySelf> = {},
  ) =>
    change(kind, id, by, (before) => {
      if (!onlyIf(before)) return undefined;
      const step = stepOf(before, status);
      const at = timeOf(before);
      // Two in the same millisecond would have no order.
      const createdAt = Math.max(at, (before.updates[0]?.createdAt ?? 0) + 1);
      const isOver = status === 'resolved' || status === 'completed';
      const resolvedAt = isOver ? at : status === 'postmortem' ? undefined : null;
      return {
        ...step,
        at,
        affected: status === 'postmortem' ? undefined : affected,
        set: { status, ...(resolvedAt === undefined ? {} : { resolvedAt }) },
        update: { id: uuidv7(createdAt), status, body, createdAt, displayAt: createdAt },
      };
    });

  async function required(kind: Kind, made: Promise<Incident | undefined>): Promise<Incident> {
    const incident = await made;
    if (incident === undefined) throw notFound(kind);
    return incident;
  }

  return {
    /** Opens an incident. Throws a RequestValidationError for components that are not there. */
    createIncident(
      { name, status, impact, body, components }: CreateIncidentBody,
      by: AuditActor,
    ): Promise<Incident> {
      const made = newIncident('incident', { status, body, affected: components });
      return insert(
        { ...made, name, impact: impact ?? made.impact },
        'incident.created',
        'status.incident_created',
        by,
      );
    },

    /** Announces maintenance; it begins and ends by itself. Throws a RequestValidationError. */
    createMaintenance(
      {
        name,
        body,
        components,
        scheduled_for: from,
        scheduled_until: until,
      }: CreateMaintenanceBody,
      by: AuditActor,
    ): Promise<Incident> {
      if (Date.parse(until) <= clock.now())
        throw invalidBody(['scheduled_until'], 'must lie in the future', until);
      const made = newIncident('maintenance', {
        status: 'scheduled',
        body,
        affected: underMaintenance(components),
      });
      return insert(
        {
          ...made,
          name,
          impact: 'maintenance',
          scheduledFor: Date.parse(from),
          scheduledUntil: Date.parse(until),
        },
        'maintenance.scheduled',
        'status.maintenance_scheduled',
        by,
      );
    },

    /** Changes what an incident is called and concerns. Throws `status.incident_not_found`, `.incident_over`. */
    changeIncident: (
      id: string,
      { name, impact, components }: ChangeIncidentBody,
      by: AuditActor,
    ): Promise<Incident> =>
      required(
        'incident',
        change('incident', id, by, (before) => {
          if (before.resolvedAt !== null && components !== undefined)
            throw statusErrors.incident_over();
          return {
            event: 'incident.updated',
            action: 'status.incident_changed',
            at: clock.now(),
            set: {
              ...(name === undefined ? {} : { name }),
              ...(impact === undefined ? {} : { impact }),
            },
            affected: components,
          };
        }),
      ),

    /** Changes what maintenance is called, and when it is. Throws `status.maintenance_not_found`, `.maintenance_over`, `.maintenance_running`, a RequestValidationError. */
    changeMaintenance: (
      id: string,
      { name, components, scheduled_for: begin, scheduled_until: end }: ChangeMaintenanceBody,
      by: AuditActor,
    ): Promise<Incident> =>
      required(
        'maintenance',
        change('maintenance', id, by, (before) => {
          const [now, from, until] = [
            clock.now(),
            begin === undefined ? (before.scheduledFor ?? 0) : Date.parse(begin),
            end === undefined ? (before.scheduledUntil ?? 0) : Date.parse(end),
          ];
          if (before.status === 'completed') throw statusErrors.maintenance_over();
          if (begin !== undefined && before.status !== 'scheduled')
            throw statusErrors.maintenance_running();
          if (from >= until)
            throw invalidBody(['scheduled_until'], 'must be after scheduled_for', end ?? null);
          if (end !== undefined && until <= now)
            throw invalidBody(['scheduled_until'], 'must lie in the future', end);
          return {
            event: 'maintenance.updated',
            action: 'status.maintenance_changed',
            at: now,
            set: {
              scheduledFor: from,
              scheduledUntil: until,
              ...(name === undefined ? {} : { name }),
            },
            affected: components === undefined ? undefined : underMaintenance(components),
          };
        }),
      ),

    /** Says something about an incident or maintenance, which gets the status that is said. Throws what `stepOf` throws, and as `createIncident`. */
    post: (kind: Kind, id: string, said: Said, by: AuditActor): Promise<Incident> =>
      required(kind, say(kind, id, said, by)),

    /** Deletes it with everything that was said, and what it did to the figures. */
    async remove(kind: Kind, id: string, by: AuditActor): Promise<void> {
      const incident = await db.transaction().execute(async (transaction) => {
        const before = await incidentStore.lock(transaction, kind, id);
        if (before === undefined) throw notFound(kind);
        await incidentStore.remove(transaction, id);
        await note(
          transaction,
          kind === 'incident' ? 'status.incident_deleted' : 'status.maintenance_deleted',
          before,
          by,
        );
        return before;
      });
      await happened({ event: `${kind}.deleted`, incident });
    },

    /** Throws `status.incident_not_found`, `.maintenance_not_found`. */
    get: (kind: Kind, id: string): Promise<Incident> =>
      required(kind, incidentStore.find(db, kind, id)),

    /** A page, newest first. `cursor` is the `next` of the page before; `open`: those that are not over. */
    async list(
      kind: Kind,
      {
        status,
        limit,
        cursor,
      }: {
        status?: Incident['status'] | 'open' | undefined;
        limit: number;
        cursor?: string | undefined;
      },
      signal?: AbortSignal,
    ): Promise<{ incidents: Incident[]; next: string | null }> {
      const found = await incidentStore.page(cancellable(db, signal), {
        kind,
        isOpen: status === 'open',
        statuses: status === undefined || status === 'open' ? undefined : [status],
        limit: limit + 1,
        after: cursor,
      });
      const { data, next_cursor } = pageById(found, limit);
      return { incidents: data, next: next_cursor };
    },

    /** As `post`, by the service itself. Undefined when `onlyIf` does not hold any more. */
    sayBySelf: (kind: Kind, id: string, said: Said, more: BySelf): Promise<Incident | undefined> =>
      say(kind, id, said, systemActor, more),

    /** Enters an incident of the service's own within a transaction: nothing is checked, and nobody is told. */
    async enter(transaction: Database, incident: Incident): Promise<void> {
      await incidentStore.insert(transaction, incident);
      await note(transaction, 'status.incident_created', incident, systemActor);
    },
  };
}

export type Incidents = ReturnType<typeof createIncidents>;
