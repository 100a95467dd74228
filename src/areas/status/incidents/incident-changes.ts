import { uuidv7 } from '../../../lib/ids.ts';
import { type KeysetPage, pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { AuditActor } from '../../audit/service.ts';
import { componentStore } from '../components/store.ts';
import type { StatusParts } from '../context.ts';
import { statusErrors } from '../errors.ts';
import type { UpdateState } from '../model.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import { spanStore } from '../history/span-store.ts';
import { isActive } from './activity.ts';
import { impactOf, nextState, type StatusEvent, type Step } from './incident-states.ts';
import {
  type Affected,
  type Incident,
  type IncidentPatch,
  incidentStore,
  type Kind,
} from './store.ts';
import { invalidBody } from '../invalid-body.ts';

/** A committed change of an incident or maintenance. */
export interface StatusChange {
  event: StatusEvent;
  incident: Incident;
  /** The update that was posted with it, if any. */
  update?: UpdateState | undefined;
}

/** What incidents and maintenances are made from. */
export interface IncidentParts extends Pick<StatusParts, 'db' | 'audit' | 'clock'> {
  /** Called after the commit. */
  publishChange: (change: StatusChange) => Promise<void>;
}

interface UpdateInput {
  /** The new status of the incident. */
  status: Incident['status'];
  /** Plain text. */
  body: string;
  /** Replaces the affected components; undefined keeps them. */
  affected?: readonly Affected[] | undefined;
}

/** The writes of a change to an incident. */
interface Edit extends Step {
  /** Time of the change in the incident's spans, Unix ms. */
  at: number;
  set: IncidentPatch;
  affected?: readonly Affected[] | undefined;
  update?: UpdateState;
}

async function requireComponents(
  transaction: Database,
  affected: readonly Affected[] | undefined,
): Promise<void> {
  if (affected === undefined || affected.length === 0) return;
  const known = (await componentStore.list(transaction)).map(({ id }) => id);
  affected.forEach(({ id }, index) => {
    if (!known.includes(id))
      throw invalidBody(['components', index], 'is not the id of a component', id);
  });
}

/** Creates an incident without a name, with its first update. */
export function newIncident(
  kind: Kind,
  now: number,
  { status, body, affected = [] }: UpdateInput,
): Incident {
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

/** Whether an edit differs from what is stored: feeds announce an entry again when it changes. */
function isChange(before: Incident, { set, affected, update }: Edit): boolean {
  const keyOf = (list: readonly Affected[]) =>
    list.map((each) => `${each.id} ${each.status}`).sort();
  return (
    update !== undefined ||
    Object.entries(set).some(
      ([name, value]) => value !== undefined && Reflect.get(before, name) !== value,
    ) ||
    (affected !== undefined && keyOf(affected).join() !== keyOf(before.affected).join())
  );
}

/** Creates the edit that posts an update at `at` (Unix ms). Throws the errors of `nextState`. */
export function updateEdit(
  before: Incident,
  { status, body, affected }: UpdateInput,
  at: number,
): Edit {
  const step = nextState(before, status);
  // Updates of the same millisecond would have no order.
  const createdAt = Math.max(at, (before.updates[0]?.createdAt ?? 0) + 1);
  const update = { id: uuidv7(createdAt), status, body, createdAt, displayAt: createdAt };
  if (status === 'postmortem') return { ...step, at, set: { status }, update };
  const isOver = status === 'resolved' || status === 'completed';
  return { ...step, at, affected, set: { status, resolvedAt: isOver ? at : null }, update };
}

/** `open`: not resolved or completed; `cursor`: the `next_cursor` of the previous page. */
export interface IncidentQuery {
  status?: Incident['status'] | 'open' | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** The reads and writes that incidents and maintenances share. */
export function createIncidentChanges(
  kind: Kind,
  { db, audit, clock, publishChange }: IncidentParts,
) {
  return { insert, edit, editIf, recordAudit, delete: remove, get, list };

  /** Throws a RequestValidationError for components that do not exist. */
  async function insert(incident: Incident, step: Step, actor: AuditActor): Promise<Incident> {
    const { incident: inserted } = await commit(actor, async (transaction) => {
      await requireComponents(transaction, incident.affected);
      await incidentStore.insert(transaction, incident);
      const stored = await syncSpans(transaction, incident.id, incident.createdAt);
      return { ...step, incident: stored, update: stored.updates[0] };
    });
    return inserted;
  }

  /** Like `editIf`, for edits that always apply. */
  async function edit(
    id: string,
    actor: AuditActor,
    plan: (before: Incident) => Edit,
  ): Promise<Incident> {
    return found(await editIf(id, actor, plan));
  }

  /**
   * Locks the incident and applies the edit that `plan` returns; undefined leaves it unchanged.
   * Throws `status.incident_not_found`, `.maintenance_not_found`, or a RequestValidationError for
   * components that do not exist.
   */
  async function editIf(
    id: string,
    actor: AuditActor,
    plan: (before: Incident) => Edit | undefined,
  ): Promise<Incident | undefined> {
    const change = await commit(actor, async (transaction) => {
      const before = found(await incidentStore.lock(transaction, kind, id));
      const planned = plan(before);
      if (planned === undefined) return undefined;
      const { event, action, at, set, affected, update } = planned;
      await requireComponents(transaction, affected);
      const changedAt = isChange(before, planned) ? clock.now() : before.updatedAt;
      await incidentStore.update(transaction, id, set, changedAt);
      if (affected !== undefined) await incidentStore.setAffected(transaction, id, affected);
      if (update !== undefined) await incidentStore.addUpdate(transaction, id, update);
      return { event, action, update, incident: await syncSpans(transaction, id, at) };
    });
    return change?.incident;
  }

  /** Deletes it with its updates and spans. Throws the errors of `get`. */
  async function remove(id: string, actor: AuditActor): Promise<void> {
    await commit(actor, async (transaction) => {
      const incident = found(await incidentStore.lock(transaction, kind, id));
      await incidentStore.delete(transaction, id);
      return { event: `${kind}.deleted`, action: `status.${kind}_deleted`, incident };
    });
  }

  /** Throws `status.incident_not_found`, `.maintenance_not_found`. */
  async function get(id: string): Promise<Incident> {
    return found(await incidentStore.find(db, kind, id));
  }

  /** Returns a page, newest first. */
  async function list(
    { status, limit, cursor }: IncidentQuery,
    signal?: AbortSignal,
  ): Promise<KeysetPage<Incident>> {
    const page = await incidentStore.page(cancellable(db, signal), {
      kind,
      isOpen: status === 'open',
      statuses: status === undefined || status === 'open' ? undefined : [status],
      limit: limit + 1,
      after: cursor,
    });
    return pageById(page, limit);
  }

  /** Runs `write` in a transaction with its audit entry, then publishes the change, if any. */
  async function commit<Written extends (StatusChange & { action: AuditAction }) | undefined>(
    actor: AuditActor,
    write: (transaction: Database) => Promise<Written>,
  ): Promise<Written> {
    const written = await db.transaction().execute(async (transaction) => {
      const change = await write(transaction);
      if (change !== undefined)
        await recordAudit(transaction, change.action, change.incident, actor);
      return change;
    });
    if (written !== undefined) await publishChange(written);
    return written;
  }

  async function recordAudit(
    transaction: Database,
    action: AuditAction,
    { id, name, status }: Incident,
    actor: AuditActor,
  ): Promise<void> {
    await audit.recordIn(transaction, [
      { ...actor, action, target: { kind: `status_${kind}`, id }, details: { name, status } },
    ]);
    await heartbeatStore.bumpVersion(transaction);
  }

  /** Reads the changed incident and updates its spans from `at` (Unix ms) on. */
  async function syncSpans(transaction: Database, id: string, at: number): Promise<Incident> {
    const incident = found(await incidentStore.find(transaction, kind, id));
    const affected = isActive(incident) ? incident.affected : [];
    await spanStore.syncIncident(transaction, incident, affected, at);
    return incident;
  }

  function found(incident: Incident | undefined): Incident {
    if (incident !== undefined) return incident;
    throw kind === 'incident'
      ? statusErrors.incident_not_found()
      : statusErrors.maintenance_not_found();
  }
}
