import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findPostgres, startPostgres } from '../../support/postgres.ts';
import { startTestRedis } from '../../support/redis-server.ts';
import { findHaproxy, prepareReplica, startHaproxy } from '../haproxy.ts';
import { compareIds } from '../ingest-kill.ts';
import { ask, startService, storedIds } from '../ingest-service.ts';
import { type Failure, startSteadyClient } from '../steady-client.ts';

type Name = 'one' | 'two';

/** Starts two replicas over one Redis and one PostgreSQL, behind the documented haproxy. */
async function startPair() {
  const [redis, postgres] = await Promise.all([startTestRedis(), startPostgres()]);
  onTestFinished(async () => {
    await Promise.all([redis.stop(), postgres.stop()]);
  });
  const stores = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, SHUTDOWN_GRACE_MS: '2500' };
  const prepared = { one: await prepareReplica(stores), two: await prepareReplica(stores) };
  const start = (name: Name) => startService(prepared[name].env);
  const running = { one: await start('one'), two: await start('two') };
  const haproxy = await startHaproxy(prepared.one.ports, prepared.two.ports);
  await Promise.all([haproxy.untilUp('one'), haproxy.untilUp('two')]);

  return {
    haproxy,
    running,
    async startAgain(name: Name): Promise<void> {
      running[name] = await start(name);
      await haproxy.untilUp(name);
    },
    /** Resolves when haproxy has sent a hundred more requests to the replica. */
    async untilUsed(name: Name): Promise<void> {
      const { requests: before } = await haproxy.server(name);
      await vi.waitFor(
        async () => expect((await haproxy.server(name)).requests).toBeGreaterThan(before + 100),
        { timeout: 60_000, interval: 50 },
      );
    },
    /** Compares the answered events with those that both have stored. */
    async compare(answered: ReadonlySet<string>) {
      const { one, two } = running;
      const stored = await Promise.all([storedIds(one.port), storedIds(two.port)]);
      return compareIds(answered, stored.flat());
    },
  };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

/** Restarts one replica after the other. Returns the ids of the answered events. */
async function restartOneByOne({ haproxy, running, ...pair }: Pair): Promise<Set<string>> {
  const client = startSteadyClient(haproxy.port);
  for (const name of ['one', 'two'] as const) {
    await pair.untilUsed(name);
    expect(await running[name].kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await haproxy.server(name)).isUp).toBe(false);
    await pair.startAgain(name);
    await pair.untilUsed(name);
  }
  await client.stop();
  expect(client.failures).toEqual([]);
  expect(client.answered.size).toBeGreaterThan(500);
  const eachOnce = { lost: 0, doubled: 0, foreign: 0 };
  await expect.poll(() => pair.compare(client.answered)).toEqual(eachOnce);
  return client.answered;
}

/**
 * True for what haproxy does with a POST whose replica dies: 502, or the end of a reused
 * connection.
 */
const isRefused = ({ request, outcome }: Failure) =>
  request === 'POST /analytics/track' && ['502', 'ECONNRESET'].includes(outcome);

/** Kills a replica and starts it again. Returns the ids of the answered events. */
async function killOne({ haproxy, running, ...pair }: Pair): Promise<Set<string>> {
  const client = startSteadyClient(haproxy.port);
  await pair.untilUsed('one');
  const began = performance.now();
  expect(await running.one.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await vi.waitFor(async () => expect((await haproxy.server('one')).isUp).toBe(false), {
    timeout: 5000,
    interval: 20,
  });
  await pair.untilUsed('two');
  await pair.startAgain('one');
  await pair.untilUsed('one');
  await client.stop();
  const unexpected = client.failures.filter(
    (failure) => !isRefused(failure) || Math.abs(failure.at - began) > 250,
  );
  expect(unexpected).toEqual([]);
  expect(client.failures.length).toBeLessThan(10);
  return client.answered;
}

describe.skipIf(findPostgres() === undefined || findHaproxy() === undefined)(
  'two replicas behind haproxy',
  () => {
    test('fail no request in a rolling restart, and only events in flight in a kill', async () => {
      const pair = await startPair();
      const { running } = pair;
      const answered = await restartOneByOne(pair);
      const answeredLater = await killOne(pair);
      const all = new Set([...answered, ...answeredLater]);
      await expect.poll(() => pair.compare(all)).toMatchObject({ lost: 0, doubled: 0 });
      expect((await ask(running.two.port, '/api/health/ready')).status).toBe(200);
      const ended = await Promise.all([running.one.kill('SIGTERM'), running.two.kill('SIGTERM')]);
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    });
  },
);
