import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { startTestRedis } from '../support/redis-server.ts';
import { ask, post, startService, temporaryFolder } from './ingest-service.ts';
import { mountRefusal, smallDisk } from './small-disk.ts';
import { openStoreProxy } from './store-proxy.ts';

/** A way in which one store fails. */
export interface Fault {
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

/** Starts a service and stores that can be made to fail, on a small disk where that is possible. */
export async function startWithStores() {
  const [redis, postgres] = await Promise.all([startTestRedis(), startPostgres()]);
  onTestFinished(async () => {
    await Promise.all([redis.stop(), postgres.stop()]);
  });
  const control = new Redis({ path: redis.path });
  onTestFinished(() => control.disconnect());
  const disk = mountRefusal() === undefined ? smallDisk(96) : undefined;
  const dataDir = join(disk?.folder ?? (await temporaryFolder('store-matrix-')), 'data');
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

export type WithStores = Awaited<ReturnType<typeof startWithStores>>;

const proxyFault = (
  { proxies }: WithStores,
  which: 'redis' | 'postgres',
  state: 'away' | 'silent' | 'slow',
  seenBy: string,
): Fault => ({
  name: `${which} ${state}`,
  begin: () => proxies[which].setState(state),
  end: () => proxies[which].setState('open'),
  seenBy,
});

/** The ways in which Redis fails. */
export function redisFaults(all: WithStores): Fault[] {
  const { control } = all;
  const seenBy = 'redis:responseTime';
  const config = (name: string, value: string) => async () => {
    await control.config('SET', name, value);
  };
  const replicaOf = (host: string, port: string | number) => async () => {
    await control.replicaof(host, port);
  };
  return [
    proxyFault(all, 'redis', 'away', seenBy),
    proxyFault(all, 'redis', 'silent', seenBy),
    proxyFault(all, 'redis', 'slow', ''),
    {
      name: 'redis read-only',
      seenBy,
      begin: replicaOf('127.0.0.1', 1),
      end: replicaOf('NO', 'ONE'),
    },
    {
      name: 'redis full',
      seenBy,
      begin: config('maxmemory', '1'),
      end: config('maxmemory', '0'),
    },
  ];
}

/** The ways in which PostgreSQL fails, and a full disk where one can be had. */
export function postgresAndDiskFaults(all: WithStores): Fault[] {
  const { postgresUrl, disk, service } = all;
  const seenBy = 'database:responseTime';
  return [
    proxyFault(all, 'postgres', 'away', seenBy),
    proxyFault(all, 'postgres', 'silent', seenBy),
    proxyFault(all, 'postgres', 'slow', ''),
    {
      name: 'postgres read-only',
      seenBy,
      begin: () => asPostgres(postgresUrl, 'alter system set default_transaction_read_only = on'),
      end: () => asPostgres(postgresUrl, 'alter system reset default_transaction_read_only'),
    },
    ...(disk === undefined ? [] : [fullDisk(service.port, disk)]),
  ];
}
