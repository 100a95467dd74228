import { type Client, disconnect } from '../clients/client.ts';
import { ReplyError } from '../codes.ts';
import type { CommandDeps } from './command-handlers.ts';
import { pingSeconds } from '../clients/heartbeat.ts';
import type { Identity } from '../clients/identities.ts';
import type { RecoveryPosition } from './subscriptions.ts';

/** The expiry of the token in a connect result; empty for API keys and cookies. */
function expiryOf({ expiresAt, principal }: Identity, now: number): object {
  if (expiresAt === undefined || principal?.kind !== 'user' || principal.via === 'cookie')
    return {};
  return { expires: true, ttl: Math.max(1, Math.floor((expiresAt - now) / 1000)) };
}

/** The channels to which the server subscribes a client on connect. */
export const serverSideChannels = ({ endpoint, identity: { principal } }: Client): string[] =>
  endpoint === '/ws/svc/' && principal?.kind === 'user' ? [`svc:${principal.id}`] : [];

/** The result of a connect command, or the connect push, as JSON. `subs` is JSON too. */
export function connectResult(
  client: Client,
  subs: string,
  { version, now }: Pick<CommandDeps, 'version' | 'now'>,
  more: object = {},
): string {
  const json = JSON.stringify({
    client: client.id,
    version,
    ping: pingSeconds,
    ...more,
    ...expiryOf(client.identity, now()),
  });
  return subs === '{}' ? json : `${json.slice(0, -1)},"subs":${subs}}`;
}

async function identify(
  { identities }: Pick<CommandDeps, 'identities'>,
  client: Client,
  token: string,
): Promise<void> {
  const identity = await identities.fromToken(token);
  if (identity !== undefined) {
    client.identity = identity;
    return;
  }
  // An access token may just have expired: on this error, the client gets a new one.
  if (token.startsWith('svca_')) throw new ReplyError('token_expired');
  disconnect(client, 'invalid_token');
}

export async function connect(
  deps: CommandDeps,
  client: Client,
  { token, subs }: { token: string; subs: Record<string, RecoveryPosition> },
): Promise<string> {
  const { subscriptions, onIdentity } = deps;
  if (token !== '') await identify(deps, client, token);
  const channels = serverSideChannels(client);
  try {
    const results = await subscriptions.subscribeServerSide(client, channels, subs);
    client.mode = 'bidi';
    onIdentity(client);
    return connectResult(client, results, deps, { pong: true });
  } catch (error) {
    // The client may send `connect` again.
    for (const channel of channels) subscriptions.unsubscribe(client, channel);
    throw error;
  }
}

export async function refresh(
  { identities, version, now }: CommandDeps,
  client: Client,
  token: string,
): Promise<string> {
  const identity = await identities.fromToken(token);
  if (identity === undefined) throw new ReplyError('token_expired');
  if (identity.principal?.id !== client.identity.principal?.id) {
    disconnect(client, 'invalid_token');
    throw new ReplyError('unauthorized');
  }
  client.identity = identity;
  return JSON.stringify({ client: client.id, version, ...expiryOf(identity, now()) });
}
