import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { startTestRedis } from '../support/redis-server.ts';
import { ask, asAdmin, post, type Service, startService, storedIds } from './ingest-service.ts';
import { mountRefusal, smallDisk } from './small-disk.ts';
import { openStoreProxy } from './store-proxy.ts';
import {
  askOnce,
  type Outcome,
  prepare,
  type Surface,
  surfacesOf,
  type Visit,
} from './surfaces.ts';

/** A way in which one store fails. */
interface Fault {
  name: string;
  begin: () => Promise<void>;
  end: () => Promise<void>;
  /** The health check that must fail during the fault; empty for none. */
  seenBy: string;
  /**
   * The replica is not ready: most events don't fit on the disk. A small one may fit into the
   * journal's reserved space.
   */
  refusesEvents?: boolean;
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'store-matrix-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function asPostgres(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of [
      'set session characteristics as transaction read write',
      ...statements,
      'select pg_reload_conf()',
    ])
      await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startAll() {
  const [redis, postgres] = await Promise.all([startTestRedis(), startPostgres()]);
  onTestFinished(async () => {
    await Promise.all([redis.stop(), postgres.stop()]);
  });
  const control = new Redis({ path: redis.path });
  onTestFinished(() => control.disconnect());
  const disk = mountRefusal() === undefined ? smallDisk(96) : undefined;
  const dataDir = join(disk?.folder ?? (await folder()), 'data');
  await mkdir(dataDir);
  const proxies = {
    redis: await openStoreProxy(redis.url),
    postgres: await openStoreProxy(postgres.url),
  };
  const service = await startService({
    DATA_DIR: dataDir,
    REDIS_URL: proxies.redis.url,
    DATABASE_URL: proxies.postgres.url,
    AUTH_SECRET: 'hW3k9QmT7xRb2LwYp8NcD4sHfJ6gAe1UzX5v',
    ADMIN_EMAILS: 'boss@example.com',
    DEVICE_BINDING: 'none',
    OTP_LIMITS: 'off',
    JOURNAL_SEGMENT_SIZE: '256KiB',
    SITE_REGISTRATION: 'open',
    LOG_LEVEL: 'warn',
  });
  return { service, control, proxies, disk, postgresUrl: postgres.url };
}

/**
 * Keeps the disk full, the journal's reserved space included, until the returned interval is
 * cleared: each refused write would free its space again.
 */
async function fillUp(port: number, disk: ReturnType<typeof smallDisk>): Promise<NodeJS.Timeout> {
  const filling = setInterval(() => {
    try {
      disk.fill();
    } catch {
      // Another writer took the last bytes first.
    }
  }, 20);
  const events = Array.from({ length: 200 }, () => ({
    event: 'pageview',
    url: '/',
    site_id: 'site',
    props: { text: 'x'.repeat(1000) },
  }));
  await vi.waitFor(
    async () => {
      expect((await post(port, '/analytics/batch', { events })).status).toBe(503);
      expect((await ask(port, '/api/health/ready')).status).toBe(503);
    },
    { timeout: 20_000, interval: 10 },
  );
  return filling;
}

function fullDisk(port: number, disk: ReturnType<typeof smallDisk>): Fault {
  let filling: NodeJS.Timeout | undefined;
  return {
    name: 'disk full',
    seenBy: 'analytics:journal',
    refusesEvents: true,
    begin: async () => {
      filling = await fillUp(port, disk);
    },
    end: async () => {
      clearInterval(filling);
      disk.clear();
    },
  };
}

type All = Awaited<ReturnType<typeof startAll>>;

function faultsOf({ service, control, proxies, disk, postgresUrl }: All): Fault[] {
  const config = (name: string, value: string) => async () => {
    await control.config('SET', name, value);
  };
  const proxyFault = (
    which: 'redis' | 'postgres',
    state: 'away' | 'silent' | 'slow',
    seenBy: string,
  ): Fault => ({
    name: `${which} ${state}`,
    begin: () => proxies[which].setState(state),
    end: () => proxies[which].setState('open'),
    seenBy,
  });
  return [
    proxyFault('redis', 'away', 'redis:responseTime'),
    proxyFault('redis', 'silent', 'redis:responseTime'),
    proxyFault('redis', 'slow', ''),
    {
      name: 'redis read-only',
      begin: async () => {
        await control.replicaof('127.0.0.1', 1);
      },
      end: async () => {
        await control.replicaof('NO', 'ONE');
      },
      seenBy: 'redis:responseTime',
    },
    {
      name: 'redis full',
      begin: config('maxmemory', '1'),
      end: config('maxmemory', '0'),
      seenBy: 'redis:responseTime',
    },
    proxyFault('postgres', 'away', 'database:responseTime'),
    proxyFault('postgres', 'silent', 'database:responseTime'),
    proxyFault('postgres', 'slow', ''),
    {
      name: 'postgres read-only',
      seenBy: 'database:responseTime',
      begin: () => asPostgres(postgresUrl, 'alter system set default_transaction_read_only = on'),
      end: () => asPostgres(postgresUrl, 'alter system reset default_transaction_read_only'),
    },
    ...(disk === undefined ? [] : [fullDisk(service.port, disk)]),
  ];
}

/** True when `/api/health` reports that this check fails. */
async function isFailing(port: number, check: string): Promise<boolean> {
  const { text } = await ask(port, '/api/health', { headers: asAdmin });
  const { checks = {} } = JSON.parse(text) as { checks?: Record<string, { status: string }[]> };
  return checks[check]?.[0]?.status === 'fail';
}

async function askAll(surfaces: readonly Surface[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const surface of surfaces) outcomes.set(surface.name, await askOnce(surface));
  return outcomes;
}

/** Returns what is wrong with an answer under this fault; undefined when it is as promised. */
function brokenPromise(
  { kind }: Surface,
  { status, retryAfter }: Outcome,
  baseline: Outcome,
  fault: Fault,
): string | undefined {
  if (kind === 'ingest' && fault.refusesEvents === true && status !== 200)
    return status === 503 && retryAfter !== undefined
      ? undefined
      : 'should be 503 with Retry-After';
  if (kind === 'always' || kind === 'ingest')
    return status === baseline.status ? undefined : `should be ${baseline.status}`;
  if (status === baseline.status) return undefined;
  if (status !== 503) return `should be ${baseline.status} or 503`;
  return retryAfter === undefined ? '503 without Retry-After' : undefined;
}

const tableOf = (
  names: readonly string[],
  columns: ReadonlyMap<string, ReadonlyMap<string, Outcome>>,
): string =>
  [
    ['', ...columns.keys()],
    ['---', ...[...columns.keys()].map(() => '---')],
    ...names.map((name) => [
      name,
      ...[...columns.values()].map((outcomes) => {
        const found = outcomes.get(name);
        return found === undefined
          ? ''
          : `${found.status}${found.ms > 1000 ? ` (${(found.ms / 1000).toFixed(1)} s)` : ''}`;
      }),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

async function waitForRecovery(
  surfaces: readonly Surface[],
  baseline: ReadonlyMap<string, Outcome>,
): Promise<number> {
  const began = performance.now();
  await vi.waitFor(
    async () => {
      const now = await askAll(surfaces);
      for (const { name } of surfaces)
        expect([name, now.get(name)?.status]).toEqual([name, baseline.get(name)?.status]);
    },
    { timeout: 45_000, interval: 250 },
  );
  return performance.now() - began;
}

async function countLost(
  { port }: Service,
  { answered }: Visit,
): Promise<{ lost: number; doubled: number }> {
  const sent = [...answered];
  let stored: string[] = [];
  await vi
    .waitFor(
      async () => {
        stored = await storedIds(port);
        expect(sent.filter((id) => !stored.includes(id))).toEqual([]);
      },
      { timeout: 30_000, interval: 250 },
    )
    .catch(() => undefined);
  return {
    lost: sent.filter((id) => !stored.includes(id)).length,
    doubled: stored.length - new Set(stored).size,
  };
}

describe.skipIf(findPostgres() === undefined)('a store that fails', () => {
  test('fails only what needs it, with 503; everything recovers and no event is lost', async () => {
    const all = await startAll();
    const { port } = all.service;
    const visit = await prepare(port, 'boss@example.com');
    const surfaces = surfacesOf(visit);
    await vi.waitFor(async () => expect((await ask(port, '/api/health')).status).toBe(200), {
      timeout: 20_000,
      interval: 200,
    });
    const baseline = await askAll(surfaces);
    const columns = new Map([['all is well', baseline]]);
    const broken: string[] = [];
    const recovery: string[] = [];
    for (const fault of faultsOf(all)) {
      await fault.begin();
      // The first requests discover the fault; the promise holds for them too.
      const first = await askAll(
        surfaces.filter(({ kind }) => kind === 'ingest' || kind === 'always'),
      );
      if (fault.seenBy !== '')
        await vi
          .waitFor(
            async () =>
              expect([fault.name, await isFailing(port, fault.seenBy)]).toEqual([fault.name, true]),
            { timeout: 20_000, interval: 100 },
          )
          .catch(() => broken.push(`${fault.name}: ${fault.seenBy} does not see it`));
      const outcomes = await askAll(surfaces);
      columns.set(fault.name, outcomes);
      for (const surface of surfaces) {
        for (const outcome of [first.get(surface.name), outcomes.get(surface.name)]) {
          const problem =
            outcome === undefined
              ? undefined
              : brokenPromise(surface, outcome, baseline.get(surface.name) ?? outcome, fault);
          if (problem !== undefined)
            broken.push(
              `${fault.name}: ${surface.name} ${problem}, ` +
                `is ${outcome?.status} after ${outcome?.ms} ms`,
            );
        }
      }
      const expected = fault.refusesEvents === true ? 503 : 200;
      if (outcomes.get('ready')?.status !== expected)
        broken.push(`${fault.name}: ready should be ${expected}`);
      await fault.end();
      const back = await waitForRecovery(surfaces, baseline).catch((error: unknown) => {
        broken.push(
          `${fault.name}: not back: ` +
            `${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
        );
        return NaN;
      });
      recovery.push(`${fault.name}: ${(back / 1000).toFixed(1)} s`);
    }
    const { lost, doubled } = await countLost(all.service, visit);
    console.log(
      `${tableOf(
        surfaces.map(({ name }) => name),
        columns,
      )}\n\nback after: ${recovery.join(', ')}\n` +
        `events answered ${visit.answered.size}, lost ${lost}, doubled ${doubled}`,
    );
    expect(broken).toEqual([]);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  }, 300_000);
});
