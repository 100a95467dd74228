import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createSalts,
  type SaltStore,
} from '../../../../src/areas/analytics/ingest/admission/salts.ts';
import { createSaltStore } from '../../../../src/areas/analytics/sites/site-store.ts';
import type { Database } from '../../../../src/platform/database/database.ts';
import { engines, openTestDatabase } from '../../../platform/database/engines.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monday = Date.UTC(2026, 2, 30);
const [pglite] = engines;

let db: Database;
let closeDb: () => Promise<void>;
let time: number;
const clock = { now: () => time };

beforeAll(async () => {
  ({ db, close: closeDb } = await openTestDatabase(pglite));
});
afterAll(async () => closeDb());
beforeEach(async () => {
  await db.deleteFrom('salts').execute();
  time = monday + 12 * hourMs;
});

const days = async () =>
  (await db.selectFrom('salts').select('day').orderBy('day').execute()).map(({ day }) => day);

/** The store, as long as the database answers. */
function breakable(): { store: SaltStore; away: (is: boolean) => void } {
  const store = createSaltStore(db);
  let isAway = false;
  const check = () => {
    if (isAway) throw new Error('the database is away');
  };
  return {
    away: (is) => (isAway = is),
    store: {
      async ensure(day, salt) {
        check();
        return store.ensure(day, salt);
      },
      async destroyBefore(day) {
        check();
        await store.destroyBefore(day);
      },
    },
  };
}

describe('the visitor salts', () => {
  it('are 16 random bytes, one for each UTC day, the same on every replica', async () => {
    const salts = createSalts({ store: createSaltStore(db), clock });
    await salts.refresh();
    const { day, today, yesterday } = salts.at(time);
    expect(day).toBe(monday / dayMs);
    expect([today.length, yesterday.length]).toEqual([16, 16]);
    expect(today.equals(yesterday)).toBe(false);
    const replica = createSalts({ store: createSaltStore(db), clock });
    await replica.refresh();
    expect(replica.at(time)).toEqual(salts.at(time));
  });

  it('of tomorrow are made in the last hour of the day, not before', async () => {
    const salts = createSalts({ store: createSaltStore(db), clock });
    time = monday + 23 * hourMs;
    await salts.refresh();
    expect(await days()).toHaveLength(2);
    time += 1;
    await salts.refresh();
    expect(await days()).toHaveLength(3);
    const { today } = salts.at(monday + dayMs - 1);
    expect(salts.at(monday + dayMs).yesterday.equals(today)).toBe(true);
    expect(salts.at(monday + dayMs).today.equals(today)).toBe(false);
  });

  it('are destroyed, in the database and in memory, 48 hours after their day began', async () => {
    const salts = createSalts({ store: createSaltStore(db), clock });
    await salts.refresh();
    const { today: former } = salts.at(time);
    time = monday + 2 * dayMs - 1;
    await salts.refresh();
    expect(await days()).toHaveLength(3);
    expect(salts.at(time).yesterday.equals(former)).toBe(true);
    time = monday + 2 * dayMs;
    await salts.refresh();
    expect(await days()).toHaveLength(2);
    expect(salts.at(monday).today.equals(former)).toBe(false);
  });

  it('go on through a midnight without the database, which takes the salt later', async () => {
    const { store, away } = breakable();
    const salts = createSalts({ store, clock });
    await salts.refresh();
    const { today: former } = salts.at(time);
    away(true);
    time = monday + dayMs;
    await expect(salts.refresh()).rejects.toThrow('away');
    const { today, yesterday } = salts.at(time);
    expect(yesterday.equals(former)).toBe(true);
    expect(today.equals(former)).toBe(false);
    away(false);
    await salts.refresh();
    expect(salts.at(time).today.equals(today)).toBe(true);
    const restarted = createSalts({ store, clock });
    await restarted.refresh();
    expect(restarted.at(time).today.equals(today)).toBe(true);
  });

  it('are not used after 48 hours, also when the database has been away all the time', async () => {
    const { store, away } = breakable();
    const salts = createSalts({ store, clock });
    await salts.refresh();
    const { today: former } = salts.at(time);
    away(true);
    for (time = monday + dayMs; time <= monday + 4 * dayMs; time += dayMs)
      await expect(salts.refresh()).rejects.toThrow('away');
    time -= dayMs;
    const { today, yesterday } = salts.at(time);
    expect([today, yesterday].some((salt) => salt.equals(former))).toBe(false);
    expect(salts.at(monday).today.equals(former)).toBe(false);
  });

  it('take over the salt that another replica has stored meanwhile', async () => {
    const { store, away } = breakable();
    const salts = createSalts({ store, clock });
    away(true);
    await expect(salts.refresh()).rejects.toThrow('away');
    salts.at(time);
    const replica = createSalts({ store: createSaltStore(db), clock });
    await replica.refresh();
    away(false);
    await salts.refresh();
    expect(salts.at(time).today.equals(replica.at(time).today)).toBe(true);
  });
});
