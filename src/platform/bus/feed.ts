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

/**
 * One channel as this replica receives it. It holds the channel's whole history in memory, so that
 * recovery needs no query. Every message names the offset of its predecessor: a break in that chain
 * means a lost message, and the channel is read again to fill the gap.
 */
export function createFeed({ size, read, onGap }: FeedOptions) {
  const listeners = new Set<Listener>();
  let channel: ChannelState = { epoch: '', offset: 0, entries: [] };
  let isLive = false;
  /** Messages that arrived while the channel was not live. */
  let waiting: ReceivedMessage[] = [];
  let syncing: Promise<void> | undefined;
  let interruptions = 0;
  return {
    receive,
    sync,
    interrupt,
    deliverLocally,
    isLive: (): boolean => isLive,
    position: (): Position => ({ epoch: channel.epoch, offset: channel.offset }),
    /** The kept messages, oldest first. */
    entries: (): readonly Publication[] => channel.entries,
    recover,
    add: (listener: Listener): void => void listeners.add(listener),
    remove: (listener: Listener): void => void listeners.delete(listener),
    isUnused: (): boolean => listeners.size === 0,
  };

  function receive(message: ReceivedMessage): void {
    const isSameEpoch = message.epoch === channel.epoch;
    if (message.offset === 0) deliver(message);
    else if (!isLive) waiting.push(message);
    else if (isSameEpoch && message.offset <= channel.offset) return;
    else if (isSameEpoch && message.previous === channel.offset) append(message);
    else {
      waiting.push(message);
      isLive = false;
      onGap();
    }
  }

  /** Reads the channel again and resumes from there. The feed is not live when this rejects. */
  function sync(): Promise<void> {
    return (syncing ??= readAgain());
  }

  /** Messages may have been lost: nothing is delivered until the next `sync`. */
  function interrupt(): void {
    isLive = false;
    interruptions += 1;
  }

  /** Delivers to the listeners of this replica only, while Redis is unavailable. */
  function deliverLocally(json: string): void {
    deliver({ kind: 'pub', json, offset: 0, previous: 0 });
  }

  /** The messages after `since`, from memory. */
  function recover(since: Position): Recovery {
    const { epoch, offset } = channel;
    const missed = missedSince(channel, since);
    return { epoch, offset, recovered: missed !== undefined, publications: missed ?? [] };
  }

  async function readAgain(): Promise<void> {
    const before = interruptions;
    // The read returns these messages too.
    waiting = [];
    try {
      const now = await read();
      // The state may have been read before the messages that the interruption lost.
      if (before !== interruptions)
        throw new Error('the channel was interrupted while it was read');
      resume(now);
    } finally {
      syncing = undefined;
    }
  }

  /** Resumes from the state that was read: delivers the missed messages, or calls `onLost`. */
  function resume(now: ChannelState): void {
    const isFirst = channel.epoch === '';
    const missed = isFirst ? [] : missedSince(now, channel);
    if (missed === undefined || isFirst) channel = now;
    else for (const publication of missed) append(publication);
    isLive = true;
    if (missed === undefined) listeners.forEach((listener) => listener.onLost());
    const arrived = waiting;
    waiting = [];
    for (const message of arrived) receive(message);
  }

  function append(publication: Publication): void {
    channel.offset = publication.offset;
    channel.entries.push(publication);
    if (channel.entries.length > size) channel.entries.shift();
    deliver(publication);
  }

  function deliver(publication: Publication): void {
    listeners.forEach((listener) => listener.onPublication(publication));
  }
}

export type Feed = ReturnType<typeof createFeed>;
