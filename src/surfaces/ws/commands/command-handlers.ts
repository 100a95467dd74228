import type { Bus } from '../../../platform/bus/bus.ts';
import type { ClientInfo } from '../../../platform/bus/presence.ts';
import type { Position, Publication } from '../../../platform/bus/types.ts';
import { type Client, send } from '../clients/client.ts';
import { ReplyError } from '../codes.ts';
import type { Command } from './commands.ts';
import { connect, connectResult, refresh, serverSideChannels } from './connect.ts';
import { errorJson, replyJson, withPublications } from '../encoding.ts';
import type { Hub } from '../hub.ts';
import type { Identities } from '../clients/identities.ts';
import { type ChannelPresence, infoOf } from '../clients/presence.ts';
import type { Rpc } from './rpc.ts';
import { allowedRule, type Subscriptions } from './subscriptions.ts';

export interface CommandDeps {
  bus: Pick<Bus, 'publishJson'>;
  hub: Hub;
  presence: ChannelPresence;
  identities: Pick<Identities, 'fromToken'>;
  rpc: Rpc;
  subscriptions: Subscriptions;
  /** `Platform Service 0.1.0`. */
  version: string;
  now: () => number;
  /** Called when the identity of a client is set. */
  onIdentity: (client: Client) => void;
}

type Params<Method extends string> = Extract<Command, Record<Method, object>>[Method];

function select(
  entries: readonly Publication[],
  { limit, since, reverse }: { limit: number; since: Position | undefined; reverse: boolean },
): Publication[] {
  const selected =
    since === undefined
      ? [...entries]
      : entries.filter(({ offset }) => (reverse ? offset < since.offset : offset > since.offset));
  const ordered = reverse ? selected.reverse() : selected;
  return limit < 0 ? ordered : ordered.slice(0, limit);
}

/** Creates the handlers of the commands of Centrifugo's client protocol. */
export function createCommandHandlers(deps: CommandDeps) {
  const { bus, hub, presence, rpc, subscriptions, onIdentity } = deps;
  return { unsubscribe: subscriptions.unsubscribe, handle, connectUni };

  /** Handles a command and replies. Errors are sent as replies, and counted. */
  async function handle(client: Client, command: Command): Promise<void> {
    // Only `send` has no id: it needs no reply, and this service ignores it.
    if (!('id' in command)) return;
    try {
      const [method, result] = await run(client, command);
      send(client, replyJson(command.id, method, result));
      client.isConnected = true;
      hub.release(client);
    } catch (error) {
      client.errorCount += 1;
      const reply = error instanceof ReplyError ? error.reply : new ReplyError('internal').reply;
      send(client, errorJson(command.id, reply));
      if (!(error instanceof ReplyError)) throw error;
    }
  }

  /** Connects a client with the unidirectional protocol to `channels`. Throws ReplyError. */
  async function connectUni(client: Client, channels: readonly string[]): Promise<void> {
    client.mode = 'uni';
    onIdentity(client);
    const names = channels.length > 0 ? channels : serverSideChannels(client);
    const subs = await subscriptions.subscribeServerSide(client, names, {});
    // It has sent a command meanwhile, so it speaks the bidirectional protocol.
    if (client.queuedBytes > 0) return;
    send(client, `{"connect":${connectResult(client, subs, deps)}}`);
    client.isConnected = true;
    hub.release(client);
  }

  async function publish(client: Client, { channel, data }: Params<'publish'>): Promise<string> {
    if (!allowedRule(client, channel).mayPublish(client.identity))
      throw new ReplyError('permission_denied');
    await bus
      .publishJson(channel, `{"data":${data},"info":${JSON.stringify(infoOf(client))}}`)
      .catch(() => {
        throw new ReplyError('internal');
      });
    return '{}';
  }

  async function listPresence(
    client: Client,
    channel: string,
  ): Promise<Record<string, ClientInfo>> {
    if (!allowedRule(client, channel).hasPresence) throw new ReplyError('not_available');
    return presence.list(channel);
  }

  async function presenceStats(client: Client, channel: string): Promise<string> {
    const infos = Object.values(await listPresence(client, channel));
    return JSON.stringify({
      num_clients: infos.length,
      num_users: new Set(infos.map(({ user }) => user)).size,
    });
  }

  async function history(
    client: Client,
    { channel, limit, since, reverse }: Params<'history'>,
  ): Promise<string> {
    if (allowedRule(client, channel).history.size === 0) throw new ReplyError('not_available');
    const feed = await hub.history(channel);
    const position = feed.position();
    if (since != null && since.epoch !== '' && since.epoch !== position.epoch)
      throw new ReplyError('unrecoverable_position');
    const publications = select(feed.entries(), { limit, since: since ?? undefined, reverse });
    return withPublications({ ...position }, publications);
  }

  function subscribe(
    client: Client,
    { channel, recover, offset, epoch, join_leave: wantsJoinLeave }: Params<'subscribe'>,
  ): Promise<string> {
    const since = recover ? { offset, epoch } : undefined;
    return subscriptions.subscribe(client, channel, { since, wantsJoinLeave });
  }

  /** Runs a command; returns its method and its result as JSON. Throws ReplyError. */
  async function run(client: Client, command: Command): Promise<[method: string, result: string]> {
    if ('bad' in command) throw new ReplyError('bad_request');
    if ('connect' in command) return ['connect', await connect(deps, client, command.connect)];
    if ('subscribe' in command) return ['subscribe', await subscribe(client, command.subscribe)];
    if ('unsubscribe' in command) {
      subscriptions.unsubscribe(client, command.unsubscribe.channel);
      return ['unsubscribe', '{}'];
    }
    if ('publish' in command) return ['publish', await publish(client, command.publish)];
    if ('presence' in command) {
      const presence = await listPresence(client, command.presence.channel);
      return ['presence', JSON.stringify({ presence })];
    }
    if ('presence_stats' in command)
      return ['presence_stats', await presenceStats(client, command.presence_stats.channel)];
    if ('history' in command) return ['history', await history(client, command.history)];
    if ('rpc' in command) {
      const data = await rpc(client.identity, command.rpc.method);
      return ['rpc', JSON.stringify({ data })];
    }
    if ('refresh' in command)
      return ['refresh', await refresh(deps, client, command.refresh.token)];
    if ('ping' in command) return ['ping', '{}'];
    throw new ReplyError('not_available');
  }
}

export type CommandHandlers = ReturnType<typeof createCommandHandlers>;
