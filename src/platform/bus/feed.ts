import type { Arrived, ChannelState } from './streams.ts';
import type { Position, Publication } from './types.ts';

/** A listener of a channel. Called in the order of the messages; must not throw. */
export interface Listener {
  onPublication: (publication: Publication) => void;
  /** Messages are lost, or may be: the listener has to begin anew. */
  onLost: () => void;
}

/** What a listener has missed who was away. */
export interface Recovery extends Position {
  /** True when `publications` is all of it. Never a part. */
  recovered: boolean;
  publications: readonly Publication[];
}

export interface FeedOptions {
  /** Messages that are kept. */
  size: number;
  read: () => Promise<ChannelState>;
  /** A message did not come: `sync` has to be called until it succeeds. */
  onGap: () => void;
}

interface FeedState extends FeedOptions {
  listeners: Set<Listener>;
  channel: ChannelState;
  isLive: boolean;
  /** Messages that came while the channel was not live. */
  waiting: Arrived[];
  syncing: Promise<void> | undefined;
  interruptions: number;
}

/** All that came after `since`; undefined when not all is kept, or it is of another epoch. */
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

const deliver = ({ listeners }: FeedState, publication: Publication): void =>
  listeners.forEach((listener) => listener.onPublication(publication));

function append(feed: FeedState, publication: Publication): void {
  const { channel, size } = feed;
  channel.offset = publication.offset;
  channel.entries.push(publication);
  if (channel.entries.length > size) channel.entries.shift();
  deliver(feed, publication);
}

function receive(feed: FeedState, message: Arrived): void {
  const { channel, isLive } = feed;
  const isOfEpoch = message.epoch === channel.epoch;
  if (message.offset === 0) deliver(feed, message);
  else if (!isLive) feed.waiting.push(message);
  else if (isOfEpoch && message.offset <= channel.offset) return;
  else if (isOfEpoch && message.previous === channel.offset) append(feed, message);
  else {
    feed.waiting.push(message);
    feed.isLive = false;
    feed.onGap();
  }
}

/** Goes on from what was read: delivers what was missed, or tells the listeners that it is lost. */
function adopt(feed: FeedState, now: ChannelState): void {
  const isFirst = feed.channel.epoch === '';
  const missed = isFirst ? [] : missedSince(now, feed.channel);
  if (missed === undefined || isFirst) feed.channel = now;
  else for (const publication of missed) append(feed, publication);
  feed.isLive = true;
  if (missed === undefined) feed.listeners.forEach((listener) => listener.onLost());
  const waiting = feed.waiting;
  feed.waiting = [];
  for (const message of waiting) receive(feed, message);
}

async function sync(feed: FeedState): Promise<void> {
  const before = feed.interruptions;
  // What is read has those already.
  feed.waiting = [];
  try {
    const now = await feed.read();
    // What was read may be older than what was missed.
    if (before !== feed.interruptions)
      throw new Error('the channel was interrupted while it was read');
    adopt(feed, now);
  } finally {
    feed.syncing = undefined;
  }
}

/**
 * One channel as this replica receives it. It holds all that is kept of the channel, so that
 * recovery asks no store, and notices by the chain of offsets when a message did not come: then the
 * channel is read again, and the gap filled.
 */
export function createFeed(options: FeedOptions) {
  const feed: FeedState = {
    ...options,
    listeners: new Set(),
    channel: { epoch: '', offset: 0, entries: [] },
    isLive: false,
    waiting: [],
    syncing: undefined,
    interruptions: 0,
  };
  return {
    receive: (message: Arrived): void => receive(feed, message),

    /** Reads the channel again and goes on from there. Not live when it rejects. */
    sync: (): Promise<void> => (feed.syncing ??= sync(feed)),

    /** Messages may have been missed: nothing is delivered until the next `sync`. */
    interrupt(): void {
      feed.isLive = false;
      feed.interruptions += 1;
    },

    /** For the listeners of this replica alone, while nobody else can be reached. */
    deliverLocally: (json: string): void =>
      deliver(feed, { kind: 'pub', json, offset: 0, previous: 0 }),

    isLive: (): boolean => feed.isLive,
    position: (): Position => ({ epoch: feed.channel.epoch, offset: feed.channel.offset }),

    /** The messages that are kept, oldest first. */
    entries: (): readonly Publication[] => feed.channel.entries,

    /** What came after `since`, from memory. */
    recover(since: Position): Recovery {
      const { epoch, offset } = feed.channel;
      const missed = missedSince(feed.channel, since);
      return { epoch, offset, recovered: missed !== undefined, publications: missed ?? [] };
    },

    add: (listener: Listener): void => void feed.listeners.add(listener),
    remove: (listener: Listener): void => void feed.listeners.delete(listener),
    isUnused: (): boolean => feed.listeners.size === 0,
  };
}

export type Feed = ReturnType<typeof createFeed>;
