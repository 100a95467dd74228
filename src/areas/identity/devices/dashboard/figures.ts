import { sql } from 'kysely';
import { dayMs } from '../../../../lib/durations.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { DeviceState } from '../states.ts';

const staleDays = 14;
export const maxListed = 50;

export async function countStates(db: Database): Promise<Record<DeviceState, number>> {
  const rows = await db
    .selectFrom('devices')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .groupBy('state')
    .execute();
  const counts: Record<DeviceState, number> = {
    unknown: 0,
    pending: 0,
    cleared: 0,
    expired: 0,
    suspended: 0,
    denied: 0,
    revoked: 0,
  };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Open requests, oldest first. */
export async function listOpenRequests(db: Database, now: number) {
  const rows = await db
    .selectFrom('clearance_requests')
    .select(['id', 'device_id', 'user_id', 'created_at'])
    .where('state', '=', 'open')
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at')
    .limit(maxListed)
    .execute();
  const { total } = await db
    .selectFrom('clearance_requests')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('state', '=', 'open')
    .where('expires_at', '>', new Date(now))
    .executeTakeFirstOrThrow();
  const requests = rows.map(({ id, device_id, user_id, created_at: at }) => ({
    request_id: id,
    device_id,
    user_id,
    age_seconds: Math.max(0, Math.floor((now - at.getTime()) / 1000)),
  }));
  return { total, oldest_age_seconds: requests[0]?.age_seconds ?? null, requests };
}

/** Cleared devices that have not been used for 14 days, longest unused first. */
export async function listStaleDevices(db: Database, now: number) {
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'user_id', 'name', 'last_seen'])
    .where('state', '=', 'cleared')
    .where('last_seen', '<', new Date(now - staleDays * dayMs))
    .orderBy('last_seen')
    .limit(maxListed)
    .execute();
  return rows.map(({ id, user_id, name, last_seen: seen }) => ({
    device_id: id,
    user_id,
    name,
    last_seen: seen.toISOString(),
  }));
}

export async function listAdminsWithoutDevice(db: Database) {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, name from users
    where 'admin' = any(roles) and disabled_at is null
      and not exists (select from devices where user_id = users.id and state = 'cleared')
    order by created_at limit ${maxListed}`.execute(db);
  return rows.map(({ id, name }) => ({ user_id: id, name }));
}
