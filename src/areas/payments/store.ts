import { sql } from 'kysely';
import type { Insertable, Selectable } from 'kysely';
import { cancellable, type Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Plan } from './plan-merge.ts';

export type EventStatus = Tables['payment_events']['status'];
export type EventRow = Selectable<Tables['payment_events']>;

export type ListedEvent = Omit<EventRow, 'payload'>;

interface EventFilter {
  status?: EventStatus | undefined;
  after?: string | undefined;
}

const listColumns = [
  'id',
  'type',
  'created',
  'received_at',
  'status',
  'attempts',
  'error_code',
  'processed_at',
] as const;

/** A plan change to store with its event. */
interface AppliedChange {
  id: string;
  userId: string;
  merge: (current: Plan | undefined) => Plan;
  now: Date;
}

function toPlan(row: Selectable<Tables['plans']>): Plan {
  const {
    plan,
    status,
    current_period_end: currentPeriodEnd,
    customer_id: customerId,
    subscription_id: subscriptionId,
    event_created: eventCreated,
  } = row;
  return { plan, status, currentPeriodEnd, customerId, subscriptionId, eventCreated };
}

async function readPlan(db: Database, userId: string): Promise<Plan | undefined> {
  const query = db.selectFrom('plans').selectAll().where('user_id', '=', userId);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : toPlan(row);
}

async function writePlan(db: Database, userId: string, plan: Plan, now: Date): Promise<void> {
  const values = {
    plan: plan.plan,
    status: plan.status,
    current_period_end: plan.currentPeriodEnd,
    customer_id: plan.customerId,
    subscription_id: plan.subscriptionId,
    updated_at: now,
    event_created: plan.eventCreated,
  };
  await db
    .insertInto('plans')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Undoes the settlement of an event, so that it is handled again. */
const pending = { status: 'pending', error_code: null, processed_at: null, attempts: 0 } as const;

/** Payment events and plans in SQL. */
export const createPaymentStore = (db: Database) => ({
  /**
   * At most `limit` events, last received first, without payload, after the one with id `after`.
   */
  async list(
    limit: number,
    { status, after }: EventFilter,
    signal?: AbortSignal,
  ): Promise<ListedEvent[]> {
    let query = cancellable(db, signal)
      .selectFrom('payment_events')
      .select(listColumns)
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (status !== undefined) query = query.where('status', '=', status);
    if (after !== undefined) {
      const last = sql`select received_at, id from payment_events where id = ${after}`;
      query = query.where(sql<boolean>`(received_at, id) < (${last})`);
    }
    return query.execute();
  },

  countByStatus: (signal?: AbortSignal): Promise<{ status: EventStatus; count: number }[]> =>
    cancellable(db, signal)
      .selectFrom('payment_events')
      .select(['status', sql<number>`count(*)::int`.as('count')])
      .groupBy('status')
      .execute(),

  /** At most `limit` pending events received before `time`, oldest first. */
  async pendingBefore(time: Date, limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom('payment_events')
      .select('id')
      .where('status', '=', 'pending')
      .where('received_at', '<', time)
      .orderBy('received_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },

  /** Stores an event unless it is stored already. Returns the status of the stored event. */
  async enter(
    row: Insertable<Tables['payment_events']>,
  ): Promise<{ isNew: boolean; status: EventStatus }> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('payment_events')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) return { isNew: true, status: row.status };
    const { status } = await db
      .selectFrom('payment_events')
      .select('status')
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow();
    return { isNew: false, status };
  },

  /** Counts an attempt and returns the event; undefined when it is settled or unknown. */
  begin: (id: string): Promise<EventRow | undefined> =>
    db
      .updateTable('payment_events')
      .set({ attempts: sql`attempts + 1` })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst(),

  async settle(
    id: string,
    status: EventStatus,
    errorCode: string | null,
    now: Date,
  ): Promise<void> {
    await db
      .updateTable('payment_events')
      .set({ status, error_code: errorCode, processed_at: now })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  },

  /**
   * Deletes up to `limit` of the oldest events received before `time`; plans stay. Returns the
   * count.
   */
  async deleteOldest(limit: number, time: Date): Promise<number> {
    const oldest = db
      .selectFrom('payment_events')
      .select('id')
      .where('received_at', '<', time)
      .orderBy('received_at')
      .limit(limit);
    const query = db.deleteFrom('payment_events').where('id', 'in', oldest);
    return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
  },

  /** Makes a failed event pending again. Returns undefined when it has not failed. */
  reopen: (id: string): Promise<ListedEvent | undefined> =>
    db
      .updateTable('payment_events')
      .set(pending)
      .where('id', '=', id)
      .where('status', '=', 'failed')
      .returning(listColumns)
      .executeTakeFirst(),

  /** Reopens events received since `since` whose customer was unknown and is known now. */
  async reopenKnown(since: Date): Promise<string[]> {
    const customer = sql`payload #>> '{data,object,customer}'`;
    const rows = await db
      .updateTable('payment_events')
      .set(pending)
      .where('status', '=', 'failed')
      .where('error_code', '=', 'user_unknown')
      .where('received_at', '>=', since)
      .where(sql<boolean>`${customer} in (select customer_id from plans)`)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  },

  plan: (userId: string): Promise<Plan | undefined> => readPlan(db, userId),

  /** The first of the ids that belongs to a user. */
  async firstUser(ids: readonly string[]): Promise<string | undefined> {
    if (ids.length === 0) return undefined;
    const rows = await db.selectFrom('users').select('id').where('id', 'in', ids).execute();
    return ids.map((id) => id.toLowerCase()).find((id) => rows.some((row) => row.id === id));
  },

  async userOfCustomer(customerId: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('plans')
      .select('user_id')
      .where('customer_id', '=', customerId)
      .orderBy('event_created', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.user_id;
  },

  /**
   * Changes the plan and settles the event, atomically; false when the event was settled
   * meanwhile. Row locks serialise the handling of one event, and of all events of one user.
   */
  async apply({ id, userId, merge, now }: AppliedChange): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const event = await transaction
        .selectFrom('payment_events')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .forUpdate()
        .executeTakeFirst();
      if (event === undefined) return false;
      await transaction
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow();
      await writePlan(transaction, userId, merge(await readPlan(transaction, userId)), now);
      await transaction
        .updateTable('payment_events')
        .set({ status: 'done', error_code: null, processed_at: now })
        .where('id', '=', id)
        .execute();
      return true;
    });
  },
});

export type PaymentStore = ReturnType<typeof createPaymentStore>;
