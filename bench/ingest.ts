import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  compare,
  type Comparison,
  countedRun,
  startLimit,
  type Timing,
} from './support/compare.ts';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import { batch, type Load, pixel, track } from './support/load.ts';
import { startPaced } from './support/paced.ts';
import { residentMiB } from './support/processes.ts';
import { mebibytes, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { type Service, startService } from './support/service.ts';
import { type Count, countRows, waitForRows } from './support/settle.ts';
import { runSustained, type Sustained } from './support/sustained.ts';

/**
 * Rate, latency, backlog and disk space of incoming events. `--quick` for short runs,
 * `--only track,burst` for a part.
 */
const parts = ['track', 'pixel', 'batch', 'sustained', 'burst', 'latency', 'disk'] as const;
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: parts.join(',') },
    rate: { type: 'string', default: '60000' },
  },
});
const wanted = new Set(options.only.split(','));
const goals = {
  track: 0.6,
  pixel: 0.7,
  sustained: Number(options.rate),
  burst: 120_000,
  p99: 15,
  bytes: 120,
};
const timing: Timing = options.quick
  ? { warmUpSeconds: 2, runs: 2, runSeconds: 3 }
  : { warmUpSeconds: 8, runs: 3, runSeconds: 8 };
const lengths = options.quick
  ? { sustained: 12, burst: 3, latency: 4 }
  : { sustained: 60, burst: 5, latency: 15 };
// A little above the goal: a rate of exactly the goal would be missed with a single late request.
const sustainedRate = goals.sustained * 1.01;

const rows: string[][] = [
  ['measured', 'figure', 'limit', 'ratio', 'goal', 'result', 'p50', 'p99', 'cores', 'RSS', 'note'],
];
const counts: Count[] = [];

function add(
  measured: string,
  figure: string,
  rest: Partial<
    Record<'limit' | 'ratio' | 'goal' | 'met' | 'p50' | 'p99' | 'cores' | 'rss' | 'note', string>
  >,
): void {
  const of = (name: keyof typeof rest) => rest[name] ?? '-';
  rows.push([
    measured,
    figure,
    of('limit'),
    of('ratio'),
    of('goal'),
    of('met'),
    of('p50'),
    of('p99'),
    of('cores'),
    of('rss'),
    rest.note ?? '',
  ]);
  console.error(`  ${measured}: ${figure}`);
}

function addComparison(
  load: Load,
  { service, limit, ratio, counts: counted }: Comparison,
  goal: number | undefined,
): void {
  counts.push(...counted);
  add(`${load.name}, ${load.connections} connections`, `${whole(service.perSecond)}/s`, {
    limit: `${whole(limit.perSecond)}/s`,
    ratio: ratio.toFixed(2),
    ...(goal === undefined ? {} : { goal: `≥ ${goal.toFixed(2)}`, met: verdict(ratio >= goal) }),
    p50: ms(service.p50),
    p99: ms(service.p99),
    cores: service.cores.toFixed(2),
    rss: mebibytes(service.residentMiB),
    note:
      `spread ${Math.round(service.spread * 100)} %, ` +
      `limit's ${Math.round(limit.spread * 100)} % (p50 ${ms(limit.p50)}, ` +
      `p99 ${ms(limit.p99)}, ${limit.cores.toFixed(2)} cores)`,
  });
}

function addSustained(
  { perSecond, result, samples, flat, drainMs, cores, count }: Sustained,
  service: Service,
): void {
  counts.push(count);
  add('batch of 100, sustained', `${whole(perSecond)}/s`, {
    goal: `≥ ${whole(goals.sustained)}/s`,
    met: verdict(perSecond >= goals.sustained && flat),
    p50: ms(result.p50),
    p99: ms(result.p99),
    cores: cores.toFixed(2),
    rss: mebibytes(residentMiB(service.pid)),
    note:
      `${lengths.sustained} s at ${whole(sustainedRate)}/s, ` +
      `backlog ${flat ? 'flat' : 'NOT flat'}, drained in ${ms(drainMs)}, ` +
      `slowest answer ${ms(result.max)}, ${result.refused} refused, ` +
      `${result.due - result.sent} never sent`,
  });
  const shown = samples
    .filter(({ at }) => at % (options.quick ? 2 : 5) === 0)
    .map(({ at, waiting, backlogBytes }) => {
      const megabytes = (backlogBytes / 1e6).toFixed(0);
      return `${at} s ${whole(waiting)} / ${megabytes}`;
    });
  counts.push({
    failed: false,
    line: 'backlog (waiting events / journal MB without checkpoint): ' + shown.join(', '),
  });
}

async function burst(service: Service, folder: string): Promise<void> {
  const { run, count, drainedAfterMs } = await countedRun(
    { ...batch, name: 'batch burst' },
    service,
    lengths.burst,
    folder,
  );
  counts.push(count);
  const perSecond = run.perSecond * batch.eventsPerRequest;
  add('batch of 100, burst', `${whole(perSecond)}/s`, {
    goal: `≥ ${whole(goals.burst)}/s`,
    met: verdict(perSecond >= goals.burst),
    p50: ms(run.p50),
    p99: ms(run.p99),
    cores: run.cores.toFixed(2),
    rss: mebibytes(run.residentMiB),
    note:
      `${lengths.burst} s; stored and checkpointed ` +
      `${(drainedAfterMs / 1000).toFixed(1)} s after its end`,
  });
}

async function latency(
  service: Service,
  fullRate: number | undefined,
  folder: string,
): Promise<void> {
  const perSecond =
    (fullRate ?? (await countedRun(track, service, timing.runSeconds, folder)).run.perSecond) / 2;
  // The sender's own code is slow in its first second and would distort the measurement.
  const initialRows = await service.rows();
  const warmUp = await (
    await startPaced(track, service.port, { perSecond, seconds: timing.warmUpSeconds })
  ).finished;
  await waitForRows(service, initialRows + warmUp.ok);
  const before = await service.rows();
  const { ok, p50, p99, max, refused, broken } = await (
    await startPaced(track, service.port, { perSecond, seconds: lengths.latency })
  ).finished;
  counts.push(await countRows(service, 'track at half of its rate', before, ok, broken));
  add('track p99 at half of its full rate', ms(p99), {
    goal: `< ${goals.p99} ms`,
    met: verdict(p99 < goals.p99),
    p50: ms(p50),
    p99: ms(p99),
    note:
      `${lengths.latency} s at ${whole(perSecond)}/s, slowest ${ms(max)}, ` +
      `${refused + broken} failed`,
  });
}

/** Returns the size of the event store's file, once its write-ahead log is empty. */
async function storedBytes(dataDir: string): Promise<number> {
  const size = (name: string) =>
    statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  const limit = performance.now() + 20_000;
  // The idle checkpoint comes five seconds after the last event.
  await delay(6000);
  while (size('events.duckdb.wal') > 0 && performance.now() < limit) await delay(250);
  return size('events.duckdb');
}

async function disk(service: Service, dataDir: string): Promise<void> {
  const events = await service.rows();
  const bytes = (await storedBytes(dataDir)) / events;
  add('bytes on disk per event', bytes.toFixed(1), {
    goal: `≤ ${goals.bytes}`,
    met: verdict(bytes <= goals.bytes),
    note: `${whole(events)} identical events; the dashboard benchmark has varied ones`,
  });
}

await runBenchmark(async (lifetime: Lifetime) => {
  const [dataDir, folder] = [lifetime.folder(), lifetime.folder()];
  const limit = await startLimit(lifetime);
  const service = await startService(lifetime, dataDir);
  printConditions(
    `npm run bench -- ingest${process.argv
      .slice(2)
      .map((argument) => ` ${argument}`)
      .join('')}`,
  );
  const goalOf = (load: Load) =>
    load === batch ? undefined : goals[load === track ? 'track' : 'pixel'];
  let fullRate: number | undefined;
  for (const load of [track, pixel, batch]) {
    if (!wanted.has(load.name)) continue;
    const comparison = await compare(load, service, limit, timing, folder);
    if (load === track) fullRate = comparison.service.perSecond;
    addComparison(load, comparison, goalOf(load));
  }
  if (wanted.has('sustained')) {
    addSustained(
      await runSustained(service, {
        perSecond: sustainedRate,
        seconds: lengths.sustained,
        warmUpSeconds: timing.warmUpSeconds,
      }),
      service,
    );
  }
  if (wanted.has('burst')) await burst(service, folder);
  if (wanted.has('latency')) await latency(service, fullRate, folder);
  if (wanted.has('disk')) await disk(service, dataDir);
  printTable(rows);
  console.log(['', ...counts.map(({ line }) => line), ...service.complaints()].join('\n'));
  return counts.filter(({ failed }) => failed).length;
});
