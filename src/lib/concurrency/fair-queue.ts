/** What callers of one kind get. */
export interface Share {
  /** How many of this kind run at a time. */
  together: number;
  /** How many of one caller run at a time. */
  each: number;
  /** How many of one caller wait for their turn. */
  waiting: number;
  /** How many of this kind wait for their turn. */
  waitingTogether: number;
}

/** Gives the place back. Calling it again changes nothing. */
export type Leave = () => void;

/**
 * Why there is not even a place to wait in: the caller has as many questions here as it may have,
 * or its kind has.
 */
export type Refusal = 'caller_full' | 'kind_full';

interface Lane<Kind extends string> {
  kind: Kind;
  running: number;
  waiting: (() => void)[];
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
  // In the order in which it is the callers' turn.
  const lanes = new Map<string, Lane<Kind>>();
  const all = () => [...lanes.values()];
  const runningOf = (kind?: Kind) =>
    all().reduce(
      (sum, lane) => (kind === undefined || lane.kind === kind ? sum + lane.running : sum),
      0,
    );
  const waitingOf = (kind: Kind) =>
    all().reduce((sum, lane) => (lane.kind === kind ? sum + lane.waiting.length : sum), 0);

  function mayRun({ kind, running }: Lane<Kind>): boolean {
    return (
      running < shares[kind].each && runningOf(kind) < shares[kind].together && runningOf() < places
    );
  }

  function dropIfEmpty(key: string, lane: Lane<Kind>): void {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key);
  }

  function begin(key: string, lane: Lane<Kind>): Leave {
    lane.running += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      lane.running -= 1;
      dropIfEmpty(key, lane);
      admit();
    };
  }

  function admit(): void {
    // Whoever gets a place goes to the end of the row, where this loop comes by again.
    for (const [key, lane] of lanes) {
      if (lane.waiting.length === 0 || !mayRun(lane)) continue;
      lanes.delete(key);
      lanes.set(key, lane);
      lane.waiting.shift()?.();
    }
  }

  function wait(key: string, lane: Lane<Kind>, signal: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(begin(key, lane));
      };
      const giveUp = () => {
        lane.waiting = lane.waiting.filter((each) => each !== grant);
        dropIfEmpty(key, lane);
        reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
      };
      lane.waiting.push(grant);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    /**
     * Resolves when it is the caller's turn; rejects with the signal's reason when that comes
     * first.
     */
    async enter(key: string, kind: Kind, signal: AbortSignal): Promise<Leave | Refusal> {
      signal.throwIfAborted();
      const lane = lanes.get(key) ?? { kind, running: 0, waiting: [] };
      if (mayRun(lane)) {
        lanes.set(key, lane);
        return begin(key, lane);
      }
      if (lane.waiting.length >= shares[kind].waiting) return 'caller_full';
      if (waitingOf(kind) >= shares[kind].waitingTogether) return 'kind_full';
      lanes.set(key, lane);
      return wait(key, lane, signal);
    },

    /** How many run and how many wait. */
    figures: () => ({
      running: runningOf(),
      waiting: all().reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),
  };
}

export type FairQueue<Kind extends string> = ReturnType<typeof createFairQueue<Kind>>;
