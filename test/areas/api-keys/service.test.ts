import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKeys } from '../../../src/areas/api-keys/service.ts';
import type { ApiKeys } from '../../../src/areas/api-keys/service.ts';
import { createApiKeyStore } from '../../../src/areas/api-keys/store.ts';
import type { ApiKeyStore } from '../../../src/areas/api-keys/store.ts';
import { minuteMs as minute } from '../../../src/lib/durations.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { availableEngines, openTestDatabase } from '../../platform/database/engines.ts';

const adminKey = 'an-admin-key-for-tests-0123456789abcdef';

function countingStore(store: ApiKeyStore) {
  const touch = vi.fn((...use: Parameters<ApiKeyStore['touch']>) => store.touch(...use));
  return { ...store, findByHash: vi.fn(store.findByHash), touch };
}

describe.each(availableEngines)('API keys on $name', (engine) => {
  let db: Database;
  let close: () => Promise<void>;
  let now = Date.UTC(2026, 2, 4);
  let store: ReturnType<typeof countingStore>;
  let apiKeys: ApiKeys;
  const clock = { now: () => now };
  const replica = (): ApiKeys => createApiKeys({ store: createApiKeyStore(db), clock });

  beforeAll(async () => {
    ({ db, close } = await openTestDatabase(engine));
  }, 60_000);
  afterAll(() => close());

  beforeEach(async () => {
    await db.deleteFrom('api_keys').execute();
    now += 24 * 60 * minute;
    store = countingStore(createApiKeyStore(db));
    apiKeys = createApiKeys({ store, clock, adminKey });
  });

  const make = (name = 'test') =>
    apiKeys.create({ name, scopes: ['analytics:read'], expires_at: null });

  it('shows a new key once, and stores only its hash', async () => {
    const made = await make('crm');
    const never = { last_used_at: null, expires_at: null, revoked_at: null };
    expect(made).toMatchObject({ name: 'crm', scopes: ['analytics:read'], ...never });
    expect(made.key).toMatch(/^svc_[A-Za-z0-9_-]{43}$/);
    expect(made.key.startsWith(made.hint)).toBe(true);
    expect(await apiKeys.get(made.id)).not.toHaveProperty('key');
    expect(JSON.stringify(await apiKeys.list({ limit: 10 }))).not.toContain(made.key);
    const rows = await db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(made.key.slice(12));
  });

  it('recognises the key, but nothing that only resembles it', async () => {
    const { id, key } = await make();
    const principal = { kind: 'api_key', id, scopes: ['analytics:read'] };
    expect(await apiKeys.authenticate(key)).toEqual(principal);
    const parts = ['', 'svc_', key.slice(0, -1), `${key}x`, ` ${key}`];
    for (const wrong of [...parts, key.toUpperCase(), `svc_${'A'.repeat(43)}`])
      expect(await apiKeys.authenticate(wrong)).toBeUndefined();
  });

  it('queries the store once for many uses within ten seconds, known or unknown', async () => {
    const { key } = await make();
    const unknown = `svc_${'B'.repeat(43)}`;
    await Promise.all(Array.from({ length: 20 }, () => apiKeys.authenticate(key)));
    await Promise.all(Array.from({ length: 20 }, () => apiKeys.authenticate(unknown)));
    expect(store.findByHash).toHaveBeenCalledTimes(2);
    now += 10_001;
    await apiKeys.authenticate(key);
    expect(store.findByHash).toHaveBeenCalledTimes(3);
  });

  it('does not query the store for a malformed key', async () => {
    await apiKeys.authenticate('hello');
    await apiKeys.authenticate(adminKey);
    expect(store.findByHash).not.toHaveBeenCalled();
  });

  it('rejects a revoked key at once here, and within ten seconds elsewhere', async () => {
    const { id, key } = await make();
    const elsewhere = replica();
    expect(await apiKeys.authenticate(key)).toBeDefined();
    expect(await elsewhere.authenticate(key)).toBeDefined();
    await apiKeys.revoke(id);
    expect(await apiKeys.authenticate(key)).toBeUndefined();
    now += 10_001;
    expect(await elsewhere.authenticate(key)).toBeUndefined();
  });

  it('does not cache a key that was read just before its revocation', async () => {
    const { id, key } = await make();
    let response: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      response = resolve;
    });
    store.findByHash.mockImplementationOnce(async (hash) => {
      const row = await createApiKeyStore(db).findByHash(hash);
      await held;
      return row;
    });
    const early = apiKeys.authenticate(key);
    await vi.waitFor(() => expect(store.findByHash).toHaveBeenCalledTimes(1), {
      timeout: 10_000,
    });
    await apiKeys.revoke(id);
    const late = apiKeys.authenticate(key);
    response();
    await early;
    expect(await late).toBeUndefined();
    expect(await apiKeys.authenticate(key)).toBeUndefined();
  });

  it('revokes once: a second time changes nothing', async () => {
    const { id } = await make();
    const first = await apiKeys.revoke(id);
    now += minute;
    expect(first.revoked_at).toEqual(expect.any(String));
    expect(await apiKeys.revoke(id)).toEqual(first);
    await expect(apiKeys.revoke('01890000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      status: 404,
      code: 'api_keys.not_found',
    });
  });

  it('rejects an expired key, even a cached one', async () => {
    const { key } = await apiKeys.create({
      name: 'x',
      scopes: ['admin'],
      expires_at: new Date(now + 5000).toISOString(),
    });
    expect(await apiKeys.authenticate(key)).toBeDefined();
    now += 5000;
    expect(await apiKeys.authenticate(key)).toBeUndefined();
  });

  it('records the use of a key at most once a minute', async () => {
    const { id, key } = await make();
    await apiKeys.authenticate(key);
    const used = new Date(now).toISOString();
    await vi.waitFor(
      async () => expect(await apiKeys.get(id)).toMatchObject({ last_used_at: used }),
      { timeout: 10_000 },
    );
    now += 30_000;
    await apiKeys.authenticate(key);
    now += 29_999;
    await apiKeys.authenticate(key);
    expect(store.touch).toHaveBeenCalledTimes(1);
    now += 1;
    await apiKeys.authenticate(key);
    await vi.waitFor(
      async () =>
        expect(await apiKeys.get(id)).toMatchObject({ last_used_at: new Date(now).toISOString() }),
      { timeout: 10_000 },
    );
    expect(store.touch).toHaveBeenCalledTimes(2);
  });

  it('does not let two processes both write the time of use', async () => {
    const { id } = await make();
    await store.touch(id, new Date(now), new Date(now - minute));
    await store.touch(id, new Date(now + 1000), new Date(now + 1000 - minute));
    expect(await apiKeys.get(id)).toMatchObject({ last_used_at: new Date(now).toISOString() });
  });

  it("accepts a cached key even if the time of use can't be written", async () => {
    const { key } = await make();
    store.touch.mockRejectedValueOnce(new Error('away'));
    expect(await apiKeys.authenticate(key)).toBeDefined();
  });

  it('rejects while the store is unavailable, and queries it again afterwards', async () => {
    const { key } = await make();
    store.findByHash.mockRejectedValueOnce(new Error('away'));
    await expect(apiKeys.authenticate(key)).rejects.toThrow('away');
    expect(await apiKeys.authenticate(key)).toBeDefined();
  });

  it('lists newest first, page by page, each key once', async () => {
    for (let n = 1; n <= 7; n++) {
      now += 1;
      await make(`key ${n}`);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await apiKeys.list({ limit: 3, cursor });
      expect(page.total).toBe(7);
      seen.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['key 7', 'key 6', 'key 5', 'key 4', 'key 3', 'key 2', 'key 1']);
    expect((await apiKeys.list({ limit: 7 })).next_cursor).toBeNull();
  });

  it('accepts ADMIN_API_KEY only while it is configured', async () => {
    const principal = { kind: 'api_key', id: 'env', scopes: ['admin'] };
    expect(await apiKeys.authenticate(adminKey)).toEqual(principal);
    expect(await apiKeys.authenticate(adminKey.slice(1))).toBeUndefined();
    expect(await replica().authenticate(adminKey)).toBeUndefined();
  });
});
