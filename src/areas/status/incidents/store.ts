import type { Selectable } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { ComponentStatus, IncidentState, UpdateState } from '../model.ts';

/** A component and its status while the incident is open. */
export interface Affected {
  id: string;
  status: ComponentStatus;
}

/** A stored incident or maintenance. */
export interface Incident extends IncidentState {
  source: 'admin' | 'downtime';
  affected: readonly Affected[];
}

export type Kind = Incident['kind'];
type Patchable = Pick<
  Incident,
  'name' | 'status' | 'impact' | 'resolvedAt' | 'scheduledFor' | 'scheduledUntil'
>;
/** Undefined fields keep their values. */
export type IncidentPatch = { [Field in keyof Patchable]?: Patchable[Field] | undefined };

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
const toUpdate = (row: Selectable<Tables['status_incident_updates']>): UpdateState => ({
  id: row.id,
  status: row.status,
  body: row.body,
  createdAt: row.created_at.getTime(),
  displayAt: row.display_at.getTime(),
});

/** Loads updates and components of all rows, with two queries. */
async function withDetails(
  db: Database,
  rows: readonly Selectable<Tables['status_incidents']>[],
): Promise<Incident[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const updates = await db
    .selectFrom('status_incident_updates')
    .selectAll()
    .where('incident_id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const parts = await db
    .selectFrom('status_incident_components')
    .selectAll()
    .where('incident_id', 'in', ids)
    .orderBy('component_id')
    .execute();
  return rows.map((row) => {
    const affected = parts
      .filter((part) => part.incident_id === row.id)
      .map((part) => ({ id: part.component_id, status: part.status }));
    return {
      id: row.id,
      kind: row.kind,
      name: row.name,
      status: row.status,
      impact: row.impact,
      source: row.source,
      affected,
      components: affected.map(({ id }) => id),
      createdAt: row.created_at.getTime(),
      updatedAt: row.updated_at.getTime(),
      resolvedAt: row.resolved_at?.getTime() ?? null,
      scheduledFor: row.scheduled_for?.getTime() ?? null,
      scheduledUntil: row.scheduled_until?.getTime() ?? null,
      updates: updates.filter((update) => update.incident_id === row.id).map(toUpdate),
    };
  });
}

/** Maximum number of incidents in memory. */
const maxLoaded = 500;

/** Incidents and maintenance. Every method takes the database or a transaction. */
export const incidentStore = {
  /**
   * Incidents that were open at `ms` (Unix ms) or later, newest first. At most 500, of which open
   * ones take precedence.
   */
  async since(db: Database, ms: number): Promise<Incident[]> {
    const rows = await db
      .selectFrom('status_incidents')
      .selectAll()
      .where((is) => is.or([is('resolved_at', 'is', null), is('resolved_at', '>', new Date(ms))]))
      .orderBy((is) => is('resolved_at', 'is', null), 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(maxLoaded)
      .execute();
    return (await withDetails(db, rows)).sort((a, b) => b.createdAt - a.createdAt);
  },

  async find(db: Database, kind: Kind, id: string): Promise<Incident | undefined> {
    const rows = await db
      .selectFrom('status_incidents')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', kind)
      .execute();
    return (await withDetails(db, rows))[0];
  },

  /** Like `find`, with a row lock until the transaction ends. */
  async lock(transaction: Database, kind: Kind, id: string): Promise<Incident | undefined> {
    const rows = await transaction
      .selectFrom('status_incidents')
      .selectAll()
      .where('id', '=', id)
      .where('kind', '=', kind)
      .forUpdate()
      .execute();
    return (await withDetails(transaction, rows))[0];
  },

  /** At most `limit` incidents, newest first, older than the one with the id `after`. */
  async page(
    db: Database,
    {
      kind,
      statuses,
      isOpen,
      limit,
      after,
    }: {
      kind: Kind;
      statuses?: readonly Incident['status'][] | undefined;
      isOpen?: boolean;
      limit: number;
      after?: string | undefined;
    },
  ): Promise<Incident[]> {
    let query = db
      .selectFrom('status_incidents')
      .selectAll()
      .where('kind', '=', kind)
      .orderBy('id', 'desc')
      .limit(limit);
    if (statuses !== undefined) query = query.where('status', 'in', statuses);
    if (isOpen === true) query = query.where('resolved_at', 'is', null);
    if (after !== undefined) query = query.where('id', '<', after);
    return withDetails(db, await query.execute());
  },

  async insert(transaction: Database, incident: Incident): Promise<void> {
    await transaction
      .insertInto('status_incidents')
      .values({
        id: incident.id,
        kind: incident.kind,
        name: incident.name,
        status: incident.status,
        impact: incident.impact,
        source: incident.source,
        created_at: new Date(incident.createdAt),
        updated_at: new Date(incident.updatedAt),
        resolved_at: dateOrNull(incident.resolvedAt),
        scheduled_for: dateOrNull(incident.scheduledFor),
        scheduled_until: dateOrNull(incident.scheduledUntil),
      })
      .execute();
    for (const update of incident.updates)
      await incidentStore.addUpdate(transaction, incident.id, update);
    await incidentStore.setAffected(transaction, incident.id, incident.affected);
  },

  async update(
    transaction: Database,
    id: string,
    { name, status, impact, resolvedAt, scheduledFor, scheduledUntil }: IncidentPatch,
    at: number,
  ): Promise<void> {
    await transaction
      .updateTable('status_incidents')
      .set({
        name,
        status,
        impact,
        updated_at: new Date(at),
        resolved_at: resolvedAt === undefined ? undefined : dateOrNull(resolvedAt),
        scheduled_for: scheduledFor === undefined ? undefined : dateOrNull(scheduledFor),
        scheduled_until: scheduledUntil === undefined ? undefined : dateOrNull(scheduledUntil),
      })
      .where('id', '=', id)
      .execute();
  },

  async addUpdate(
    transaction: Database,
    incidentId: string,
    { id, status, body, createdAt, displayAt }: UpdateState,
  ): Promise<void> {
    await transaction
      .insertInto('status_incident_updates')
      .values({
        id,
        incident_id: incidentId,
        status,
        body,
        created_at: new Date(createdAt),
        display_at: new Date(displayAt),
      })
      .execute();
  },

  /** Replaces the affected components. */
  async setAffected(
    transaction: Database,
    incidentId: string,
    affected: readonly Affected[],
  ): Promise<void> {
    await transaction
      .deleteFrom('status_incident_components')
      .where('incident_id', '=', incidentId)
      .execute();
    if (affected.length > 0)
      await transaction
        .insertInto('status_incident_components')
        .values(
          affected.map(({ id, status }) => ({ incident_id: incidentId, component_id: id, status })),
        )
        .execute();
  },

  /** Cascades to its updates, components and spans. */
  async delete(transaction: Database, id: string): Promise<void> {
    await transaction.deleteFrom('status_incidents').where('id', '=', id).execute();
  },
};
