import { sql } from 'kysely';
import type { Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { isUuid } from '../../../lib/ids.ts';
import { storableText } from '../../../lib/text/storable-text.ts';
import { contains } from '../../../platform/database/contains.ts';
import { searchUsers } from '../users/queries/search.ts';

export type Device = Selectable<Tables['devices']>;

export type DevicePatch = Omit<Updateable<Tables['devices']>, 'id' | 'user_id' | 'first_seen'>;

/** The signals that made a risk rule suspend a device. */
export const suspectSchema = z.object({
  country: z.string().nullable(),
  platform: z.string().nullable(),
  os: z.string().nullable(),
  browser: z.string().nullable(),
  browser_major: z.number().nullable(),
});
export type Suspect = z.output<typeof suspectSchema>;

export interface DeviceFilter {
  state?: Device['state'] | undefined;
  /** Any part of its name, or of its owner's name, address or number, case-insensitive. */
  text?: string | undefined;
  after?: string | undefined;
}

/** Where and when a known device was seen. */
export interface Sighting {
  at: Date;
  address: string | null;
  country: string | null;
  browser_major: number | null;
}

export interface RotatedSecret {
  secret_hash: string;
  generation: number;
  rotation: string;
  /** Hash of the client's network and User-Agent that it was sent to. */
  from: string | null;
  at: Date;
}

/** Every method takes the database or a transaction. */
export const deviceStore = {
  /** `id` is unvalidated client input. */
  find: async (db: Database, id: string): Promise<Device | undefined> =>
    isUuid(id)
      ? db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst()
      : undefined,

  /** Like `find`, with a row lock until the transaction ends. */
  lock: (db: Database, id: string): Promise<Device | undefined> =>
    db.selectFrom('devices').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

  /** The user's device with this key thumbprint, unless revoked. */
  findByKey: (db: Database, userId: string, jkt: string): Promise<Device | undefined> =>
    db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('jkt', '=', jkt)
      .where('state', '<>', 'revoked')
      .executeTakeFirst(),

  /** The user's devices that are not revoked, last used first. */
  listByUser: (db: Database, userId: string): Promise<Device[]> =>
    db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('state', '<>', 'revoked')
      .orderBy('last_seen', 'desc')
      .orderBy('id')
      .execute(),

  /** At most `limit` devices of all users, last used first, after the one with the id `after`. */
  async list(db: Database, limit: number, { state, text, after }: DeviceFilter): Promise<Device[]> {
    let query = db
      .selectFrom('devices')
      .selectAll()
      .orderBy('last_seen', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (state !== undefined) query = query.where('state', '=', state);
    if (text !== undefined)
      query = query.where(
        sql<boolean>`(fold_case(name) like fold_case(${contains(storableText(text))})
          or user_id in (select id from users where ${searchUsers(text)}))`,
      );
    if (after !== undefined)
      query = query.where(
        sql<boolean>`(last_seen, id) <
          (select last_seen, id from devices where id = ${after})`,
      );
    return query.execute();
  },

  /** Returns false when the session has enrolled a device already, or the key is taken. */
  async insert(db: Database, device: Device): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('devices')
      .values({ ...device, suspect: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  },

  /** Updates a device in one of the states `from`. Undefined when it is in none of them. */
  update: (
    db: Database,
    id: string,
    from: readonly Device['state'][],
    changes: DevicePatch,
  ): Promise<Device | undefined> =>
    db
      .updateTable('devices')
      .set(changes)
      .where('id', '=', id)
      .where('state', 'in', from)
      .returningAll()
      .executeTakeFirst(),

  findByEnrolment: (db: Database, sessionId: string): Promise<Device | undefined> =>
    db.selectFrom('devices').selectAll().where('enrolled_in', '=', sessionId).executeTakeFirst(),

  /** Allows the session to enrol another device. */
  async releaseEnrolment(db: Database, sessionId: string): Promise<void> {
    await db
      .updateTable('devices')
      .set({ enrolled_in: null })
      .where('enrolled_in', '=', sessionId)
      .execute();
  },

  /** Replaces the secret with the hash `before`. Returns false when another request did. */
  async rotate(
    db: Database,
    id: string,
    before: string,
    { secret_hash, generation, rotation, from, at }: RotatedSecret,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('devices')
      .set({
        secret_hash,
        generation,
        previous_secret_hash: before,
        rotation,
        rotated_at: at,
        rotated_from: from,
        confirmed_at: null,
      })
      .where('id', '=', id)
      .where('secret_hash', '=', before)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Records that the device has received the current secret. */
  async confirm(db: Database, id: string, hash: string, at: Date): Promise<void> {
    await db
      .updateTable('devices')
      .set({ confirmed_at: at })
      .where('id', '=', id)
      .where('secret_hash', '=', hash)
      .where('confirmed_at', 'is', null)
      .execute();
  },

  /** Records where a device was seen. Use extends its approval, up to the absolute limit. */
  async recordSighting(
    db: Database,
    id: string,
    { at, address, country, browser_major }: Sighting,
    unusedMs: number,
    absoluteMs: number,
  ): Promise<void> {
    await db
      .updateTable('devices')
      .set({
        last_seen: at,
        address,
        country_at: sql`case when ${country}::text is null then country_at
          else ${at}::timestamptz end`,
        browser_major: sql`coalesce(${browser_major}::integer, browser_major)`,
        country: sql`coalesce(${country}::text, country)`,
        // Until a country has been accepted, the first known one is.
        countries: sql`case when ${country}::text is null or cardinality(countries) > 0
          then countries else array[${country}::text] end`,
        expires_at: sql`case when state = 'cleared' then least(
            ${new Date(at.getTime() + unusedMs)}::timestamptz,
            cleared_at + ${absoluteMs} * interval '1 millisecond'
          ) else expires_at end`,
      })
      .where('id', '=', id)
      .execute();
  },

  /** Overdue devices, longest overdue first. Suspended ones were removed. */
  listOverdue: (
    db: Database,
    state: 'cleared' | 'pending' | 'suspended',
    at: Date,
    limit: number,
  ): Promise<Device[]> =>
    db
      .selectFrom('devices')
      .selectAll()
      .where('state', '=', state)
      .where('expires_at', '<=', at)
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  /** Revoked devices whose sessions may still be open. */
  listUnfinished: (db: Database, limit: number): Promise<Device[]> =>
    db
      .selectFrom('devices')
      .selectAll()
      .where('state', '=', 'revoked')
      .where('sessions_ended_at', 'is', null)
      .limit(limit)
      .execute(),

  async markSessionsEnded(db: Database, id: string, at: Date): Promise<void> {
    await db
      .updateTable('devices')
      .set({ sessions_ended_at: at })
      .where('id', '=', id)
      .where('sessions_ended_at', 'is', null)
      .execute();
  },

  /** Deletes devices that left `pending` or `cleared` before `before`; returns their number. */
  async deleteOldest(db: Database, limit: number, before: Date): Promise<number> {
    const old = db
      .selectFrom('devices')
      .select('id')
      .where('state', 'not in', ['pending', 'cleared'])
      .where('state_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('devices')
      .where('id', 'in', old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },

  /** Names of up to five other admins with an approved device, last seen first. */
  async listAdminNames(db: Database, exceptUserId: string): Promise<string[]> {
    const { rows } = await sql<{ name: string | null }>`
      select coalesce(
        users.name,
        (
          select value from identities
          where user_id = users.id and kind = 'email' and verified_at is not null
          order by created_at limit 1
        )
      ) as name
      from users
      where 'admin' = any(roles) and disabled_at is null and id <> ${exceptUserId}
        and exists (select from devices where user_id = users.id and state = 'cleared')
      order by last_seen_at desc nulls last
      limit 5`.execute(db);
    return rows.flatMap(({ name }) => name ?? []);
  },

  /** Claims the slot of the first device. Returns false when a device was ever cleared. */
  async claimFirst(db: Database, deviceId: string, at: Date): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      insert into first_cleared_device (one, device_id, at)
      select true, ${deviceId}, ${at}
      where not exists (select from devices where cleared_at is not null)
      on conflict do nothing`.execute(db);
    return numAffectedRows > 0n;
  },

  /** Releases the slot of the first device. */
  async releaseFirst(db: Database, deviceId: string): Promise<void> {
    await db.deleteFrom('first_cleared_device').where('device_id', '=', deviceId).execute();
  },
};
