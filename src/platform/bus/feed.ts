import type { Arrived, ChannelState } from './streams.ts';
import type { Position, Publication } from './types.ts';

/** Who hears a channel. Called in the order of the messages; must not throw. */
export interface Listener {
  heard: (publication: Publication) => void;
  /** Messages are lost, or may be: whoever listens has to begin anew. */
  lost: () => void;
}

/** What somebody has missed who was away. */
export interface Recovery extends Position {
  /** True when `publications` is all of it. Never a part. */
  recovered: boolean;
  publications: readonly Publication[];
}

/**
 * All that came after `since`; undefined when something of it is not kept any more, or `since` is
 * none of this channel's positions.
 */
function missedSince(
  { epoch, offset, entries }: ChannelState,
  since: Position,
): Publication[] | undefined {
  if (since.epoch !== epoch) return undefined;
  if (since.offset === offset) return [];
  const isKnown =
    entries[0]?.previous === since.offset || entries.some((entry) => entry.offset === since.offset);
  return isKnown ? entries.filter((entry) => entry.offset > since.offset) : undefined;
}

export interface FeedOptions {
  /** Messages that are kept. */
  size: number;
  read: () => Promise<ChannelState>;
  /** A message did not come: `sync` has to be called until it succeeds. */
  onGap: () => void;
}

/**
 * One channel as this replica hears it. It holds all that is kept of the channel, so that catching
 * up asks no store, and notices by the chain of offsets when a message did not come: then the
 * channel is read again, and the gap filled.
 */
export function createFeed({ size, read, onGap }: FeedOptions) {
  const listeners = new Set<Listener>();
  let state: ChannelState = { epoch: '', offset: 0, entries: [] };
  let isLive = false;
  let waiting: Arrived[] = [];
  let syncing: Promise<void> | undefined;
  let interruptions = 0;

  const tell = (publication: Publication): void =>
    listeners.forEach((listener) => listener.heard(publication));

  function append(publication: Publication): void {
    state.offset = publication.offset;
    state.entries.push(publication);
    if (state.entries.length > size) state.entries.shift();
    tell(publication);
  }

  function take(arrived: Arrived): void {
    if (arrived.offset === 0) tell(arrived);
    else if (!isLive) waiting.push(arrived);
    else if (arrived.epoch === state.epoch && arrived.offset <= state.offset) return;
    else if (arrived.epoch === state.epoch && arrived.previous === state.offset) append(arrived);
    else {
      waiting.push(arrived);
      isLive = false;
      onGap();
    }
  }

  function adopt(now: ChannelState): void {
    const missed = state.epoch === '' ? [] : missedSince(now, state);
    if (missed === undefined || state.epoch === '') state = now;
    else missed.forEach(append);
    isLive = true;
    if (missed === undefined) listeners.forEach((listener) => listener.lost());
    const arrived = waiting;
    waiting = [];
    arrived.forEach(take);
  }

  async function readAndAdopt(): Promise<void> {
    const before = interruptions;
    // What is read has those already.
    waiting = [];
    try {
      const now = await read();
      // What was read may be older than what was missed.
      if (before !== interruptions)
        throw new Error('the channel was interrupted while it was read');
      adopt(now);
    } finally {
      syncing = undefined;
    }
  }

  return {
    take,

    /**
     * Reads the channel again and goes on from there. Rejects when it can't be read; the feed is
     * not live then.
     */
    sync: (): Promise<void> => (syncing ??= readAndAdopt()),

    /** Messages may have been missed: nothing is told until the next `sync`. */
    interrupt(): void {
      isLive = false;
      interruptions += 1;
    },

    /** For listeners of this replica alone, while nobody else can be told. */
    tellLocally: (publication: Publication): void => tell(publication),

    isLive: (): boolean => isLive,
    position: (): Position => ({ epoch: state.epoch, offset: state.offset }),

    /** The messages that are kept, oldest first. */
    entries: (): readonly Publication[] => state.entries,

    /** What came after `since`, at once. */
    recover(since: Position): Recovery {
      const missed = missedSince(state, since);
      return {
        epoch: state.epoch,
        offset: state.offset,
        recovered: missed !== undefined,
        publications: missed ?? [],
      };
    },

    add: (listener: Listener): void => void listeners.add(listener),
    remove: (listener: Listener): void => void listeners.delete(listener),
    isUnused: (): boolean => listeners.size === 0,
  };
}

export type Feed = ReturnType<typeof createFeed>;
