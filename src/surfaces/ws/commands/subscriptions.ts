import { channelOf, type ChannelRule } from '../../../areas/realtime/channels.ts';
import type { Recovery } from '../../../platform/bus/feed.ts';
import type { Position } from '../../../platform/bus/types.ts';
import type { Client } from '../clients/client.ts';
import { ReplyError } from '../codes.ts';
import { withPublications } from '../encoding.ts';
import type { Hub } from '../hub.ts';
import type { ChannelPresence } from '../clients/presence.ts';

/** The maximum number of channels per client. */
const maxChannels = 128;

/** Returns the rule of a channel. Throws ReplyError unless the client may subscribe. */
export function allowedRule({ endpoint, identity }: Client, name: string): ChannelRule {
  const channel = channelOf(name);
  if (channel?.rule.endpoints.includes(endpoint) !== true) throw new ReplyError('unknown_channel');
  if (!channel.rule.maySubscribe(identity, channel.id)) throw new ReplyError('permission_denied');
  return channel.rule;
}

export interface SubscriptionsDeps {
  hub: Hub;
  presence: ChannelPresence;
  /** The current data of a channel, for new subscribers; undefined for most channels. */
  snapshotOf: (channel: string) => unknown;
}

/** The position of a client when it lost its connection. */
export type RecoveryPosition = Position & { recover: boolean };

interface SubscribeOptions {
  since: Position | undefined;
  wantsJoinLeave?: boolean;
  isServerSide?: boolean;
}

/** The result of a subscribe command, as JSON. */
function subscribeResult(
  { history }: ChannelRule,
  { epoch, offset, recovered, publications }: Recovery,
  snapshot: unknown,
  wasRecovering: boolean,
): string {
  const data = snapshot === undefined ? {} : { data: snapshot };
  if (history.size === 0) return JSON.stringify(data);
  const recovery = wasRecovering ? { recovered, was_recovering: true } : {};
  const result = { recoverable: true, positioned: true, epoch, offset, ...recovery, ...data };
  return withPublications(result, publications);
}

/** Subscribes clients to channels, by command or by the server. */
export function createSubscriptions({ hub, presence, snapshotOf }: SubscriptionsDeps) {
  async function subscribe(
    client: Client,
    channel: string,
    { since, wantsJoinLeave = false, isServerSide = false }: SubscribeOptions,
  ): Promise<string> {
    const rule = allowedRule(client, channel);
    if (client.subscriptions.has(channel)) throw new ReplyError('already_subscribed');
    if (client.subscriptions.size + client.pendingSubscriptions >= maxChannels)
      throw new ReplyError('limit_exceeded');
    client.pendingSubscriptions += 1;
    try {
      const recovery = await hub.subscribe(
        client,
        {
          channel,
          isServerSide,
          wantsJoinLeave: wantsJoinLeave && rule.hasPresence,
          bufferedFrames: [],
        },
        since,
      );
      if (rule.hasPresence && client.subscriptions.has(channel)) presence.join(client, channel);
      return subscribeResult(rule, recovery, snapshotOf(channel), since !== undefined);
    } finally {
      client.pendingSubscriptions -= 1;
    }
  }

  return {
    /** The result of the command, as JSON. Throws ReplyError. */
    subscribe,

    unsubscribe: (client: Client, channel: string): void => {
      if (hub.unsubscribe(client, channel) && channelOf(channel)?.rule.hasPresence === true)
        presence.leave(client, channel);
    },

    /** Subscribes to all `channels`; returns the `subs` of a connect result. Throws ReplyError. */
    async subscribeServerSide(
      client: Client,
      channels: readonly string[],
      positions: Readonly<Record<string, RecoveryPosition>>,
    ): Promise<string> {
      const entries: string[] = [];
      for (const channel of channels) {
        const position = positions[channel];
        const since = position?.recover === true ? position : undefined;
        const result = await subscribe(client, channel, { since, isServerSide: true });
        entries.push(`${JSON.stringify(channel)}:${result}`);
      }
      return `{${entries.join(',')}}`;
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
