import { setTimeout as delay } from 'node:timers/promises';
import { watchCpu, watchMachine } from './processes.ts';
import { openAndGreet, openMany, type RawSocket } from './raw-socket.ts';
import { median } from './report.ts';

/** A server that forwards publications to subscribers: the service or one of the limits. */
export interface Hub {
  name: string;
  pid: number;
  port: number;
  subscriber: Greeting;
  publisher: Greeting;
  /** Returns the message that publishes `data`, which is JSON. */
  message: (data: string, id: number) => string;
}

interface Greeting {
  path: string;
  hello: string;
  /** Text that the reply to `hello` contains. */
  expectedReply: string;
}

export interface FanOutRun {
  deliveriesPerSecond: number;
  /** ms from when a message was due until the last subscriber received it. */
  p50: number;
  p99: number;
  max: number;
  cores: number;
  driverCores: number;
  /** Cores used by other programs: above a few tenths the figures are unreliable. */
  otherCores: number;
  /**
   * Messages that had not reached all subscribers two seconds after the end, and refused
   * publications.
   */
  missing: number;
  refused: number;
}

export interface FanOutOptions {
  subscribers: number;
  seconds: number;
  pace: { inFlight: number } | { perSecond: number };
}

/** More than one, because the service allows a client only a hundred commands per second. */
const publishers = 4;
/** Occurs once in every publication, and in no other message. */
const marker = 0x5e;
const data = `"^${'x'.repeat(109)}"`;
const settleMs = 500;
const lateMs = 2000;

function markersIn(payload: Buffer): number {
  let count = 0;
  for (let at = payload.indexOf(marker); at >= 0; at = payload.indexOf(marker, at + 1)) count += 1;
  return count;
}

/** Detects when a message has reached all subscribers. All receive messages in the same order. */
function createTally(subscribers: number, onAll: (index: number) => void) {
  const reached: number[] = [];
  let deliveries = 0;
  return {
    deliveries: (): number => deliveries,
    /** Returns the message handler of one subscriber. */
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

const openGreeting = (
  { port }: Hub,
  { path, hello, expectedReply }: Greeting,
  onMessage: (payload: Buffer) => void,
): Promise<RawSocket> => openAndGreet({ port, path, onMessage }, hello, expectedReply);

/**
 * Publishes for `seconds`, at a constant rate. With `inFlight` it publishes only the first
 * messages: each that has reached all subscribers is followed by another.
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

/** Publishes to many subscribers, and measures until all of them have every message. */
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
  const subscriberSockets = await openMany(subscribers, 100, () =>
    openGreeting(hub, hub.subscriber, tally.subscriber()),
  );
  const publisherSockets = await openMany(publishers, publishers, () =>
    openGreeting(hub, hub.publisher, (payload) => {
      if (payload.includes('"error"')) refused += 1;
    }),
  );
  function publish(at: number): void {
    dueAt.push(at);
    publisherSockets[dueAt.length % publishers]?.send(hub.message(data, dueAt.length + 1));
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
  for (const socket of [...subscriberSockets, ...publisherSockets]) socket.destroy();
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

/** Returns the median of each figure, and the sums of missing and refused messages. */
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
