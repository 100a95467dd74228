import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findPostgres, startPostgres } from '../test/support/postgres.ts';
import { startTestRedis } from '../test/support/redis-server.ts';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import { childrenOf, residentMiB, startProgram } from './support/processes.ts';
import {
  mebibytes,
  median,
  printConditions,
  printTable,
  seconds,
  verdict,
} from './support/report.ts';
import { startService } from './support/service.ts';

/**
 * The time from the start of the process to the first 200 of /api/health/ready, and the memory of
 * an idle service: soon after the start, and when V8 has released what only the start needed,
 * which takes up to half a minute.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const runs = options.quick ? 2 : 5;
const soonMs = options.quick ? 2000 : 5000;
const idleMs = options.quick ? 5000 : 60_000;
const goals = { embedded: { ms: 1500, mebibytes: 500 }, outside: { ms: 700, mebibytes: 180 } };

interface Setting {
  name: string;
  settings: Record<string, string>;
  goal?: { ms: number; mebibytes: number };
}

interface Result {
  first: number;
  starts: number[];
  memory: Memory;
}

/**
 * MiB of the service soon after its start, of the service when idle, and of the redis-server that
 * it started.
 */
interface Memory {
  soon: number;
  service: number;
  redis: number;
}

async function startOnce(
  lifetime: Lifetime,
  dataDir: string,
  settings: Record<string, string>,
): Promise<number> {
  const service = await startService(lifetime, dataDir, settings);
  await service.stop();
  return service.readyMs;
}

async function memoryOf(
  lifetime: Lifetime,
  dataDir: string,
  settings: Record<string, string>,
): Promise<Memory> {
  const service = await startService(lifetime, dataDir, settings);
  await delay(soonMs);
  const soon = residentMiB(service.pid);
  await delay(idleMs - soonMs);
  const memory = {
    soon,
    service: residentMiB(service.pid),
    redis: childrenOf(service.pid).reduce((sum, pid) => sum + residentMiB(pid), 0),
  };
  await service.stop();
  return memory;
}

async function measure(lifetime: Lifetime, { settings }: Setting): Promise<Result> {
  const dataDir = lifetime.folder();
  const first = await startOnce(lifetime, dataDir, settings);
  const starts: number[] = [];
  for (let run = 0; run < runs; run += 1) starts.push(await startOnce(lifetime, dataDir, settings));
  return { first, starts, memory: await memoryOf(lifetime, dataDir, settings) };
}

function toRow(
  { name, goal }: Setting,
  { first, starts, memory: { soon, service, redis } }: Result,
): string[] {
  const middle = median(starts);
  const total = service + redis;
  return [
    name,
    seconds(first),
    seconds(middle),
    `${seconds(Math.min(...starts))} to ${seconds(Math.max(...starts))}`,
    goal === undefined ? '-' : `< ${seconds(goal.ms)}`,
    goal === undefined ? '-' : verdict(middle < goal.ms),
    mebibytes(soon),
    mebibytes(service),
    redis === 0 ? '-' : mebibytes(redis),
    mebibytes(total),
    goal === undefined ? '-' : `< ${goal.mebibytes} MiB`,
    goal === undefined ? '-' : verdict(total < goal.mebibytes),
  ];
}

/** Returns every combination of embedded and external stores, those with goals first. */
async function settingsToMeasure(lifetime: Lifetime): Promise<Setting[]> {
  const embedded: Setting = { name: 'all embedded', settings: {}, goal: goals.embedded };
  const redis = await startTestRedis();
  lifetime.atEnd(() => redis.stop());
  const REDIS_URL = redis.url;
  const outsideRedis: Setting = { name: 'outside Redis, PGlite', settings: { REDIS_URL } };
  if (findPostgres() === undefined) {
    console.log('PostgreSQL is not installed: the runs with an external database are skipped.');
    return [embedded, outsideRedis];
  }
  const postgres = await startPostgres();
  lifetime.atEnd(() => postgres.stop());
  const DATABASE_URL = postgres.url;
  return [
    embedded,
    {
      name: 'outside Redis and PostgreSQL',
      settings: { REDIS_URL, DATABASE_URL },
      goal: goals.outside,
    },
    outsideRedis,
    { name: 'own Redis, outside PostgreSQL', settings: { DATABASE_URL } },
  ];
}

/**
 * Returns the MiB that opening an empty event store adds to a Node process: no setting of the
 * service leaves it out.
 */
async function duckdbMemory(lifetime: Lifetime): Promise<number> {
  const { message, stop } = await startProgram(lifetime, 'event-store', [lifetime.folder()]);
  const { before, after } = z.object({ before: z.number(), after: z.number() }).parse(message);
  await stop();
  return (after - before) / 1024 ** 2;
}

await runBenchmark(async (lifetime) => {
  const settings = await settingsToMeasure(lifetime);
  printConditions(
    `npm run bench -- start${process.argv
      .slice(2)
      .map((argument) => ` ${argument}`)
      .join('')}`,
  );
  const rows = [
    [
      'stores',
      'first ever',
      'start',
      'range',
      'goal',
      'result',
      'RSS soon',
      'RSS idle',
      'redis-server',
      'together',
      'goal',
      'result',
    ],
  ];
  const results = new Map<string, Result>();
  for (const setting of settings) {
    const result = await measure(lifetime, setting);
    results.set(setting.name, result);
    rows.push(toRow(setting, result));
  }
  printTable(rows);
  console.log(
    '\nStart: from the start of the process to the first 200 of /api/health/ready, ' +
      `median of ${runs}. RSS ${soonMs / 1000} s and ${idleMs / 1000} s after that.`,
  );
  const [both, pglite] = [
    results.get('outside Redis and PostgreSQL'),
    results.get('outside Redis, PGlite'),
  ];
  const duckdb = await duckdbMemory(lifetime);
  const takes = [
    ...(both === undefined || pglite === undefined
      ? []
      : [
          `PGlite ${mebibytes(pglite.memory.service - both.memory.service)} (instead of ` +
            'connections to PostgreSQL)',
        ]),
    `redis-server ${mebibytes(results.get('all embedded')?.memory.redis ?? 0)}`,
    `an empty DuckDB ${mebibytes(duckdb)} (opened in a separate Node process)`,
  ];
  console.log(`Memory by store: ${takes.join(', ')}.`);
  return 0;
});
