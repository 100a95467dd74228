import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import type { Load } from './support/load.ts';
import { cpuSeconds, startProgram } from './support/processes.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { startService } from './support/service.ts';
import { runWrk, type WrkResult } from './support/wrk.ts';

/**
 * Pages per second, each compared with a bare Fastify that sends the same bytes. `--quick` for one
 * short run, `--only /status` for one page.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const runs = options.quick ? 1 : 3;
const [warmUpSeconds, runSeconds] = options.quick ? [1, 2] : [3, 5];
const goal = 2000;

const known = [
  '/',
  '/install',
  '/docs',
  '/privacy',
  '/terms',
  '/data-policy',
  '/cmyk/',
  '/cmyk/docs/',
  '/signup',
  '/login',
  '/status',
  '/status/history',
  '/demo/deliverability/',
  '/developer/',
  '/developer/guides/sign-in',
  '/developer/reference',
  '/developer/reference/status',
  '/developer/errors',
  '/developer/changelog',
  '/api/graphql/',
  '/api/graphql/voyager/',
];
const paths = options.only === undefined ? known : [options.only];
// The headers of a browser's navigation, with gzip.
const headers = {
  Accept: 'text/html',
  'Accept-Encoding': 'gzip',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};
const load = (path: string): Load => ({
  name: `page${path.replaceAll('/', '-')}`,
  method: 'GET',
  path,
  body: undefined,
  headers,
  connections: 64,
  eventsPerRequest: 1,
});

interface Side {
  base: string;
  pid: number;
}

interface Run extends WrkResult {
  /** CPU time per page in microseconds: other programs on the machine affect it less. */
  cpu: number;
}

async function once({ base, pid }: Side, each: Load, folder: string): Promise<Run> {
  const before = cpuSeconds(pid);
  const result = await runWrk(each, base, runSeconds, folder);
  if (result.refused > 0) throw new Error(`${each.path}: ${result.refused} requests were refused`);
  return { ...result, cpu: ((cpuSeconds(pid) - before) * 1e6) / result.answered };
}

/** Measures one page of the service and of the bare server, alternately. */
async function measure(
  path: string,
  sides: readonly [service: Side, bare: Side],
  folder: string,
): Promise<[service: Run[], bare: Run[]]> {
  const [each, service, bare]: [Load, Run[], Run[]] = [load(path), [], []];
  for (const { base } of sides) await runWrk(each, base, warmUpSeconds, folder);
  for (let run = 0; run < runs; run += 1) {
    service.push(await once(sides[0], each, folder));
    bare.push(await once(sides[1], each, folder));
  }
  return [service, bare];
}

async function start(lifetime: Lifetime): Promise<[service: Side, bare: Side]> {
  // With a mail server the pages show their forms. Nothing listens on that port.
  const service = await startService(lifetime, lifetime.folder(), {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'pages@example.com',
  });
  const { pid, message } = await startProgram(lifetime, 'bare-pages', [service.base, ...paths]);
  const { port } = z.object({ port: z.number() }).parse(message);
  return [service, { base: `http://127.0.0.1:${port}`, pid }];
}

await runBenchmark(async (lifetime) => {
  const [sides, folder] = [await start(lifetime), lifetime.folder()];
  printConditions(`npm run bench -- pages${options.quick ? ' --quick' : ''}`);
  const rows = [
    ['page', 'per second', 'bare', 'of bare', 'CPU per page', 'p50', 'p99', 'goal', 'result'],
  ];
  for (const path of paths) {
    const [service, bare] = await measure(path, sides, folder);
    const of = (pick: 'perSecond' | 'cpu' | 'p50' | 'p99', list = service) =>
      median(list.map((run) => run[pick]));
    const [rate, limit] = [of('perSecond'), of('perSecond', bare)];
    rows.push([
      path,
      `${whole(rate)}/s`,
      `${whole(limit)}/s`,
      (rate / limit).toFixed(2),
      `${whole(of('cpu'))} µs`,
      ms(of('p50')),
      ms(of('p99')),
      `≥ ${whole(goal)}`,
      verdict(rate >= goal),
    ]);
  }
  printTable(rows);
  return rows.filter((row) => row.at(-1) === verdict(false)).length;
});
