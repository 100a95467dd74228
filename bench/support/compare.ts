import { z } from 'zod';
import type { Lifetime } from './lifetime.ts';
import type { Load } from './load.ts';
import { residentMiB, startProgram, watchCpu } from './processes.ts';
import { median } from './report.ts';
import type { Service } from './service.ts';
import { type Count, countRows } from './settle.ts';
import { runWrk, type WrkResult } from './wrk.ts';

export interface Timing {
  warmUpSeconds: number;
  runs: number;
  runSeconds: number;
}

interface Side {
  /** Events per second, median of the runs. */
  perSecond: number;
  /** (largest - smallest) / median of the runs. */
  spread: number;
  p50: number;
  p99: number;
  cores: number;
  residentMiB: number;
}

export interface Comparison {
  service: Side;
  limit: Side;
  ratio: number;
  counts: Count[];
}

export interface Limit {
  base: string;
  pid: number;
}

/** Starts the bare Fastify server that the service is compared with. */
export async function startLimit(lifetime: Lifetime): Promise<Limit> {
  const { pid, message } = await startProgram(lifetime, 'bare-fastify');
  const { port } = z.object({ port: z.number() }).parse(message);
  return { base: `http://127.0.0.1:${port}`, pid };
}

interface Run extends WrkResult {
  cores: number;
  residentMiB: number;
}

async function measure(
  load: Load,
  { base, pid }: Limit,
  durationSeconds: number,
  folder: string,
): Promise<Run> {
  const cores = watchCpu(pid);
  const result = await runWrk(load, base, durationSeconds, folder);
  return { ...result, cores: cores(), residentMiB: residentMiB(pid) };
}

function summarize(runs: readonly Run[], eventsPerRequest: number): Side {
  const of = (pick: (run: Run) => number) => median(runs.map(pick));
  const rates = runs.map((run) => run.perSecond);
  return {
    perSecond: of((run) => run.perSecond) * eventsPerRequest,
    spread: (Math.max(...rates) - Math.min(...rates)) / of((run) => run.perSecond),
    p50: of((run) => run.p50),
    p99: of((run) => run.p99),
    cores: of((run) => run.cores),
    residentMiB: of((run) => run.residentMiB),
  };
}

/** Runs a load against the service once, and counts its stored rows afterwards. */
export async function countedRun(
  load: Load,
  service: Service,
  durationSeconds: number,
  folder: string,
): Promise<{ run: Run; count: Count; drainedAfterMs: number }> {
  const before = await service.rows();
  const run = await measure(load, service, durationSeconds, folder);
  const ended = performance.now();
  const answered = run.answered * load.eventsPerRequest;
  const count = await countRows(
    service,
    load.name,
    before,
    answered,
    load.connections * load.eventsPerRequest,
  );
  if (run.refused + run.socketErrors > 0)
    count.line += `; ${run.refused} refused, ${run.socketErrors} socket errors`;
  return { run, count, drainedAfterMs: performance.now() - ended };
}

/**
 * Runs a load against limit and service alternately (limit, service, limit, service, …) after a
 * warm-up of both. After each run of the service its rows are counted, and the next one waits until
 * its backlog is gone.
 */
export async function compare(
  load: Load,
  service: Service,
  limit: Limit,
  { warmUpSeconds, runs, runSeconds }: Timing,
  folder: string,
): Promise<Comparison> {
  const [ofLimit, ofService, counts]: [Run[], Run[], Count[]] = [[], [], []];
  await measure(load, limit, warmUpSeconds, folder);
  counts.push((await countedRun(load, service, warmUpSeconds, folder)).count);
  for (let index = 0; index < runs; index += 1) {
    ofLimit.push(await measure(load, limit, runSeconds, folder));
    const { run, count } = await countedRun(load, service, runSeconds, folder);
    ofService.push(run);
    counts.push(count);
  }
  const [a, b] = [
    summarize(ofService, load.eventsPerRequest),
    summarize(ofLimit, load.eventsPerRequest),
  ];
  return { service: a, limit: b, ratio: a.perSecond / b.perSecond, counts };
}
