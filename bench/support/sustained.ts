import { setTimeout as delay } from 'node:timers/promises';
import { batch } from './load.ts';
import { startPaced, type PacedResult } from './paced.ts';
import { watchCpu } from './processes.ts';
import type { Service } from './service.ts';
import { type Count, countRows, waitForRows } from './settle.ts';

interface Sample {
  /** Seconds since the start. */
  at: number;
  /** Events answered 200 that are not in the event store yet. */
  waiting: number;
  /** Journal bytes without a checkpoint. */
  backlogBytes: number;
}

export interface Sustained {
  perSecond: number;
  result: PacedResult;
  samples: Sample[];
  /**
   * Whether the backlog hardly grew in the second half of the time, and drained quickly afterwards.
   */
  flat: boolean;
  drainMs: number;
  cores: number;
  count: Count;
}

const sampleMs = 1000;
const drainLimitMs = 5000;
/**
 * The size of this load in the journal just before a checkpoint, which comes every 250,000 events.
 */
const checkpointBytes = 36e6;

/** Returns the peak of a part of the samples; `from` and `to` are fractions of the whole. */
function peak(
  samples: readonly Sample[],
  from: number,
  to: number,
  pick: (sample: Sample) => number,
): number {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  return Math.max(0, ...part.map(pick));
}

/**
 * Both figures rise and fall with every transaction and checkpoint, so peaks are compared: those of
 * the last quarter of the time with those of the quarter before it. Half a second's worth of
 * waiting events is no backlog, nor is the journal's content between two checkpoints. The bytes are
 * sampled every two seconds, twice per rise and fall, so their peaks are less accurate.
 */
function isFlat(samples: readonly Sample[], perSecond: number): boolean {
  const growth = (pick: (sample: Sample) => number, least: number) =>
    peak(samples, 0.75, 1, pick) / Math.max(least, peak(samples, 0.5, 0.75, pick));
  return (
    growth((sample) => sample.waiting, perSecond / 2) < 1.1 &&
    growth((sample) => sample.backlogBytes, checkpointBytes) < 1.25
  );
}

/** Sends batches at a constant rate of `perSecond` events and watches the backlog. */
export async function runSustained(
  service: Service,
  {
    perSecond,
    seconds,
    warmUpSeconds,
  }: { perSecond: number; seconds: number; warmUpSeconds: number },
): Promise<Sustained> {
  const rate = perSecond / batch.eventsPerRequest;
  const initialRows = await service.rows();
  const warmUp = await (
    await startPaced(batch, service.port, { perSecond: rate, seconds: warmUpSeconds })
  ).finished;
  await waitForRows(service, initialRows + warmUp.ok * batch.eventsPerRequest);
  const before = await service.rows();
  const cores = watchCpu(service.pid);
  const paced = await startPaced(batch, service.port, { perSecond: rate, seconds });
  const samples: Sample[] = [];
  const began = performance.now();
  for (let at = sampleMs; at < seconds * 1000; at += sampleMs) {
    await delay(Math.max(0, began + at - performance.now()));
    const accepted = paced.ok() * batch.eventsPerRequest;
    const [rows, backlogBytes] = await Promise.all([service.rows(), service.backlogBytes()]);
    samples.push({ at: at / 1000, waiting: Math.max(0, accepted - (rows - before)), backlogBytes });
  }
  const result = await paced.finished;
  const used = cores();
  const ended = performance.now();
  const answered = result.ok * batch.eventsPerRequest;
  await waitForRows(service, before + answered);
  const drainMs = performance.now() - ended;
  const count = await countRows(
    service,
    'batch sustained',
    before,
    answered,
    result.broken * batch.eventsPerRequest,
  );
  return {
    perSecond: answered / seconds,
    result,
    samples,
    drainMs,
    cores: used,
    count,
    flat: drainMs < drainLimitMs && isFlat(samples, perSecond),
  };
}
