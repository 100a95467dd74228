import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startTestRedis } from '../test/support/redis-server.ts';
import { runBenchmark } from './support/lifetime.ts';
import type { Load } from './support/load.ts';
import { cpuSeconds, startProgram } from './support/processes.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { startService } from './support/service.ts';
import { runWrk } from './support/wrk.ts';

/**
 * GraphQL of the service, compared with bare mercurius and its compiler: the smallest query,
 * measured alternately; and queries that only the service has.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const runs = options.quick ? 3 : 5;
const [warmUpSeconds, runSeconds] = options.quick ? [2, 3] : [5, 8];
const goal = 0.8;

const load = (
  name: string,
  path: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Load => ({
  name,
  method: 'POST',
  path,
  body: JSON.stringify({ query }),
  headers,
  connections: 64,
  eventsPerRequest: 1,
});

interface Target {
  base: string;
  pid: number;
  load: Load;
}

/**
 * Rates: by the clock, and by the CPU time of the process, which other programs on the machine
 * affect less.
 */
interface Figures {
  perSecond: number;
  perCpuSecond: number;
  p50: number;
  p99: number;
}

/** Measures the targets alternately. Returns the medians of each. */
async function measure(targets: readonly Target[], folder: string): Promise<Figures[]> {
  const measured = targets.map((): Figures[] => []);
  for (const { base, load: each } of targets) await runWrk(each, base, warmUpSeconds, folder);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, { base, pid, load: each }] of targets.entries()) {
      const before = cpuSeconds(pid);
      const { perSecond, answered, refused, p50, p99 } = await runWrk(
        each,
        base,
        runSeconds,
        folder,
      );
      if (refused > 0) throw new Error(`${each.name}: ${refused} requests were refused`);
      measured[index]?.push({
        perSecond,
        perCpuSecond: answered / (cpuSeconds(pid) - before),
        p50,
        p99,
      });
    }
  }
  const of = (list: readonly Figures[], pick: keyof Figures) =>
    median(list.map((each) => each[pick]));
  return measured.map((list) => ({
    perSecond: of(list, 'perSecond'),
    perCpuSecond: of(list, 'perCpuSecond'),
    p50: of(list, 'p50'),
    p99: of(list, 'p99'),
  }));
}

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()),
  errors: z.undefined().optional(),
});

/** Throws unless the answer is a result, so that no refusals are measured. */
async function check({ base, load: { path, body, headers } }: Target): Promise<void> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? '',
  });
  answerSchema.parse(await answer.json());
}

await runBenchmark(async (lifetime) => {
  const [redis, folder] = [await startTestRedis(), lifetime.folder()];
  lifetime.atEnd(redis.stop);
  const service = await startService(lifetime, lifetime.folder(), { REDIS_URL: `${redis.url}/0` });
  const bare = await startProgram(lifetime, 'bare-mercurius');
  const { port } = z.object({ port: z.number() }).parse(bare.message);
  const ours = { base: service.base, pid: service.pid };
  printConditions('npm run bench -- graphql');

  const path = '/api/graphql/';
  const admin = { Authorization: `Bearer ${service.adminKey}` };
  const targets: [Target, Target, ...Target[]] = [
    { ...ours, load: load('hello', path, '{ hello }') },
    {
      base: `http://127.0.0.1:${port}`,
      pid: bare.pid,
      load: load('limit', '/graphql', '{ hello }'),
    },
    {
      ...ours,
      load: load(
        'status',
        path,
        '{ status { indicator components { id name status uptime } incidents { name } } }',
      ),
    },
    {
      ...ours,
      load: load(
        'audit',
        path,
        '{ audit(first: 20) { nodes { action at actor { kind actorId } } ' +
          'pageInfo { endCursor } } }',
        admin,
      ),
    },
  ];
  for (const target of targets) await check(target);
  const [hello, limit, ...others] = await measure(targets, folder);
  if (hello === undefined || limit === undefined) throw new Error('nothing was measured');
  const ratio = hello.perSecond / limit.perSecond;
  const cpuRatio = hello.perCpuSecond / limit.perCpuSecond;
  printTable([
    ['measured', 'service', 'limit', 'ratio', 'goal', 'result', 'p50', 'p99'],
    [
      'hello, compared with mercurius and its compiler',
      `${whole(hello.perSecond)}/s`,
      `${whole(limit.perSecond)}/s`,
      ratio.toFixed(2),
      `≥ ${goal.toFixed(2)}`,
      verdict(ratio >= goal),
      ms(hello.p50),
      ms(hello.p99),
    ],
    [
      'the same per second of CPU time',
      `${whole(hello.perCpuSecond)}/s`,
      `${whole(limit.perCpuSecond)}/s`,
      cpuRatio.toFixed(2),
      '-',
      '-',
      '-',
      '-',
    ],
    ...others.map(({ perSecond, p50, p99 }, at) => [
      ['status with its components', 'audit log, 20 entries, by key'][at] ?? '',
      `${whole(perSecond)}/s`,
      '-',
      '-',
      '-',
      '-',
      ms(p50),
      ms(p99),
    ]),
  ]);
  console.log(['', ...service.complaints()].join('\n'));
  return ratio >= goal ? 0 : 1;
});
