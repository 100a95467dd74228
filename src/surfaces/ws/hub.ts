import type { Bus } from '../../platform/bus/bus.ts';
import type { ChannelSubscription } from '../../platform/bus/channels.ts';
import type { Feed, Recovery } from '../../platform/bus/feed.ts';
import type { Position, Publication } from '../../platform/bus/types.ts';
import { textFrame } from '../../lib/net/websocket-frame.ts';
import {
  type Client,
  disconnect,
  isOpen,
  send,
  type Subscription,
  writeFrame,
} from './clients/client.ts';
import { ReplyError, unsubscribes } from './codes.ts';
import type { Counters } from './counters.ts';
import { pushJson, uniPushJson } from './encoding.ts';

/** A channel with subscribers on this replica. */
interface OpenChannel {
  name: string;
  nameJson: string;
  subscribers: Map<Client, Subscription>;
  /** The number of subscribers that asked for joins and leaves. */
  joinLeaveCount: number;
  /** The number of calls in progress that subscribe or read the history. */
  pendingCalls: number;
  listening: Promise<ChannelSubscription>;
  /** Publications of this turn of the event loop that are not written yet. */
  queue: Publication[];
}

/** The form of pushes: all publications, without joins and leaves, or unidirectional. */
type Form = 'all' | 'publications' | 'uni';

const formFor = (client: Client, { wantsJoinLeave }: Subscription): Form =>
  client.mode === 'uni' ? 'uni' : wantsJoinLeave ? 'all' : 'publications';

function encodeQueue({ nameJson, queue }: OpenChannel, form: Form): Buffer | undefined {
  const publications = form === 'all' ? queue : queue.filter(({ kind }) => kind === 'pub');
  if (publications.length === 0) return undefined;
  if (form === 'uni')
    return Buffer.concat(publications.map((each) => textFrame(uniPushJson(nameJson, each))));
  return textFrame(publications.map((each) => pushJson(nameJson, each)).join('\n'));
}

/**
 * The subscribers of each channel on this replica. Each publication is encoded once for all
 * subscribers, and those of one turn of the event loop are sent in one write. Clients that read too
 * slowly are disconnected.
 */
export function createHub({ bus, counters }: { bus: Pick<Bus, 'subscribe'>; counters: Counters }) {
  const channels = new Map<string, OpenChannel>();
  return { subscribe, release, unsubscribe, history, listening };

  /**
   * Subscribes a client from the current position, or from `since`. Recovered and later
   * publications neither overlap nor leave a gap. Throws ReplyError `internal` while Redis is
   * unavailable.
   */
  function subscribe(
    client: Client,
    subscription: Subscription,
    since: Position | undefined,
  ): Promise<Recovery> {
    return withFeed(subscription.channel, (feed, channel) => {
      // Queued publications are part of the recovery, and must not be sent twice.
      flush(channel);
      const recovery =
        since === undefined
          ? { ...feed.position(), recovered: false, publications: [] }
          : feed.recover(since);
      if (isOpen(client)) addSubscriber(channel, client, subscription);
      return recovery;
    });
  }

  /** Writes the buffered frames of a client. Call once it knows of its subscriptions. */
  function release(client: Client): void {
    for (const subscription of client.subscriptions.values()) {
      const { bufferedFrames } = subscription;
      subscription.bufferedFrames = undefined;
      bufferedFrames?.forEach((frame) => write(client, frame));
    }
  }

  /** The history of a channel. Throws ReplyError `internal` while Redis is unavailable. */
  function history(name: string): Promise<Pick<Feed, 'position' | 'entries'>> {
    return withFeed(name, (feed) => feed);
  }

  /** How many clients on this replica listen to each channel. */
  function listening(): ReadonlyMap<string, number> {
    return new Map([...channels.values()].map(({ name, subscribers }) => [name, subscribers.size]));
  }

  function write(client: Client, frame: Buffer): void {
    if (writeFrame(client, frame)) return;
    counters.slow += 1;
    disconnect(client, 'slow');
  }

  /** Writes the queue to every subscriber. Each form is encoded once. */
  function flush(channel: OpenChannel): void {
    const count = channel.queue.length;
    if (count === 0) return;
    const frames = new Map<Form, Buffer | undefined>();
    for (const [client, subscription] of channel.subscribers) {
      const form = formFor(client, subscription);
      if (!frames.has(form)) frames.set(form, encodeQueue(channel, form));
      const frame = frames.get(form);
      if (frame === undefined) continue;
      counters.sent += count;
      if (subscription.bufferedFrames === undefined) write(client, frame);
      else subscription.bufferedFrames.push(frame);
    }
    channel.queue = [];
  }

  function forget(channel: OpenChannel): void {
    if (channels.get(channel.name) === channel) channels.delete(channel.name);
  }

  function closeIfUnused(channel: OpenChannel): void {
    if (channel.subscribers.size > 0 || channel.pendingCalls > 0) return;
    forget(channel);
    void channel.listening.then(
      ({ close }) => close(),
      () => undefined,
    );
  }

  /** Returns false when the client was not subscribed. */
  function unsubscribe(client: Client, name: string): boolean {
    const channel = channels.get(name);
    client.subscriptions.delete(name);
    if (channel?.subscribers.get(client)?.wantsJoinLeave === true) channel.joinLeaveCount -= 1;
    if (channel?.subscribers.delete(client) !== true) return false;
    counters.subscriptions[client.endpoint] -= 1;
    closeIfUnused(channel);
    return true;
  }

  /** Publications were missed: makes every subscriber recover. */
  function onLost(channel: OpenChannel): void {
    flush(channel);
    const reason = JSON.stringify(unsubscribes.insufficient_state);
    for (const [client, { isServerSide }] of channel.subscribers) {
      if (isServerSide) {
        disconnect(client, 'insufficient_state');
        continue;
      }
      unsubscribe(client, channel.name);
      send(client, `{"push":{"channel":${channel.nameJson},"unsubscribe":${reason}}}`);
    }
  }

  function openChannel(name: string): OpenChannel {
    const existing = channels.get(name);
    if (existing !== undefined) return existing;
    const listening = bus.subscribe(name, {
      onPublication(publication) {
        // Skips joins and leaves without a recipient: thousands may reconnect at once.
        if (publication.kind !== 'pub' && channel.joinLeaveCount === 0) return;
        channel.queue.push(publication);
        if (channel.queue.length === 1) queueMicrotask(() => flush(channel));
      },
      onLost: () => onLost(channel),
    });
    const channel: OpenChannel = {
      name,
      nameJson: JSON.stringify(name),
      subscribers: new Map(),
      joinLeaveCount: 0,
      pendingCalls: 0,
      listening,
      queue: [],
    };
    channels.set(name, channel);
    listening.catch(() => forget(channel));
    return channel;
  }

  /** Calls `read` with the feed of a channel. Throws ReplyError `internal` if it is not live. */
  async function withFeed<T>(
    name: string,
    read: (feed: Feed, channel: OpenChannel) => T,
  ): Promise<T> {
    const channel = openChannel(name);
    channel.pendingCalls += 1;
    try {
      const { feed } = await channel.listening.catch(() => {
        throw new ReplyError('internal');
      });
      if (!feed.isLive()) throw new ReplyError('internal');
      return read(feed, channel);
    } finally {
      channel.pendingCalls -= 1;
      closeIfUnused(channel);
    }
  }

  function addSubscriber(channel: OpenChannel, client: Client, subscription: Subscription): void {
    channel.subscribers.set(client, subscription);
    if (subscription.wantsJoinLeave) channel.joinLeaveCount += 1;
    client.subscriptions.set(channel.name, subscription);
    counters.subscriptions[client.endpoint] += 1;
  }
}

export type Hub = ReturnType<typeof createHub>;
