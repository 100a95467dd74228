/** The limits of one kind of callers. */
export interface Share {
  /** Maximum number of running requests of this kind. */
  running: number;
  /** Maximum number of running requests of one caller. */
  runningPerCaller: number;
  /** Maximum number of waiting requests of one caller. */
  waitingPerCaller: number;
  /** Maximum number of waiting requests of this kind. */
  waiting: number;
}

/** Releases the slot. Idempotent. */
export type Release = () => void;

/** Why a request cannot be queued: too many of its caller or of its kind are waiting. */
export type Refusal = 'caller_full' | 'kind_full';

interface Lane<Kind extends string> {
  kind: Kind;
  running: number;
  waiting: (() => void)[];
}

interface Queue<Kind extends string> {
  slots: number;
  shares: Readonly<Record<Kind, Share>>;
  /** Lanes by caller, in the order in which they are served next. */
  lanes: Map<string, Lane<Kind>>;
}

/** Sums up all lanes, or those of one kind. */
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

function canRun<Kind extends string>(queue: Queue<Kind>, { kind, running }: Lane<Kind>): boolean {
  const share = queue.shares[kind];
  return (
    running < share.runningPerCaller &&
    total(queue, runningIn, kind) < share.running &&
    total(queue, runningIn) < queue.slots
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
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    lane.running -= 1;
    dropIfEmpty(queue, key, lane);
    admit(queue);
  };
}

function admit<Kind extends string>(queue: Queue<Kind>): void {
  // A served lane moves to the end of the map, where this loop reaches it again.
  for (const [key, lane] of queue.lanes) {
    if (lane.waiting.length === 0 || !canRun(queue, lane)) continue;
    queue.lanes.delete(key);
    queue.lanes.set(key, lane);
    lane.waiting.shift()?.();
  }
}

function enqueue<Kind extends string>(
  queue: Queue<Kind>,
  key: string,
  lane: Lane<Kind>,
  signal: AbortSignal,
): Promise<Release> {
  return new Promise((resolve, reject) => {
    const grant = () => {
      signal.removeEventListener('abort', onAbort);
      resolve(start(queue, key, lane));
    };
    const onAbort = () => {
      lane.waiting = lane.waiting.filter((each) => each !== grant);
      dropIfEmpty(queue, key, lane);
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    };
    lane.waiting.push(grant);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * A limited number of slots, shared fairly: callers take turns, regardless of how many requests
 * each one sends, and no kind of callers gets more slots than its share. Requests are served in
 * order only within one caller.
 */
export function createFairQueue<Kind extends string>(
  slots: number,
  shares: Readonly<Record<Kind, Share>>,
) {
  const queue: Queue<Kind> = { slots, shares, lanes: new Map() };
  return {
    /**
     * Resolves with the release function when a slot is granted, or with the refusal when the queue
     * is full. Rejects with the signal's reason if it is aborted first.
     */
    async acquire(key: string, kind: Kind, signal: AbortSignal): Promise<Release | Refusal> {
      signal.throwIfAborted();
      const lane = queue.lanes.get(key) ?? { kind, running: 0, waiting: [] };
      if (canRun(queue, lane)) {
        queue.lanes.set(key, lane);
        return start(queue, key, lane);
      }
      if (lane.waiting.length >= shares[kind].waitingPerCaller) return 'caller_full';
      if (total(queue, waitingIn, kind) >= shares[kind].waiting) return 'kind_full';
      queue.lanes.set(key, lane);
      return enqueue(queue, key, lane, signal);
    },

    /** Returns the number of running and waiting requests. */
    figures: () => ({ running: total(queue, runningIn), waiting: total(queue, waitingIn) }),
  };
}

export type FairQueue<Kind extends string> = ReturnType<typeof createFairQueue<Kind>>;
