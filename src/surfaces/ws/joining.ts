import type { Recovery } from '../../platform/bus/feed.ts';
import type { Position } from '../../platform/bus/types.ts';
import type { Attendance } from './attendance.ts';
import type { Audiences } from './audience.ts';
import { channelOf, type ChannelRule } from '../../areas/realtime/channels.ts';
import type { Client } from './client.ts';
import { ReplyError } from './codes.ts';
import { withPublications } from './encoding.ts';

/** Channels that one client may hear. */
export const mostChannels = 128;

/** The rule of a channel that this client may hear. Throws ReplyError. */
export function audibleRule({ endpoint, identity }: Client, name: string): ChannelRule {
  const channel = channelOf(name);
  if (channel?.rule.endpoints.includes(endpoint) !== true) throw new ReplyError('unknown_channel');
  if (!channel.rule.maySubscribe(identity, channel.about))
    throw new ReplyError('permission_denied');
  return channel.rule;
}

export interface JoiningDeps {
  audiences: Audiences;
  attendance: Attendance;
  /** What who begins to hear a channel is told first. */
  snapshotOf: (channel: string) => unknown;
}

/** Where a client stood when it was cut off. */
export type Standing = Position & { recover: boolean };

/** Lets clients hear channels, by command or because the server says so. */
export function createJoining({ audiences, attendance, snapshotOf }: JoiningDeps) {
  function subscribed(
    { history }: ChannelRule,
    channel: string,
    { epoch, offset, recovered, publications }: Recovery,
    wasRecovering: boolean,
  ): string {
    const data = snapshotOf(channel);
    const first = data === undefined ? {} : { data };
    if (history.size === 0) return JSON.stringify(first);
    const state = {
      recoverable: true,
      positioned: true,
      epoch,
      offset,
      ...(wasRecovering ? { recovered, was_recovering: true } : {}),
      ...first,
    };
    return withPublications(state, publications);
  }

  async function join(
    client: Client,
    channel: string,
    {
      since,
      wantsPresence = false,
      isServerSide = false,
    }: { since: Position | undefined; wantsPresence?: boolean; isServerSide?: boolean },
  ): Promise<string> {
    const rule = audibleRule(client, channel);
    if (client.subscriptions.has(channel)) throw new ReplyError('already_subscribed');
    if (client.subscriptions.size + client.pending >= mostChannels)
      throw new ReplyError('limit_exceeded');
    client.pending += 1;
    try {
      const recovery = await audiences.join(
        client,
        { channel, isServerSide, wantsPresence: wantsPresence && rule.hasPresence, held: [] },
        since,
      );
      if (rule.hasPresence && client.subscriptions.has(channel)) attendance.enter(client, channel);
      return subscribed(rule, channel, recovery, since !== undefined);
    } finally {
      client.pending -= 1;
    }
  }

  function leave(client: Client, channel: string): void {
    if (audiences.leave(client, channel) && channelOf(channel)?.rule.hasPresence === true)
      attendance.leave(client, channel);
  }

  async function serverSide(
    client: Client,
    channels: readonly string[],
    positions: Readonly<Record<string, Standing>>,
  ): Promise<string> {
    const entries: string[] = [];
    for (const channel of channels) {
      const position = positions[channel];
      const state = await join(client, channel, {
        since: position?.recover === true ? position : undefined,
        isServerSide: true,
      });
      entries.push(`${JSON.stringify(channel)}:${state}`);
    }
    return `{${entries.join(',')}}`;
  }

  return { join, leave, serverSide };
}

export type Joining = ReturnType<typeof createJoining>;
