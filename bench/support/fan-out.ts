import { setTimeout as delay } from 'node:timers/promises';
import { watchCpu, watchMachine } from './processes.ts';
import { openGreeted, openMany, type RawSocket } from './raw-socket.ts';
import { median } from './report.ts';

/** A server that passes on what is published: the service or one of the limits. */
export interface Hub {
  name: string;
  pid: number;
  port: number;
  subscriber: Greeting;
  publisher: Greeting;
  /** The message that publishes `data`, which is JSON. */
  message: (data: string, id: number) => string;
}

interface Greeting {
  path: string;
  hello: string;
  /** What the answer to it has in it. */
  awaited: string;
}

export interface FanOutRun {
  deliveriesPerSecond: number;
  /** ms from when a message was due until the last subscriber had it. */
  p50: number;
  p99: number;
  max: number;
  cores: number;
  driverCores: number;
  /** Cores that something else took: above a few tenths the figures say little. */
  otherCores: number;
  /**
   * Messages that were published and had not come to everybody two seconds after the end, and
   * publications that were refused.
   */
  missing: number;
  refused: number;
}

export interface FanOutOptions {
  subscribers: number;
  seconds: number;
  pace: { inFlight: number } | { perSecond: number };
}

/** The service lets one client say a hundred things a second. */
const publishers = 4;
/** Stands once in every publication, and in nothing else that is sent. */
const marker = 0x5e;
const data = `"^${'x'.repeat(109)}"`;
const settleMs = 500;
const lateMs = 2000;

function markersIn(payload: Buffer): number {
  let count = 0;
  for (let at = payload.indexOf(marker); at >= 0; at = payload.indexOf(marker, at + 1)) count += 1;
  return count;
}

/** Knows when each message has come to all subscribers. Messages come to each in the same order. */
function createTally(subscribers: number, onAll: (index: number) => void) {
  const reached: number[] = [];
  let deliveries = 0;
  return {
    deliveries: (): number => deliveries,
    /** What one subscriber calls with each of its messages. */
    subscriber(): (payload: Buffer) => void {
      let next = 0;
      return (payload) => {
        for (let count = markersIn(payload); count > 0; count -= 1) {
          const by = (reached[next] ?? 0) + 1;
          reached[next] = by;
          deliveries += 1;
          if (by === subscribers) onAll(next);
          next += 1;
        }
      };
    },
  };
}

const greeted = (
  { port }: Hub,
  { path, hello, awaited }: Greeting,
  onMessage: (payload: Buffer) => void,
): Promise<RawSocket> => openGreeted({ port, path, onMessage }, hello, awaited);

/**
 * Publishes when a message is due, until `end`: when an earlier one has come to everybody, or at a
 * constant rate.
 */
async function publishAll(
  pace: FanOutOptions['pace'],
  publish: (dueAt: number) => void,
  seconds: number,
): Promise<void> {
  const began = performance.now();
  if ('inFlight' in pace) {
    for (let index = 0; index < pace.inFlight; index += 1) publish(began);
    await delay(seconds * 1000);
    return;
  }
  for (let sent = 0; sent < pace.perSecond * seconds; sent += 1) {
    const dueAt = began + (sent * 1000) / pace.perSecond;
    while (performance.now() < dueAt) await delay(1);
    publish(dueAt);
  }
}

/** Publishes to many subscribers and measures until each has each message. */
export async function runFanOut(
  hub: Hub,
  { subscribers, seconds, pace }: FanOutOptions,
): Promise<FanOutRun> {
  const dueAt: number[] = [];
  const latencies: number[] = [];
  let refused = 0;
  let isOver = false;
  const tally = createTally(subscribers, (index) => {
    latencies.push(performance.now() - (dueAt[index] ?? Number.NaN));
    if ('inFlight' in pace && !isOver) publish(performance.now());
  });
  const listening = await openMany(subscribers, 100, () =>
    greeted(hub, hub.subscriber, tally.subscriber()),
  );
  const speaking = await openMany(publishers, publishers, () =>
    greeted(hub, hub.publisher, (payload) => {
      if (payload.includes('"error"')) refused += 1;
    }),
  );
  function publish(at: number): void {
    dueAt.push(at);
    speaking[dueAt.length % publishers]?.send(hub.message(data, dueAt.length + 1));
  }
  await delay(settleMs);
  const [cores, driver, machine, began] = [
    watchCpu(hub.pid),
    watchCpu(process.pid),
    watchMachine(),
    performance.now(),
  ];
  await publishAll(pace, publish, seconds);
  isOver = true;
  const rate = tally.deliveries() / ((performance.now() - began) / 1000);
  const [used, usedHere, busy, late] = [cores(), driver(), machine(), performance.now() + lateMs];
  while (latencies.length < dueAt.length && performance.now() < late) await delay(10);
  for (const socket of [...listening, ...speaking]) socket.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    deliveriesPerSecond: rate,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    cores: used,
    driverCores: usedHere,
    otherCores: Math.max(0, busy - used - usedHere),
    missing: dueAt.length - latencies.length,
    refused,
  };
}

/** The median of each figure; of what went wrong the sum. */
export function medianRun(runs: readonly FanOutRun[]): FanOutRun & { spread: number } {
  const of = (pick: (run: FanOutRun) => number) => median(runs.map(pick));
  const sum = (pick: (run: FanOutRun) => number) =>
    runs.reduce((total, run) => total + pick(run), 0);
  const rates = runs.map(({ deliveriesPerSecond }) => deliveriesPerSecond);
  return {
    deliveriesPerSecond: of((run) => run.deliveriesPerSecond),
    p50: of((run) => run.p50),
    p99: of((run) => run.p99),
    max: of((run) => run.max),
    cores: of((run) => run.cores),
    driverCores: of((run) => run.driverCores),
    otherCores: of((run) => run.otherCores),
    missing: sum((run) => run.missing),
    refused: sum((run) => run.refused),
    spread: (Math.max(...rates) - Math.min(...rates)) / median(rates),
  };
}
