import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ensureDataset } from './support/dataset.ts';
import { runBenchmark, workFolder } from './support/lifetime.ts';
import { residentMiB } from './support/processes.ts';
import {
  mebibytes,
  median,
  ms,
  printConditions,
  printTable,
  verdict,
  whole,
} from './support/report.ts';
import { type Service, startService } from './support/service.ts';

/**
 * The response time of a whole dashboard over a year of events. `--events N` for another size,
 * `--quick` for 1 million.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, events: { type: 'string' } },
});
const events = Number(options.events ?? (options.quick ? 1_000_000 : 10_000_000));
const discarded = 2;
const runs = 9;
const goals = { '30d': 150, '12mo': 400, bytes: 120 };

interface Query {
  name: string;
  query: string;
  /** In ms, if there is one. */
  goal?: number;
}

const queries: Query[] = (['30d', '12mo'] as const).flatMap((period) => [
  { name: period, query: `period=${period}`, goal: goals[period] },
  {
    name: `${period}, compared with the period before`,
    query: `period=${period}&compare=previous`,
  },
  { name: `${period}, source is Google`, query: `period=${period}&filter=source:is:Google` },
]);

const answerSchema = z.object({ totals: z.object({ events: z.number(), visits: z.number() }) });

async function measure(service: Service, { name, query, goal }: Query): Promise<string[]> {
  const times: number[] = [];
  let answer: unknown;
  for (let run = 0; run < discarded + runs; run += 1) {
    const began = performance.now();
    answer = await service.get(`/analytics/dashboard/?site_id=site-1&${query}`);
    times.push(performance.now() - began);
  }
  const { totals } = answerSchema.parse(answer);
  if (totals.events === 0) throw new Error(`${query} has found no events`);
  const measured = times.slice(discarded);
  const middle = median(measured);
  return [
    name,
    ms(middle),
    ms(Math.min(...measured)),
    ms(Math.max(...measured)),
    ms(times[0] ?? Number.NaN),
    goal === undefined ? '-' : `< ${goal} ms`,
    goal === undefined ? '-' : verdict(middle < goal),
    whole(totals.events),
    whole(totals.visits),
  ];
}

await runBenchmark(async (lifetime) => {
  const size = events % 1_000_000 === 0 ? `${events / 1_000_000}m` : String(events);
  const dataset = await ensureDataset(lifetime, join(workFolder, `bench-${size}`), events);
  const service = await startService(lifetime, dataset.dataDir);
  printConditions(
    `npm run bench -- dashboard${process.argv
      .slice(2)
      .map((argument) => ` ${argument}`)
      .join('')}`,
  );
  const before = residentMiB(service.pid);
  const rows = [
    ['site-1', 'median', 'min', 'max', 'first', 'goal', 'result', 'events in it', 'visits in it'],
  ];
  for (const dashboardQuery of queries) rows.push(await measure(service, dashboardQuery));
  const after = residentMiB(service.pid);
  await service.stop();
  const bytes = statSync(join(dataset.dataDir, 'events.duckdb')).size;
  const perEvent = bytes / dataset.events;
  printTable(rows);
  console.log(
    `\n1 client, ${discarded} responses discarded, median of ${runs}. ` +
      `${whole(dataset.events)} events of 3 sites over 365 days.`,
  );
  console.log(`Memory of the service: ${mebibytes(before)} before, ${mebibytes(after)} after.`);
  console.log(
    `On disk: ${whole(bytes / 1e6)} MB, ${perEvent.toFixed(1)} bytes per event ` +
      `(goal ≤ ${goals.bytes}: ${verdict(perEvent <= goals.bytes)}).`,
  );
  for (const line of service.complaints()) console.log(line);
  return 0;
});
