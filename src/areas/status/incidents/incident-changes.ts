import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { type KeysetPage, pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { componentStore } from '../components/store.ts';
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

export interface IncidentDeps {
  db: Database;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** Called after the commit. */
  publishChange: (change: StatusChange) => Promise<void>;
}

export interface UpdateInput {
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

const notFound = (kind: Kind) =>
  kind === 'incident' ? statusErrors.incident_not_found() : statusErrors.maintenance_not_found();

function orNotFound(kind: Kind, incident: Incident | undefined): Incident {
  if (incident === undefined) throw notFound(kind);
  return incident;
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

/** Reads the changed incident and updates its spans from `at` (Unix ms) on. */
async function syncSpans(
  transaction: Database,
  kind: Kind,
  id: string,
  at: number,
): Promise<Incident> {
  const incident = orNotFound(kind, await incidentStore.find(transaction, kind, id));
  const affected = isActive(incident) ? incident.affected : [];
  await spanStore.syncIncident(transaction, incident, affected, at);
  return incident;
}

export async function recordAudit(
  transaction: Database,
  audit: IncidentDeps['audit'],
  action: AuditAction,
  { id, kind, name, status }: Incident,
  actor: AuditActor,
): Promise<void> {
  await audit.recordIn(transaction, [
    { ...actor, action, target: { kind: `status_${kind}`, id }, details: { name, status } },
  ]);
  await heartbeatStore.bumpVersion(transaction);
}

/** Runs `write` in a transaction with its audit entry, then publishes the change, if any. */
async function commit<Written extends (StatusChange & { action: AuditAction }) | undefined>(
  { db, audit, publishChange }: IncidentDeps,
  actor: AuditActor,
  write: (transaction: Database) => Promise<Written>,
): Promise<Written> {
  const written = await db.transaction().execute(async (transaction) => {
    const change = await write(transaction);
    if (change !== undefined)
      await recordAudit(transaction, audit, change.action, change.incident, actor);
    return change;
  });
  if (written !== undefined) await publishChange(written);
  return written;
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

/** Throws a RequestValidationError for components that do not exist. */
export async function insertIncident(
  deps: IncidentDeps,
  incident: Incident,
  step: Step,
  actor: AuditActor,
): Promise<Incident> {
  const { incident: inserted } = await commit(deps, actor, async (transaction) => {
    await requireComponents(transaction, incident.affected);
    await incidentStore.insert(transaction, incident);
    const { kind, id, createdAt } = incident;
    const stored = await syncSpans(transaction, kind, id, createdAt);
    return { ...step, incident: stored, update: stored.updates[0] };
  });
  return inserted;
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

/**
 * Locks the incident and applies the edit that `plan` returns; undefined leaves it unchanged.
 * Throws `status.incident_not_found`, `.maintenance_not_found`, or a RequestValidationError for
 * components that do not exist.
 */
export async function editIncidentIf(
  deps: IncidentDeps,
  kind: Kind,
  id: string,
  actor: AuditActor,
  plan: (before: Incident) => Edit | undefined,
): Promise<Incident | undefined> {
  const change = await commit(deps, actor, async (transaction) => {
    const before = orNotFound(kind, await incidentStore.lock(transaction, kind, id));
    const edit = plan(before);
    if (edit === undefined) return undefined;
    const { event, action, at, set, affected, update } = edit;
    await requireComponents(transaction, affected);
    const changedAt = isChange(before, edit) ? deps.clock.now() : before.updatedAt;
    await incidentStore.update(transaction, id, set, changedAt);
    if (affected !== undefined) await incidentStore.setAffected(transaction, id, affected);
    if (update !== undefined) await incidentStore.addUpdate(transaction, id, update);
    return { event, action, update, incident: await syncSpans(transaction, kind, id, at) };
  });
  return change?.incident;
}

/** Like `editIncidentIf`, for edits that always apply. */
export const editIncident = async (
  deps: IncidentDeps,
  kind: Kind,
  id: string,
  actor: AuditActor,
  plan: (before: Incident) => Edit,
): Promise<Incident> => orNotFound(kind, await editIncidentIf(deps, kind, id, actor, plan));

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

/** Throws `status.incident_not_found`, `.maintenance_not_found`. */
export async function deleteIncident(
  deps: IncidentDeps,
  kind: Kind,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await commit(deps, actor, async (transaction) => {
    const incident = orNotFound(kind, await incidentStore.lock(transaction, kind, id));
    await incidentStore.delete(transaction, id);
    return { event: `${kind}.deleted`, action: `status.${kind}_deleted`, incident };
  });
}

/** Throws `status.incident_not_found`, `.maintenance_not_found`. */
export const getIncident = async (db: Database, kind: Kind, id: string): Promise<Incident> =>
  orNotFound(kind, await incidentStore.find(db, kind, id));

/** `open`: not resolved or completed; `cursor`: the `next_cursor` of the previous page. */
export interface IncidentQuery {
  status?: Incident['status'] | 'open' | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Returns a page of incidents, newest first. */
export async function listIncidents(
  db: Database,
  kind: Kind,
  { status, limit, cursor }: IncidentQuery,
  signal?: AbortSignal,
): Promise<KeysetPage<Incident>> {
  const found = await incidentStore.page(cancellable(db, signal), {
    kind,
    isOpen: status === 'open',
    statuses: status === undefined || status === 'open' ? undefined : [status],
    limit: limit + 1,
    after: cursor,
  });
  return pageById(found, limit);
}
