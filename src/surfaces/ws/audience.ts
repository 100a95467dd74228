import type { Bus } from '../../platform/bus/bus.ts';
import type { ChannelSubscription } from '../../platform/bus/channels.ts';
import type { Feed, Recovery } from '../../platform/bus/feed.ts';
import type { Position, Publication } from '../../platform/bus/types.ts';
import { textFrame } from '../../lib/net/websocket-frame.ts';
import { type Client, close, isOpen, send, type Subscription, writeFrame } from './client.ts';
import { ReplyError, unsubscribings } from './codes.ts';
import { pushJson, uniPushJson } from './encoding.ts';
import type { Counters } from './counters.ts';

/** Those who hear one channel on this replica. */
interface Audience {
  channel: string;
  /** The channel's name as JSON. */
  name: string;
  members: Map<Client, Subscription>;
  /** How many of them are told who comes and goes. */
  watching: number;
  /** Those who are about to become members, or look at what is kept. */
  expected: number;
  listening: Promise<ChannelSubscription>;
  feed: Feed | undefined;
  /** Heard in this turn, and not written yet. */
  heard: Publication[];
}

type Form = 'all' | 'publications' | 'uni';

/** The frames of what was heard in one turn, each form made once however many get it. */
function framesOf({ name, heard }: Audience): (form: Form) => Buffer | undefined {
  const made = new Map<Form, Buffer | undefined>();
  function make(form: Form): Buffer | undefined {
    const wanted = form === 'all' ? heard : heard.filter(({ kind }) => kind === 'pub');
    if (wanted.length === 0) return undefined;
    if (form === 'uni')
      return Buffer.concat(wanted.map((each) => textFrame(uniPushJson(name, each))));
    return textFrame(wanted.map((each) => pushJson(name, each)).join('\n'));
  }
  return (form) => {
    if (!made.has(form)) made.set(form, make(form));
    return made.get(form);
  };
}

const formOf = (client: Client, { wantsPresence }: Subscription): Form =>
  client.mode === 'uni' ? 'uni' : wantsPresence ? 'all' : 'publications';

/**
 * Who hears what. A message is encoded once and the same bytes are written to every socket; what
 * comes in one turn of the event loop goes out in one write. Who reads too slowly is closed.
 */
export function createAudiences({
  bus,
  counters,
}: {
  bus: Pick<Bus, 'subscribe'>;
  counters: Counters;
}) {
  const audiences = new Map<string, Audience>();

  function write(client: Client, frame: Buffer): void {
    if (writeFrame(client, frame)) return;
    counters.slow += 1;
    close(client, 'slow');
  }

  function flush(audience: Audience): void {
    if (audience.heard.length === 0) return;
    const frameOf = framesOf(audience);
    const count = audience.heard.length;
    for (const [client, subscription] of audience.members) {
      const frame = frameOf(formOf(client, subscription));
      if (frame === undefined) continue;
      counters.sent += count;
      if (subscription.held === undefined) write(client, frame);
      else subscription.held.push(frame);
    }
    audience.heard = [];
  }

  function lose(audience: Audience): void {
    flush(audience);
    for (const [client, { isServerSide }] of audience.members) {
      if (isServerSide) {
        close(client, 'insufficient_state');
        continue;
      }
      leave(client, audience.channel);
      send(
        client,
        `{"push":{"channel":${audience.name},"unsubscribe":${JSON.stringify(unsubscribings.insufficient_state)}}}`,
      );
    }
  }

  function audienceOf(channel: string): Audience {
    const before = audiences.get(channel);
    if (before !== undefined) return before;
    const heard = (publication: Publication): void => {
      // Thousands may come back at once: nobody is looked at for what nobody wants.
      if (publication.kind !== 'pub' && audience.watching === 0) return;
      audience.heard.push(publication);
      if (audience.heard.length === 1) queueMicrotask(() => flush(audience));
    };
    const listening = bus.subscribe(channel, {
      onPublication: heard,
      onLost: () => lose(audience),
    });
    const audience: Audience = {
      channel,
      name: JSON.stringify(channel),
      members: new Map(),
      watching: 0,
      expected: 0,
      listening,
      feed: undefined,
      heard: [],
    };
    audiences.set(channel, audience);
    listening.then(
      ({ feed }) => {
        audience.feed = feed;
      },
      () => forget(audience),
    );
    return audience;
  }

  function forget(audience: Audience): void {
    if (audiences.get(audience.channel) === audience) audiences.delete(audience.channel);
  }

  /** Does something with a channel while it is certain that it is listened to. */
  async function withFeed<T>(
    channel: string,
    use: (feed: Feed, audience: Audience) => T,
  ): Promise<T> {
    const audience = audienceOf(channel);
    audience.expected += 1;
    try {
      const { feed } = await audience.listening.catch(() => {
        throw new ReplyError('internal');
      });
      if (!feed.isLive()) throw new ReplyError('internal');
      return use(feed, audience);
    } finally {
      audience.expected -= 1;
      dismiss(audience);
    }
  }

  function dismiss(audience: Audience): void {
    if (audience.members.size > 0 || audience.expected > 0) return;
    forget(audience);
    void audience.listening.then(
      ({ close: stop }) => stop(),
      () => undefined,
    );
  }

  function leave(client: Client, channel: string): boolean {
    const audience = audiences.get(channel);
    client.subscriptions.delete(channel);
    if (audience?.members.get(client)?.wantsPresence === true) audience.watching -= 1;
    if (audience?.members.delete(client) !== true) return false;
    counters.subscriptions[client.endpoint] -= 1;
    dismiss(audience);
    return true;
  }

  return {
    /**
     * Lets a client hear a channel, from where it stands or from `since` on. What it has missed and
     * what it hears next leave nothing out and have nothing twice. Throws ReplyError `internal`
     * while Redis can't be reached.
     */
    join: (
      client: Client,
      subscription: Subscription,
      since: Position | undefined,
    ): Promise<Recovery> =>
      withFeed(subscription.channel, (feed, audience) => {
        // It is not to get twice what is about to be written.
        flush(audience);
        const recovery =
          since === undefined
            ? { ...feed.position(), recovered: false, publications: [] }
            : feed.recover(since);
        if (isOpen(client)) {
          audience.members.set(client, subscription);
          if (subscription.wantsPresence) audience.watching += 1;
          client.subscriptions.set(subscription.channel, subscription);
          counters.subscriptions[client.endpoint] += 1;
        }
        return recovery;
      }),

    /** The client knows of its subscriptions: from now on it is told at once. */
    release(client: Client): void {
      for (const subscription of client.subscriptions.values()) {
        const { held } = subscription;
        subscription.held = undefined;
        held?.forEach((frame) => write(client, frame));
      }
    },

    /** False when the client did not hear it. */
    leave,

    /** What is kept of a channel. Throws ReplyError `internal` while Redis can't be reached. */
    kept: (channel: string): Promise<Pick<Feed, 'position' | 'entries'>> =>
      withFeed(channel, (feed) => feed),
  };
}

export type Audiences = ReturnType<typeof createAudiences>;
