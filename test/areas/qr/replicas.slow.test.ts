import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { type QrClient, qrClient, target } from './support.ts';

// Two replicas over one PostgreSQL and one Redis, with the same secret.
const replicas: FreshApp[] = [];

/** Requests to the replicas by turns. */
const client = (at: number): QrClient => {
  const app = replicas[at % 2];
  if (app === undefined) throw new Error('no replica');
  return qrClient(app);
};

const database = await newServerDatabase({ hasTables: true });
beforeAll(async () => {
  const env = {
    REDIS_URL: await testRedisUrl(),
    AUTH_SECRET: 's'.repeat(48),
    BASE_URL: 'https://svc.example',
  };
  for (let at = 0; at < 2; at += 1)
    replicas.push(await freshApp({ env, databaseUrl: database.url }));
}, 120_000);
afterAll(async () => {
  await Promise.all(replicas.map((app) => app.close()));
  await database.remove();
}, 60_000);

const leadsTo = (at: number, code: string) => client(at).leadsTo(code);

describe('two replicas', () => {
  it('let exactly as many of 200 scans at once through as the limit says', async () => {
    const { id, code } = await client(0).create({ scan_limit: 70 });
    const all = await Promise.all(Array.from({ length: 200 }, (_, at) => leadsTo(at, code)));
    expect(all.filter((found) => found === target)).toHaveLength(70);
    expect(all.filter((found) => found === 410)).toHaveLength(130);
    expect((await client(1).show(id)).scans_used).toBe(70);
  });

  it('agree on a target that was changed on one of them, and on a deleted code', async () => {
    const { id, code } = await client(0).create();
    for (const at of [0, 1]) expect(await leadsTo(at, code)).toBe(target);
    const url = 'https://example.com/other';
    await client(0).codes.patch(`/${id}`, { url });
    expect(await leadsTo(0, code)).toBe(url);
    await vi.waitFor(async () => expect(await leadsTo(1, code)).toBe(url), { timeout: 5000 });
    await client(1).codes.delete(`/${id}`);
    await vi.waitFor(async () => expect(await leadsTo(0, code)).toBe(404), { timeout: 5000 });
    expect(await leadsTo(1, code)).toBe(404);
  });

  it('count wrong passwords together', async () => {
    const { code } = await client(0).create({ password: 'open sesame' });
    const enter = (at: number, password: string) => client(at).enterPassword(code, password);
    for (let at = 0; at < 10; at += 1) expect((await enter(at, 'wrong')).status).toBe(403);
    for (const at of [0, 1]) expect((await enter(at, 'open sesame')).status).toBe(429);
  });
});
