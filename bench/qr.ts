import { parseArgs } from 'node:util';
import { z } from 'zod';
import { compare, startLimit, type Timing } from './support/compare.ts';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import type { Load } from './support/load.ts';
import { startPaced } from './support/paced.ts';
import { ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { countRows } from './support/settle.ts';

/**
 * Redirects of scans, each of which is on disk before its answer, compared with a bare Fastify that
 * only redirects. `--quick` for short runs.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const timing: Timing = options.quick
  ? { warmUpSeconds: 2, runs: 2, runSeconds: 3 }
  : { warmUpSeconds: 8, runs: 5, runSeconds: 8 };
const pacedSeconds = options.quick ? 5 : 20;
const goals = { ratio: 0.5, p99: 15 };
const rows: string[][] = [
  ['measured', 'service', 'limit', 'ratio', 'goal', 'result', 'p50', 'p99', 'note'],
];

async function createCode({ base, adminKey }: Service, body: object): Promise<string> {
  const response = await fetch(`${base}/api/v1/qr-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Benchmark', url: 'https://example.com/spring', ...body }),
  });
  return z.object({ code: z.string() }).parse(await response.json()).code;
}

const scans = (name: string, code: string): Load => ({
  name,
  method: 'GET',
  path: `/q/${code}?qr=1`,
  body: undefined,
  connections: 64,
  eventsPerRequest: 1,
});

/** Adds a row for the rate of scans, and prints whether each is in the event store. */
async function compareScans(
  lifetime: Lifetime,
  service: Service,
  load: Load,
): Promise<{ perSecond: number; lines: string[] }> {
  const limit = await startLimit(lifetime);
  const found = await compare(load, service, limit, timing, lifetime.folder());
  rows.push([
    load.name,
    `${whole(found.service.perSecond)}/s`,
    `${whole(found.limit.perSecond)}/s`,
    found.ratio.toFixed(2),
    `≥ ${goals.ratio}`,
    verdict(found.ratio >= goals.ratio),
    ms(found.service.p50),
    ms(found.service.p99),
    `64 connections; spread ${Math.round(found.service.spread * 100)} %`,
  ]);
  return { perSecond: found.service.perSecond, lines: found.counts.map(({ line }) => line) };
}

async function paceScans(service: Service, load: Load, perSecond: number): Promise<string> {
  const before = await service.rows();
  const paced = await startPaced(load, service.port, { perSecond, seconds: pacedSeconds });
  const result = await paced.finished;
  rows.push([
    `${load.name}, half the rate`,
    `${whole(perSecond)}/s`,
    '-',
    '-',
    `< ${goals.p99} ms`,
    verdict(result.p99 < goals.p99 && result.refused + result.broken === 0),
    ms(result.p50),
    ms(result.p99),
    `slowest ${ms(result.max)}; ${result.due - result.sent} never sent`,
  ]);
  return (await countRows(service, load.name, before, result.ok, load.connections)).line;
}

await runBenchmark(async (lifetime) => {
  const service = await startService(lifetime, lifetime.folder(), {
    BASE_URL: 'https://svc.example.com',
    STORED_BYTES_PER_ADDRESS: '0',
  });
  const [plain, ruled] = [
    await createCode(service, {}),
    await createCode(service, {
      utm_campaign: 'spring',
      rules: [{ device: 'ios', language: 'de', url: 'https://example.com/ios' }],
    }),
  ];
  printConditions('npm run bench -- qr');
  const scanned = await compareScans(lifetime, service, scans('scan', plain));
  const paced = await paceScans(service, scans('scan', plain), scanned.perSecond / 2);
  const withRules = await compareScans(lifetime, service, scans('scan with rules', ruled));
  printTable(rows);
  console.log(
    ['', ...scanned.lines, paced, ...withRules.lines, ...service.complaints()].join('\n'),
  );
  return rows.filter((row) => row.includes('MISSED')).length;
});
