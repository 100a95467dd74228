import type { ReceivedMessage, ChannelState } from './streams.ts';
import type { Position, Publication } from './types.ts';

/** A listener on a channel. Its callbacks run in message order and must not throw. */
export interface Listener {
  onPublication: (publication: Publication) => void;
  /** Messages are lost, or may be: the listener has to start over. */
  onLost: () => void;
}

/** The messages that a reconnecting client has missed. */
export interface Recovery extends Position {
  /** True when `publications` holds every missed message; otherwise it is empty. */
  recovered: boolean;
  publications: readonly Publication[];
}

export interface FeedOptions {
  /** Number of messages to keep. */
  size: number;
  read: () => Promise<ChannelState>;
  /** Called when a message is missing. The owner must call `sync` until it succeeds. */
  onGap: () => void;
}

interface FeedState extends FeedOptions {
  listeners: Set<Listener>;
  channel: ChannelState;
  isLive: boolean;
  /** Messages that arrived while the channel was not live. */
  waiting: ReceivedMessage[];
  syncing: Promise<void> | undefined;
  interruptions: number;
}

/** The messages after `since`; undefined when some are no longer kept or the epoch differs. */
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

function receive(feed: FeedState, message: ReceivedMessage): void {
  const { channel, isLive } = feed;
  const isSameEpoch = message.epoch === channel.epoch;
  if (message.offset === 0) deliver(feed, message);
  else if (!isLive) feed.waiting.push(message);
  else if (isSameEpoch && message.offset <= channel.offset) return;
  else if (isSameEpoch && message.previous === channel.offset) append(feed, message);
  else {
    feed.waiting.push(message);
    feed.isLive = false;
    feed.onGap();
  }
}

/** Resumes from the state that was read: delivers the missed messages, or calls `onLost`. */
function resume(feed: FeedState, now: ChannelState): void {
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
  // The read returns these messages too.
  feed.waiting = [];
  try {
    const now = await feed.read();
    // The state may have been read before the messages that the interruption lost.
    if (before !== feed.interruptions)
      throw new Error('the channel was interrupted while it was read');
    resume(feed, now);
  } finally {
    feed.syncing = undefined;
  }
}

/**
 * One channel as this replica receives it. It holds the channel's whole history in memory, so that
 * recovery needs no query. Every message names the offset of its predecessor: a break in that chain
 * means a lost message, and the channel is read again to fill the gap.
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
    receive: (message: ReceivedMessage): void => receive(feed, message),

    /** Reads the channel again and resumes from there. The feed is not live when this rejects. */
    sync: (): Promise<void> => (feed.syncing ??= sync(feed)),

    /** Messages may have been lost: nothing is delivered until the next `sync`. */
    interrupt(): void {
      feed.isLive = false;
      feed.interruptions += 1;
    },

    /** Delivers to the listeners of this replica only, while Redis is unavailable. */
    deliverLocally: (json: string): void =>
      deliver(feed, { kind: 'pub', json, offset: 0, previous: 0 }),

    isLive: (): boolean => feed.isLive,
    position: (): Position => ({ epoch: feed.channel.epoch, offset: feed.channel.offset }),

    /** The kept messages, oldest first. */
    entries: (): readonly Publication[] => feed.channel.entries,

    /** The messages after `since`, from memory. */
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
