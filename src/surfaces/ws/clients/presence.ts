import type { Logger } from 'pino';
import { channelOf } from '../../../areas/realtime/channels.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { ClientInfo, Presence } from '../../../platform/bus/presence.ts';
import type { Client } from './client.ts';
import { ReplyError } from '../codes.ts';

export interface ChannelPresenceDeps {
  presence: Presence;
  bus: Pick<Bus, 'publishPresence'>;
  logger: Logger;
}

interface Change {
  info: ClientInfo;
  hasJoined: boolean;
}

export const infoOf = ({ id, identity: { principal } }: Client): ClientInfo => ({
  user: principal?.kind === 'user' ? principal.id : '',
  client: id,
});

/** Stores the presence of subscribers and publishes joins and leaves, in the background. */
export function createChannelPresence({ presence, bus, logger }: ChannelPresenceDeps) {
  // Thousands reconnect after an outage, so the changes of one turn of the event loop are sent to
  // Redis together, and only the last one of each client.
  const changes = new Map<string, Map<string, Change>>();
  const inBackground = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => logger.debug({ err: error }, 'presence could not be sent'));

  async function store(channel: string, changed: readonly Change[]): Promise<void> {
    await presence.change(
      channel,
      changed.filter(({ hasJoined }) => hasJoined).map(({ info }) => info),
      changed.filter(({ hasJoined }) => !hasJoined).map(({ info }) => info.client),
    );
    await Promise.all(
      changed.map(({ info, hasJoined }) =>
        bus.publishPresence(channel, hasJoined ? 'join' : 'leave', JSON.stringify({ info })),
      ),
    );
  }

  function storeAll(): void {
    for (const [channel, changed] of changes) inBackground(store(channel, [...changed.values()]));
    changes.clear();
  }

  function add(client: Client, channel: string, hasJoined: boolean): void {
    if (changes.size === 0) setImmediate(storeAll);
    const changed = changes.get(channel) ?? new Map<string, Change>();
    changes.set(channel, changed.set(client.id, { info: infoOf(client), hasJoined }));
  }

  return {
    join: (client: Client, channel: string): void => add(client, channel, true),
    leave: (client: Client, channel: string): void => add(client, channel, false),

    /** Renews the presence entries of clients before they expire. */
    renew(clients: readonly Client[]): void {
      const entries = clients.flatMap((client) =>
        [...client.subscriptions.keys()]
          .filter((channel) => channelOf(channel)?.rule.hasPresence === true)
          .map((channel) => ({ channel, info: infoOf(client) })),
      );
      for (const [channel, present] of groupBy(entries, (each) => each.channel))
        inBackground(
          presence.change(
            channel,
            present.map(({ info }) => info),
            [],
          ),
        );
    },

    /** The presence of a channel by client id. Throws ReplyError `internal` without Redis. */
    list: (channel: string): Promise<Record<string, ClientInfo>> =>
      presence.list(channel).catch(() => {
        throw new ReplyError('internal');
      }),
  };
}

export type ChannelPresence = ReturnType<typeof createChannelPresence>;
