import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import type { Tables } from '../../../../platform/database/tables.ts';
import type { Device } from '../store.ts';

export type ApprovalRequest = Selectable<Tables['clearance_requests']>;

/** A request with its device. */
export interface RequestRow {
  request: ApprovalRequest;
  device: Device;
}

export interface Settlement {
  state: 'approved' | 'denied' | 'expired' | 'withdrawn';
  at: Date;
  by: string;
  note: string | null;
}

export const approvalRequestStore = {
  find: (db: Database, id: string): Promise<ApprovalRequest | undefined> =>
    db.selectFrom('clearance_requests').selectAll().where('id', '=', id).executeTakeFirst(),

  findOpen: (db: Database, deviceId: string): Promise<ApprovalRequest | undefined> =>
    db
      .selectFrom('clearance_requests')
      .selectAll()
      .where('device_id', '=', deviceId)
      .where('state', '=', 'open')
      .executeTakeFirst(),

  /** The newest request of a device, in any state. */
  findNewest: (db: Database, deviceId: string): Promise<ApprovalRequest | undefined> =>
    db
      .selectFrom('clearance_requests')
      .selectAll()
      .where('device_id', '=', deviceId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst(),

  async insert(db: Database, request: ApprovalRequest): Promise<void> {
    await db.insertInto('clearance_requests').values(request).execute();
  },

  /** Locks the user's row until the transaction ends, to serialize their requests. */
  async lockOwner(db: Database, userId: string): Promise<void> {
    await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  },

  /** Counts the user's open requests, and those created after `since`. */
  async count(
    db: Database,
    userId: string,
    { now, since }: { now: Date; since: Date },
  ): Promise<{ open: number; recent: number }> {
    return db
      .selectFrom('clearance_requests')
      .where('user_id', '=', userId)
      .select([
        sql<number>`count(*) filter (where state = 'open' and expires_at > ${now})::int`.as('open'),
        sql<number>`count(*) filter (where created_at > ${since})::int`.as('recent'),
      ])
      .executeTakeFirstOrThrow();
  },

  /** Settles an open request. Returns false when it was settled already. */
  async settle(db: Database, id: string, { state, at, by, note }: Settlement): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('clearance_requests')
      .set({ state, decided_at: at, decided_by: by, note })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Settles the open request of a device, if it has one. */
  async settleOpen(
    db: Database,
    deviceId: string,
    { state, at, by, note }: Settlement,
  ): Promise<void> {
    await db
      .updateTable('clearance_requests')
      .set({ state, decided_at: at, decided_by: by, note })
      .where('device_id', '=', deviceId)
      .where('state', '=', 'open')
      .execute();
  },

  /** Increments the count of wrong numbers and returns it. */
  async countWrongNumber(db: Database, id: string): Promise<number> {
    const row = await db
      .updateTable('clearance_requests')
      .set({ wrong_numbers: sql`wrong_numbers + 1` })
      .where('id', '=', id)
      .returning('wrong_numbers')
      .executeTakeFirst();
    return row?.wrong_numbers ?? 0;
  },

  /** Open requests oldest first, or decided ones latest first. */
  async list(
    db: Database,
    which: 'open' | 'decided',
    at: Date,
    limit: number,
  ): Promise<RequestRow[]> {
    const query = db.selectFrom('clearance_requests').selectAll().limit(limit);
    const requests = await (
      which === 'open'
        ? query.where('state', '=', 'open').where('expires_at', '>', at).orderBy('created_at')
        : query
            .where('state', 'in', ['approved', 'denied', 'expired'])
            .orderBy('decided_at', 'desc')
    ).execute();
    const devices =
      requests.length === 0
        ? []
        : await db
            .selectFrom('devices')
            .selectAll()
            .where(
              'id',
              'in',
              requests.map(({ device_id: id }) => id),
            )
            .execute();
    const byId = new Map(devices.map((device) => [device.id, device]));
    return requests.flatMap((request) => {
      const device = byId.get(request.device_id);
      return device === undefined ? [] : [{ request, device }];
    });
  },
};
