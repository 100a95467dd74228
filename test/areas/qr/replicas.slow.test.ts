import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { createQrTests, target } from './support.ts';

// Two replicas over one PostgreSQL and one Redis, with the same secret.
const replicas: FreshApp[] = [];
let database: Awaited<ReturnType<typeof newServerDatabase>>;

const replica = (at: number): FreshApp => {
  const app = replicas[at % 2];
  if (app === undefined) throw new Error('no replica');
  return app;
};
const clients = [0, 1].map((at) => createQrTests(() => replica(at)));
const client = (at: number): ReturnType<typeof createQrTests> => {
  const found = clients[at % 2];
  if (found === undefined) throw new Error('no client');
  return found;
};

beforeAll(async () => {
  database = await newServerDatabase({ hasTables: true });
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

const leadsTo = async (at: number, code: string) => {
  const { statusCode, headers } = await client(at).scan(code);
  return statusCode === 302 ? headers.location : statusCode;
};

describe('two replicas', () => {
  it('let exactly as many of 200 scans at once through as the limit says', async () => {
    const { id, code } = await client(0).create({ scan_limit: 70 });
    const all = await Promise.all(Array.from({ length: 200 }, (_, at) => leadsTo(at, code)));
    expect(all.filter((found) => found === target)).toHaveLength(70);
    expect(all.filter((found) => found === 410)).toHaveLength(130);
    expect((await client(1).get(id)).scans_used).toBe(70);
  });

  it('agree on a target that was changed on one of them, and on a deleted code', async () => {
    const { id, code } = await client(0).create();
    expect({ first: await leadsTo(0, code), second: await leadsTo(1, code) }).toEqual({
      first: target,
      second: target,
    });
    const url = 'https://example.com/other';
    await client(0).call('PATCH', `/${id}`, { url });
    expect(await leadsTo(0, code)).toBe(url);
    await vi.waitFor(async () => expect(await leadsTo(1, code)).toBe(url), { timeout: 5000 });
    await client(1).call('DELETE', `/${id}`);
    await vi.waitFor(async () => expect(await leadsTo(0, code)).toBe(404), { timeout: 5000 });
    expect(await leadsTo(1, code)).toBe(404);
  });

  it('count wrong passwords together', async () => {
    const { code } = await client(0).create({ password: 'open sesame' });
    const enter = (at: number, password: string) =>
      client(at).request({
        method: 'POST',
        url: `/q/${code}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ password }).toString(),
        remoteAddress: '198.51.100.9',
      });
    for (let at = 0; at < 10; at += 1) expect((await enter(at, 'wrong')).statusCode).toBe(403);
    for (const at of [0, 1]) expect((await enter(at, 'open sesame')).statusCode).toBe(429);
  });
});
