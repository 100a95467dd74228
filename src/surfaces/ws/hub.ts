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

/** A channel that somebody on this replica listens to. */
interface OpenChannel {
  name: string;
  nameJson: string;
  subscribers: Map<Client, Subscription>;
  /** How many subscribers want to know who joins and leaves. */
  joinLeaveCount: number;
  /** How many calls are about to subscribe, or read the history. */
  pending: number;
  listening: Promise<ChannelSubscription>;
  /** Publications of this turn of the event loop that are not written yet. */
  queue: Publication[];
}

interface HubState {
  bus: Pick<Bus, 'subscribe'>;
  counters: Counters;
  channels: Map<string, OpenChannel>;
}

/** What a subscriber gets: every publication, those without joins and leaves, or uni pushes. */
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

function write({ counters }: HubState, client: Client, frame: Buffer): void {
  if (writeFrame(client, frame)) return;
  counters.slow += 1;
  disconnect(client, 'slow');
}

/** Writes the queue to every subscriber. Each form is encoded once. */
function flush(hub: HubState, channel: OpenChannel): void {
  const count = channel.queue.length;
  if (count === 0) return;
  const frames = new Map<Form, Buffer | undefined>();
  for (const [client, subscription] of channel.subscribers) {
    const form = formFor(client, subscription);
    if (!frames.has(form)) frames.set(form, encodeQueue(channel, form));
    const frame = frames.get(form);
    if (frame === undefined) continue;
    hub.counters.sent += count;
    if (subscription.held === undefined) write(hub, client, frame);
    else subscription.held.push(frame);
  }
  channel.queue = [];
}

function forget({ channels }: HubState, channel: OpenChannel): void {
  if (channels.get(channel.name) === channel) channels.delete(channel.name);
}

function closeIfUnused(hub: HubState, channel: OpenChannel): void {
  if (channel.subscribers.size > 0 || channel.pending > 0) return;
  forget(hub, channel);
  void channel.listening.then(
    ({ close }) => close(),
    () => undefined,
  );
}

/** False when the client was not subscribed. */
function unsubscribe(hub: HubState, client: Client, name: string): boolean {
  const channel = hub.channels.get(name);
  client.subscriptions.delete(name);
  if (channel?.subscribers.get(client)?.wantsJoinLeave === true) channel.joinLeaveCount -= 1;
  if (channel?.subscribers.delete(client) !== true) return false;
  hub.counters.subscriptions[client.endpoint] -= 1;
  closeIfUnused(hub, channel);
  return true;
}

/** Publications were missed: every subscriber has to recover. */
function onLost(hub: HubState, channel: OpenChannel): void {
  flush(hub, channel);
  const reason = JSON.stringify(unsubscribes.insufficient_state);
  for (const [client, { isServerSide }] of channel.subscribers) {
    if (isServerSide) {
      disconnect(client, 'insufficient_state');
      continue;
    }
    unsubscribe(hub, client, channel.name);
    send(client, `{"push":{"channel":${channel.nameJson},"unsubscribe":${reason}}}`);
  }
}

function openChannel(hub: HubState, name: string): OpenChannel {
  const known = hub.channels.get(name);
  if (known !== undefined) return known;
  const listening = hub.bus.subscribe(name, {
    onPublication(publication) {
      // Thousands may come back at once: joins and leaves that nobody wants are not looked at.
      if (publication.kind !== 'pub' && channel.joinLeaveCount === 0) return;
      channel.queue.push(publication);
      if (channel.queue.length === 1) queueMicrotask(() => flush(hub, channel));
    },
    onLost: () => onLost(hub, channel),
  });
  const channel: OpenChannel = {
    name,
    nameJson: JSON.stringify(name),
    subscribers: new Map(),
    joinLeaveCount: 0,
    pending: 0,
    listening,
    queue: [],
  };
  hub.channels.set(name, channel);
  listening.catch(() => forget(hub, channel));
  return channel;
}

/** Uses a channel's feed while it is certainly live. Throws ReplyError `internal` otherwise. */
async function withFeed<T>(
  hub: HubState,
  name: string,
  use: (feed: Feed, channel: OpenChannel) => T,
): Promise<T> {
  const channel = openChannel(hub, name);
  channel.pending += 1;
  try {
    const { feed } = await channel.listening.catch(() => {
      throw new ReplyError('internal');
    });
    if (!feed.isLive()) throw new ReplyError('internal');
    return use(feed, channel);
  } finally {
    channel.pending -= 1;
    closeIfUnused(hub, channel);
  }
}

function addSubscriber(
  { counters }: HubState,
  channel: OpenChannel,
  client: Client,
  subscription: Subscription,
): void {
  channel.subscribers.set(client, subscription);
  if (subscription.wantsJoinLeave) channel.joinLeaveCount += 1;
  client.subscriptions.set(channel.name, subscription);
  counters.subscriptions[client.endpoint] += 1;
}

/**
 * The subscribers of each channel on this replica. A publication is encoded once, and those of one
 * turn of the event loop go out in one write. Clients that read too slowly are disconnected.
 */
export function createHub({ bus, counters }: Pick<HubState, 'bus' | 'counters'>) {
  const hub: HubState = { bus, counters, channels: new Map() };

  return {
    /**
     * Subscribes a client, from the current position or from `since`. What it recovers and what it
     * gets next leave no publication out and repeat none. Throws ReplyError `internal` while Redis
     * is unavailable.
     */
    subscribe: (
      client: Client,
      subscription: Subscription,
      since: Position | undefined,
    ): Promise<Recovery> =>
      withFeed(hub, subscription.channel, (feed, channel) => {
        // The client must not get twice what is about to be written.
        flush(hub, channel);
        const recovery =
          since === undefined
            ? { ...feed.position(), recovered: false, publications: [] }
            : feed.recover(since);
        if (isOpen(client)) addSubscriber(hub, channel, client, subscription);
        return recovery;
      }),

    /** The client knows of its subscriptions: writes what was held, and later frames at once. */
    release(client: Client): void {
      for (const subscription of client.subscriptions.values()) {
        const { held } = subscription;
        subscription.held = undefined;
        held?.forEach((frame) => write(hub, client, frame));
      }
    },

    /** False when the client was not subscribed. */
    unsubscribe: (client: Client, name: string): boolean => unsubscribe(hub, client, name),

    /** A channel's history. Throws ReplyError `internal` while Redis is unavailable. */
    history: (name: string): Promise<Pick<Feed, 'position' | 'entries'>> =>
      withFeed(hub, name, (feed) => feed),
  };
}

export type Hub = ReturnType<typeof createHub>;
