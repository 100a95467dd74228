import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findPostgres, startPostgres } from '../../support/postgres.ts';
import { freePort, startTestRedis } from '../../support/redis-server.ts';
import { findHaproxy, type Haproxy, startHaproxy } from '../haproxy.ts';
import { compareIds } from '../ingest-kill.ts';
import { ask, type Service, startService, storedIds } from '../ingest-service.ts';
import { type Failure, startSteadyClient } from '../steady-client.ts';

const graceMs = 2500;

async function createReplica(stores: { REDIS_URL: string; DATABASE_URL: string }) {
  const dir = await mkdtemp(join(tmpdir(), 'replica-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const ports = { main: await freePort(), probes: await freePort() };
  const env = {
    ...stores,
    DATA_DIR: dir,
    PORT: String(ports.main),
    HEALTH_PORT: String(ports.probes),
    SHUTDOWN_GRACE_MS: String(graceMs),
    AUTH_SECRET: 'hW3k9QmT7xRb2LwYp8NcD4sHfJ6gAe1UzX5v',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
  };
  return { ports, start: (): Promise<Service> => startService(env) };
}

/** Starts two replicas over one Redis and one PostgreSQL, behind the documented haproxy. */
async function startPair() {
  const [redis, postgres] = await Promise.all([startTestRedis(), startPostgres()]);
  onTestFinished(async () => {
    await Promise.all([redis.stop(), postgres.stop()]);
  });
  const stores = { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
  const one = await createReplica(stores);
  const two = await createReplica(stores);
  const running = { one: await one.start(), two: await two.start() };
  const haproxy = await startHaproxy(one.ports, two.ports);
  await Promise.all([waitUntilUp(haproxy, 'one'), waitUntilUp(haproxy, 'two')]);
  return { replicas: { one, two }, running, haproxy };
}

async function waitUntilUp(haproxy: Haproxy, name: 'one' | 'two'): Promise<void> {
  await vi.waitFor(
    async () => expect((await haproxy.server(name)).isUp, haproxy.output()).toBe(true),
    { timeout: 60_000, interval: 50 },
  );
}

const idsOf = async ({ one, two }: Record<'one' | 'two', Service>) => [
  ...(await storedIds(one.port)),
  ...(await storedIds(two.port)),
];

/**
 * True for what haproxy does with a POST whose replica dies: 502, or the end of a reused
 * connection.
 */
const isRefused = ({ request, outcome }: Failure) =>
  request === 'POST /analytics/track' && ['502', 'ECONNRESET'].includes(outcome);

/** Resolves when haproxy has sent this many more requests to the replica. */
async function waitForRequests(haproxy: Haproxy, name: 'one' | 'two', more: number): Promise<void> {
  const { requests: before } = await haproxy.server(name);
  await vi.waitFor(
    async () => expect((await haproxy.server(name)).requests).toBeGreaterThan(before + more),
    { timeout: 60_000, interval: 50 },
  );
}

describe.skipIf(findPostgres() === undefined || findHaproxy() === undefined)(
  'two replicas behind haproxy',
  () => {
    test('restart one by one: no request fails, every answered event is stored once', async () => {
      const { replicas, running, haproxy } = await startPair();
      const client = startSteadyClient(haproxy.port);
      for (const name of ['one', 'two'] as const) {
        await waitForRequests(haproxy, name, 100);
        expect(await running[name].kill('SIGTERM')).toEqual({ code: 0, signal: null });
        expect((await haproxy.server(name)).isUp).toBe(false);
        running[name] = await replicas[name].start();
        await waitUntilUp(haproxy, name);
        await waitForRequests(haproxy, name, 100);
      }
      await client.stop();
      expect(client.failures).toEqual([]);
      expect(client.answered.size).toBeGreaterThan(500);
      await vi.waitFor(
        async () =>
          expect(compareIds(client.answered, await idsOf(running))).toEqual({
            lost: 0,
            doubled: 0,
            foreign: 0,
          }),
        { timeout: 10_000, interval: 100 },
      );
      expect(
        [await running.one.kill('SIGTERM'), await running.two.kill('SIGTERM')].map(
          ({ code }) => code,
        ),
      ).toEqual([0, 0]);
    });

    test('survive a kill: no GET fails, only events in flight are refused', async () => {
      const { replicas, running, haproxy } = await startPair();
      const client = startSteadyClient(haproxy.port);
      await waitForRequests(haproxy, 'one', 100);
      const began = performance.now();
      expect(await running.one.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      await vi.waitFor(async () => expect((await haproxy.server('one')).isUp).toBe(false), {
        timeout: 5000,
        interval: 20,
      });
      await waitForRequests(haproxy, 'two', 100);
      running.one = await replicas.one.start();
      await waitUntilUp(haproxy, 'one');
      await waitForRequests(haproxy, 'one', 100);
      await client.stop();
      expect(
        client.failures.filter(
          (failure) => !isRefused(failure) || Math.abs(failure.at - began) > 250,
        ),
      ).toEqual([]);
      expect(client.failures.length).toBeLessThan(10);
      await vi.waitFor(
        async () =>
          expect(compareIds(client.answered, await idsOf(running))).toMatchObject({
            lost: 0,
            doubled: 0,
          }),
        { timeout: 10_000, interval: 100 },
      );
      expect((await ask(running.two.port, '/api/health/ready')).status).toBe(200);
    });
  },
);
