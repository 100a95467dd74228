/** What callers of one kind get. */
export interface Share {
  /** How many of this kind run at a time. */
  running: number;
  /** How many of one caller run at a time. */
  runningPerCaller: number;
  /** How many of one caller wait for their turn. */
  waitingPerCaller: number;
  /** How many of this kind wait for their turn. */
  waiting: number;
}

/** Gives the place back. Calling it again changes nothing. */
export type Release = () => void;

/** Why the caller may not even wait: too many of its own wait already, or too many of its kind. */
export type Refusal = 'caller_full' | 'kind_full';

interface Lane<Kind extends string> {
  kind: Kind;
  running: number;
  waiting: (() => void)[];
}

interface Queue<Kind extends string> {
  places: number;
  shares: Readonly<Record<Kind, Share>>;
  /** By caller, in the order in which it is their turn. */
  lanes: Map<string, Lane<Kind>>;
}

/** The sum over all lanes, or over those of one kind. */
function total<Kind extends string>(
  { lanes }: Queue<Kind>,
  count: (lane: Lane<Kind>) => number,
  kind?: Kind,
): number {
  let sum = 0;
  for (const lane of lanes.values())
    if (kind === undefined || lane.kind === kind) sum += count(lane);
  return sum;
}

const runningIn = ({ running }: { running: number }): number => running;
const waitingIn = ({ waiting }: { waiting: readonly unknown[] }): number => waiting.length;

function mayRun<Kind extends string>(queue: Queue<Kind>, { kind, running }: Lane<Kind>): boolean {
  const share = queue.shares[kind];
  return (
    running < share.runningPerCaller &&
    total(queue, runningIn, kind) < share.running &&
    total(queue, runningIn) < queue.places
  );
}

function dropIfEmpty<Kind extends string>(
  { lanes }: Queue<Kind>,
  key: string,
  lane: Lane<Kind>,
): void {
  if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key);
}

function start<Kind extends string>(queue: Queue<Kind>, key: string, lane: Lane<Kind>): Release {
  lane.running += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    lane.running -= 1;
    dropIfEmpty(queue, key, lane);
    admit(queue);
  };
}

function admit<Kind extends string>(queue: Queue<Kind>): void {
  // Whoever gets a place goes to the end of the row, where this loop comes by again.
  for (const [key, lane] of queue.lanes) {
    if (lane.waiting.length === 0 || !mayRun(queue, lane)) continue;
    queue.lanes.delete(key);
    queue.lanes.set(key, lane);
    lane.waiting.shift()?.();
  }
}

function wait<Kind extends string>(
  queue: Queue<Kind>,
  key: string,
  lane: Lane<Kind>,
  signal: AbortSignal,
): Promise<Release> {
  return new Promise((resolve, reject) => {
    const grant = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(start(queue, key, lane));
    };
    const giveUp = () => {
      lane.waiting = lane.waiting.filter((each) => each !== grant);
      dropIfEmpty(queue, key, lane);
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    };
    lane.waiting.push(grant);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/**
 * A limited number of places, shared fairly: callers take turns, however many requests each of them
 * sends, and no kind of caller holds more places than its share. First come, first served holds
 * only among the requests of one caller.
 */
export function createFairQueue<Kind extends string>(
  places: number,
  shares: Readonly<Record<Kind, Share>>,
) {
  const queue: Queue<Kind> = { places, shares, lanes: new Map() };
  return {
    /** Resolves when it is the caller's turn; rejects with the signal's reason if that is first. */
    async acquire(key: string, kind: Kind, signal: AbortSignal): Promise<Release | Refusal> {
      signal.throwIfAborted();
      const lane = queue.lanes.get(key) ?? { kind, running: 0, waiting: [] };
      if (mayRun(queue, lane)) {
        queue.lanes.set(key, lane);
        return start(queue, key, lane);
      }
      if (lane.waiting.length >= shares[kind].waitingPerCaller) return 'caller_full';
      if (total(queue, waitingIn, kind) >= shares[kind].waiting) return 'kind_full';
      queue.lanes.set(key, lane);
      return wait(queue, key, lane, signal);
    },

    /** How many run and how many wait. */
    figures: () => ({ running: total(queue, runningIn), waiting: total(queue, waitingIn) }),
  };
}

export type FairQueue<Kind extends string> = ReturnType<typeof createFairQueue<Kind>>;
