import type { Bus } from '../../platform/bus/bus.ts';
import type { ClientInfo } from '../../platform/bus/presence.ts';
import type { Position, Publication } from '../../platform/bus/types.ts';
import type { Audiences } from './audience.ts';
import type { Attendance } from './attendance.ts';
import { type Client, close, send } from './client.ts';
import { ReplyError } from './codes.ts';
import type { Command } from './commands.ts';
import { errorJson, replyJson, withPublications } from './encoding.ts';
import type { Identities, Identity } from './identities.ts';
import { audibleRule, type Joining, type Standing } from './joining.ts';
import type { Procedures } from './procedures.ts';

export interface HandlingDeps {
  bus: Pick<Bus, 'publishJson'>;
  audiences: Audiences;
  attendance: Attendance;
  identities: Pick<Identities, 'ofToken'>;
  procedures: Procedures;
  joining: Joining;
  /** `Platform Service 0.1.0`. */
  version: string;
  now: () => number;
  onIdentity: (client: Client) => void;
}

/** Seconds between two pings of the server. */
export const pingSeconds = 25;
export const infoOf = ({ id, identity: { principal } }: Client): ClientInfo => ({
  user: principal?.kind === 'user' ? principal.id : '',
  client: id,
});

/** The commands of Centrifugo's client protocol, each with its reply. */
export function createHandling({
  bus,
  audiences,
  attendance,
  identities,
  procedures,
  joining,
  version,
  now,
  onIdentity,
}: HandlingDeps) {
  const { join, leave, serverSide } = joining;

  /** How long the client's token is good. Who came with a cookie has none to renew. */
  function lifeOf({ expiresAt, principal }: Identity): object {
    if (expiresAt === undefined || principal?.kind !== 'user' || principal.via === 'cookie')
      return {};
    return { expires: true, ttl: Math.max(1, Math.floor((expiresAt - now()) / 1000)) };
  }

  /** Channels that a client hears without asking. */
  const ownChannels = ({ endpoint, identity: { principal } }: Client): string[] =>
    endpoint === '/ws/svc/' && principal?.kind === 'user' ? [`svc:${principal.id}`] : [];

  /** What a new client is told of its connection. */
  function greeting(client: Client, subs: string, more: object): string {
    const json = JSON.stringify({
      client: client.id,
      version,
      ping: pingSeconds,
      ...more,
      ...lifeOf(client.identity),
    });
    return subs === '{}' ? json : `${json.slice(0, -1)},"subs":${subs}}`;
  }

  async function identify(client: Client, token: string): Promise<void> {
    const identity = await identities.ofToken(token);
    if (identity !== undefined) {
      client.identity = identity;
      return;
    }
    // An access token may have ended a moment ago; its client gets itself a new one then.
    if (token.startsWith('svca_')) throw new ReplyError('token_expired');
    close(client, 'invalid_token');
  }

  async function connect(
    client: Client,
    { token, subs }: { token: string; subs: Record<string, Standing> },
  ): Promise<string> {
    if (token !== '') await identify(client, token);
    const channels = ownChannels(client);
    try {
      const positions = await serverSide(client, channels, subs);
      client.mode = 'bidi';
      onIdentity(client);
      return greeting(client, positions, { pong: true });
    } catch (error) {
      // It may be said again.
      for (const channel of channels) leave(client, channel);
      throw error;
    }
  }

  async function publish(client: Client, channel: string, data: string): Promise<string> {
    if (!audibleRule(client, channel).mayPublish(client.identity))
      throw new ReplyError('permission_denied');
    await bus
      .publishJson(channel, `{"data":${data},"info":${JSON.stringify(infoOf(client))}}`)
      .catch(() => {
        throw new ReplyError('internal');
      });
    return '{}';
  }

  async function presence(client: Client, channel: string): Promise<Record<string, ClientInfo>> {
    if (!audibleRule(client, channel).hasPresence) throw new ReplyError('not_available');
    return attendance.list(channel);
  }

  async function presenceStats(client: Client, channel: string): Promise<string> {
    const all = Object.values(await presence(client, channel));
    return JSON.stringify({
      num_clients: all.length,
      num_users: new Set(all.map(({ user }) => user)).size,
    });
  }

  function selection(
    all: readonly Publication[],
    { limit, since, reverse }: { limit: number; since: Position | undefined; reverse: boolean },
  ): Publication[] {
    const after =
      since === undefined
        ? [...all]
        : all.filter(({ offset }) => (reverse ? offset < since.offset : offset > since.offset));
    const ordered = reverse ? after.reverse() : after;
    return limit < 0 ? ordered : ordered.slice(0, limit);
  }

  async function history(
    client: Client,
    { channel, limit, since, reverse }: Extract<Command, { history: object }>['history'],
  ): Promise<string> {
    if (audibleRule(client, channel).history.size === 0) throw new ReplyError('not_available');
    const feed = await audiences.kept(channel);
    const position = feed.position();
    if (since != null && since.epoch !== '' && since.epoch !== position.epoch)
      throw new ReplyError('unrecoverable_position');
    return withPublications(
      { ...position },
      selection(feed.entries(), { limit, since: since ?? undefined, reverse }),
    );
  }

  async function refresh(client: Client, token: string): Promise<string> {
    const identity = await identities.ofToken(token);
    if (identity === undefined) throw new ReplyError('token_expired');
    if (identity.principal?.id !== client.identity.principal?.id) {
      close(client, 'invalid_token');
      throw new ReplyError('unauthorized');
    }
    client.identity = identity;
    return JSON.stringify({ client: client.id, version, ...lifeOf(identity) });
  }

  /** The name of the command and its result as JSON. */
  async function run(client: Client, command: Command): Promise<[method: string, result: string]> {
    if ('bad' in command) throw new ReplyError('bad_request');
    if ('connect' in command) return ['connect', await connect(client, command.connect)];
    if ('subscribe' in command) {
      const { channel, recover, offset, epoch, join_leave: wantsPresence } = command.subscribe;
      return [
        'subscribe',
        await join(client, channel, {
          since: recover ? { offset, epoch } : undefined,
          wantsPresence,
        }),
      ];
    }
    if ('unsubscribe' in command) {
      leave(client, command.unsubscribe.channel);
      return ['unsubscribe', '{}'];
    }
    if ('publish' in command)
      return ['publish', await publish(client, command.publish.channel, command.publish.data)];
    if ('presence' in command)
      return [
        'presence',
        JSON.stringify({ presence: await presence(client, command.presence.channel) }),
      ];
    if ('presence_stats' in command)
      return ['presence_stats', await presenceStats(client, command.presence_stats.channel)];
    if ('history' in command) return ['history', await history(client, command.history)];
    if ('rpc' in command)
      return [
        'rpc',
        JSON.stringify({ data: await procedures(client.identity, command.rpc.method) }),
      ];
    if ('refresh' in command) return ['refresh', await refresh(client, command.refresh.token)];
    throw new ReplyError('not_available');
  }

  return {
    leave,

    /**
     * Carries a command out and replies. A refusal is a reply too, and counts as an error of the
     * client.
     */
    async handle(client: Client, command: Command): Promise<void> {
      // What has no id wants no reply; there is nothing that we would do with it.
      if (!('id' in command)) return;
      try {
        const [method, result] = await run(client, command);
        send(client, replyJson(command.id, method, result));
        client.isGreeted = true;
        audiences.release(client);
      } catch (error) {
        client.errors += 1;
        const reply = error instanceof ReplyError ? error.reply : new ReplyError('internal').reply;
        send(client, errorJson(command.id, reply));
        if (!(error instanceof ReplyError)) throw error;
      }
    },

    /**
     * Begins the unidirectional form: the client hears `channels` and says nothing. Throws
     * ReplyError.
     */
    async listen(client: Client, channels: readonly string[]): Promise<void> {
      client.mode = 'uni';
      onIdentity(client);
      const subs = await serverSide(
        client,
        channels.length > 0 ? channels : ownChannels(client),
        {},
      );
      // It has spoken meanwhile, and wants the other form.
      if (client.backlog > 0) return;
      send(client, `{"connect":${greeting(client, subs, {})}}`);
      client.isGreeted = true;
      audiences.release(client);
    },
  };
}

export type Handling = ReturnType<typeof createHandling>;
