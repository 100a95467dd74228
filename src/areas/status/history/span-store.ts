import { sql } from 'kysely';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ComponentStatus } from '../model.ts';

/** A period in which a component was not operational. Unix ms; `endedAt` is null while it lasts. */
export interface Span {
  componentId: string;
  status: ComponentStatus;
  beganAt: number;
  endedAt: number | null;
  cause: 'check' | 'downtime' | 'incident' | 'maintenance';
  incidentId: string | null;
}

export interface ResponseTime {
  componentId: string;
  /** First millisecond of the hour, Unix ms. */
  hour: number;
  count: number;
  sumMs: number;
}

const toRow = ({ componentId, status, beganAt, endedAt, cause, incidentId }: Span) => ({
  id: uuidv7(beganAt),
  component_id: componentId,
  status,
  began_at: new Date(beganAt),
  ended_at: endedAt === null ? null : new Date(endedAt),
  cause,
  incident_id: incidentId,
});

/** The tables `status_spans` and `status_response_times`. */
export const spanStore = {
  /** Spans that are open, or ended after `ms` (Unix ms), oldest first. */
  async since(db: Database, ms: number): Promise<Span[]> {
    const rows = await db
      .selectFrom('status_spans')
      .select(['component_id', 'status', 'began_at', 'ended_at', 'cause', 'incident_id'])
      .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', new Date(ms))]))
      .orderBy('began_at')
      .execute();
    return rows.map((row) => ({
      componentId: row.component_id,
      status: row.status,
      beganAt: row.began_at.getTime(),
      endedAt: row.ended_at?.getTime() ?? null,
      cause: row.cause,
      incidentId: row.incident_id,
    }));
  },

  async insert(db: Database, spans: readonly Span[]): Promise<void> {
    if (spans.length > 0) await db.insertInto('status_spans').values(spans.map(toRow)).execute();
  },

  /** Ends the open check span of a component, and opens the next one unless operational. */
  async setCheckStatus(
    db: Database,
    componentId: string,
    status: ComponentStatus,
    at: number,
  ): Promise<void> {
    // Clocks of replicas may differ: a span must not end before it began.
    await db
      .updateTable('status_spans')
      .set({ ended_at: sql<Date>`greatest(began_at, ${new Date(at)}::timestamptz)` })
      .where('component_id', '=', componentId)
      .where('cause', '=', 'check')
      .where('ended_at', 'is', null)
      .execute();
    if (status !== 'operational')
      await spanStore.insert(db, [
        { componentId, status, beganAt: at, endedAt: null, cause: 'check', incidentId: null },
      ]);
  },

  /** Updates the spans of an incident to its affected components, from `at` (Unix ms) on. */
  async syncIncident(
    db: Database,
    { id, kind }: { id: string; kind: 'incident' | 'maintenance' },
    affected: readonly { id: string; status: ComponentStatus }[],
    at: number,
  ): Promise<void> {
    const open = await db
      .selectFrom('status_spans')
      .select(['id', 'component_id', 'status'])
      .where('incident_id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    const wanted = affected.filter(({ status }) => status !== 'operational');
    const ended = open
      .filter(
        (row) => !wanted.some((each) => each.id === row.component_id && each.status === row.status),
      )
      .map((row) => row.id);
    if (ended.length > 0)
      await db
        .updateTable('status_spans')
        .set({ ended_at: sql<Date>`greatest(began_at, ${new Date(at)}::timestamptz)` })
        .where('id', 'in', ended)
        .execute();
    const begun = wanted.filter(
      (each) => !open.some((row) => each.id === row.component_id && each.status === row.status),
    );
    await spanStore.insert(
      db,
      begun.map((each) => ({
        componentId: each.id,
        status: each.status,
        beganAt: at,
        endedAt: null,
        cause: kind,
        incidentId: id,
      })),
    );
  },

  /** Ends all open spans of a component. */
  async endAll(db: Database, componentId: string, at: Date): Promise<void> {
    await db
      .updateTable('status_spans')
      .set({ ended_at: sql<Date>`greatest(began_at, ${at}::timestamptz)` })
      .where('component_id', '=', componentId)
      .where('ended_at', 'is', null)
      .execute();
  },

  /** Response times of the hours from `ms` (Unix ms) on, oldest first. */
  async responseTimes(db: Database, ms: number): Promise<ResponseTime[]> {
    const rows = await db
      .selectFrom('status_response_times')
      .selectAll()
      .where('hour', '>=', new Date(ms))
      .orderBy('hour')
      .execute();
    return rows.map((row) => ({
      componentId: row.component_id,
      hour: row.hour.getTime(),
      count: row.count,
      sumMs: row.sum_ms,
    }));
  },

  async addResponseTimes(db: Database, times: readonly ResponseTime[]): Promise<void> {
    const rows = times.map(({ componentId, hour, count, sumMs }) => ({
      component_id: componentId,
      hour: new Date(hour),
      count,
      sum_ms: Math.round(sumMs),
    }));
    await db
      .insertInto('status_response_times')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['component_id', 'hour']).doUpdateSet({
          count: sql<number>`status_response_times.count + excluded.count`,
          sum_ms: sql<number>`status_response_times.sum_ms + excluded.sum_ms`,
        }),
      )
      .execute();
  },

  /** Deletes spans that ended, and response times, before `ms` (Unix ms). */
  async deleteBefore(db: Database, ms: number): Promise<void> {
    await db.deleteFrom('status_spans').where('ended_at', '<', new Date(ms)).execute();
    await db.deleteFrom('status_response_times').where('hour', '<', new Date(ms)).execute();
  },
};
