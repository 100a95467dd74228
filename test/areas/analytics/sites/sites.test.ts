import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createSites } from '../../../../src/areas/analytics/sites/sites.ts';
import { createSiteStore, type SiteStore } from '../../../../src/areas/analytics/sites/store.ts';
import { engines, openTestDatabase } from '../../../platform/database/engines.ts';

const [pglite] = engines;
let time = 1_750_000_000_000;
const clock = { now: () => time };

const { db, close: closeDb } = await openTestDatabase(pglite);
const store = createSiteStore(db);
afterAll(async () => closeDb());
beforeEach(async () => {
  await db.deleteFrom('sites').execute();
});

const open = (limit = 10, from = store) =>
  createSites({ store: from, clock, registration: () => 'open', limit });
const closed = (from = store) =>
  createSites({ store: from, clock, registration: () => 'closed', limit: 10 });

/** A store that counts its lookups. */
function countingStore(): { store: SiteStore; lookups: () => number } {
  let lookups = 0;
  return {
    lookups: () => lookups,
    store: {
      ...store,
      find: async (key) => {
        lookups += 1;
        return store.find(key);
      },
    },
  };
}

describe('sites', () => {
  it('are registered with defaults by their first event and kept after a restart', async () => {
    const sites = open();
    expect(sites.peek('shop')).toBeUndefined();
    const shop = await sites.get('shop');
    expect(shop).toMatchObject({ key: 'shop', settings: { honour_gpc: true, honour_dnt: false } });
    expect(sites.peek('shop')).toBe(shop);
    const again = closed();
    await again.load();
    expect(again.peek('shop')).toEqual(shop);
    expect(await again.get('shop')).toEqual(shop);
  });

  it('are listed once, even when the store reads several names as one', async () => {
    const sites = open();
    for (const name of ['shop\ud800', 'shop\udfff', 'shop\ufffd'])
      expect(await sites.get(name)).toMatchObject({ key: 'shop\ufffd' });
    expect(sites.list().map(({ key }) => key)).toEqual(['shop\ufffd']);
  });

  it('are looked up once, however many concurrent requests name a new one', async () => {
    const { store: watched, lookups } = countingStore();
    const sites = open(10, watched);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => sites.get('shop')));
    expect(new Set(answers.map((site) => site?.id)).size).toBe(1);
    expect(lookups()).toBe(1);
    expect(sites.list()).toHaveLength(1);
  });

  it('are not registered beyond the limit, even concurrently', async () => {
    const sites = open(3);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => sites.get(`site-${n}`)),
    );
    expect(answers.filter((site) => site !== undefined)).toHaveLength(3);
    expect(await store.count()).toBe(3);
    const ids = sites.list().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('that are refused are looked up again after ten seconds, not before', async () => {
    const { store: watched, lookups } = countingStore();
    const sites = closed(watched);
    expect(await sites.get('new')).toBeUndefined();
    expect(await sites.get('new')).toBeUndefined();
    expect(lookups()).toBe(1);
    await store.insert('new', new Date(time));
    time += 10_001;
    expect(await sites.get('new')).toMatchObject({ key: 'new' });
  });

  it('that are closed are known and refuse every event', async () => {
    await store.insert('old', new Date(time));
    await db.updateTable('sites').set({ closed: true }).where('site_id', '=', 'old').execute();
    const sites = open();
    await sites.load();
    const subject = {
      hostname: null,
      pathname: '/',
      isTrusted: true,
      ip: '203.0.113.7',
      country: () => undefined,
    };
    for (const site of [sites.peek('old'), await sites.get('old'), ...sites.list()]) {
      expect(site).toMatchObject({ key: 'old', closed: true });
      expect(site?.rules?.rejection(subject)).toMatchObject({ code: 'site_closed' });
    }
    expect(await store.count()).toBe(1);
  });

  it('that were changed elsewhere are up to date once reloaded', async () => {
    const sites = closed();
    expect(await sites.get('late')).toBeUndefined();
    await store.insert('late', new Date(time));
    expect(await sites.get('late')).toBeUndefined();
    await sites.reload('late');
    expect(await sites.get('late')).toMatchObject({ closed: false, rules: undefined });
    await db
      .updateTable('sites')
      .set({ settings: JSON.stringify({ hosts: ['example.com'] }) })
      .where('site_id', '=', 'late')
      .execute();
    await Promise.all([sites.reload(), sites.reload('late')]);
    expect(sites.peek('late')).toMatchObject({
      settings: { hosts: ['example.com'], honour_gpc: true, retention_days: null },
    });
    expect(sites.peek('late')?.rules).toBeDefined();
  });

  it('can be looked up again after the store failed', async () => {
    let broken = true;
    const failing: SiteStore = {
      ...store,
      count: async () => {
        if (broken) throw new Error('the database is away');
        return store.count();
      },
    };
    const sites = open(10, failing);
    await expect(sites.get('shop')).rejects.toThrow('away');
    broken = false;
    expect(await sites.get('shop')).toMatchObject({ key: 'shop' });
  });
});
