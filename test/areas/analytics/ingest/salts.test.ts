import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createSalts } from '../../../../src/areas/analytics/ingest/admission/salts.ts';
import { createSaltStore, type SaltStore } from '../../../../src/areas/analytics/ingest/store.ts';
import { dayMs, hourMs } from '../../../../src/lib/durations.ts';
import { engines, openTestDatabase } from '../../../platform/database/engines.ts';

const monday = Date.UTC(2026, 2, 30);
const [pglite] = engines;

let time: number;
const clock = { now: () => time };

const { db, close: closeDb } = await openTestDatabase(pglite);
afterAll(async () => closeDb());
beforeEach(async () => {
  await db.deleteFrom('salts').execute();
  time = monday + 12 * hourMs;
});

const days = async () =>
  (await db.selectFrom('salts').select('day').orderBy('day').execute()).map(({ day }) => day);

const newSalts = (store = createSaltStore(db)) => createSalts({ store, clock });
async function loadSalts(store?: SaltStore) {
  const salts = newSalts(store);
  await salts.refresh();
  return salts;
}

/** A store whose database can be switched off. */
function breakableStore(): { store: SaltStore; setDown: (down: boolean) => void } {
  const store = createSaltStore(db);
  let isDown = false;
  const check = () => {
    if (isDown) throw new Error('the database is away');
  };
  return {
    setDown: (down) => (isDown = down),
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
  it('are 16 random bytes per UTC day, the same on every replica', async () => {
    const salts = await loadSalts();
    const { day, today, yesterday } = salts.at(time);
    expect(day).toBe(monday / dayMs);
    expect(today).toHaveLength(16);
    expect(yesterday).toHaveLength(16);
    expect(today.equals(yesterday)).toBe(false);
    const replica = await loadSalts();
    expect(replica.at(time)).toEqual(salts.at(time));
  });

  it('for tomorrow are created in the last hour of the day, not before', async () => {
    const salts = newSalts();
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

  it('are destroyed in the database and in memory 48 hours after their day began', async () => {
    const salts = await loadSalts();
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

  it('survive a midnight without the database, and are stored once it is back', async () => {
    const { store, setDown } = breakableStore();
    const salts = await loadSalts(store);
    const { today: former } = salts.at(time);
    setDown(true);
    time = monday + dayMs;
    await expect(salts.refresh()).rejects.toThrow('away');
    const { today, yesterday } = salts.at(time);
    expect(yesterday.equals(former)).toBe(true);
    expect(today.equals(former)).toBe(false);
    setDown(false);
    await salts.refresh();
    expect(salts.at(time).today.equals(today)).toBe(true);
    const restarted = await loadSalts(store);
    expect(restarted.at(time).today.equals(today)).toBe(true);
  });

  it('are not used after 48 hours, even if the database was down all along', async () => {
    const { store, setDown } = breakableStore();
    const salts = await loadSalts(store);
    const { today: former } = salts.at(time);
    setDown(true);
    for (time = monday + dayMs; time <= monday + 4 * dayMs; time += dayMs)
      await expect(salts.refresh()).rejects.toThrow('away');
    time -= dayMs;
    const { today, yesterday } = salts.at(time);
    expect([today, yesterday].some((salt) => salt.equals(former))).toBe(false);
    expect(salts.at(monday).today.equals(former)).toBe(false);
  });

  it('adopt the salt that another replica stored in the meantime', async () => {
    const { store, setDown } = breakableStore();
    const salts = newSalts(store);
    setDown(true);
    await expect(salts.refresh()).rejects.toThrow('away');
    salts.at(time);
    const replica = await loadSalts();
    setDown(false);
    await salts.refresh();
    expect(salts.at(time).today.equals(replica.at(time).today)).toBe(true);
  });
});
