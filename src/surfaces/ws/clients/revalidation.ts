import type { Logger } from 'pino';
import { channelOf } from '../../../areas/realtime/channels.ts';
import { oneAtATime } from '../../../lib/concurrency/one-at-a-time.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { identitySignal } from '../../../platform/bus/signals.ts';
import { type Client, disconnect, isOpen, send } from './client.ts';
import { unsubscribes } from '../codes.ts';

export interface RevalidationDeps {
  bus: Pick<Bus, 'onSignal'>;
  unsubscribe: (client: Client, channel: string) => void;
  now: () => number;
  logger: Logger;
}

/** How long after its expiry a client may still refresh its token. */
const expiryGraceMs = 25_000;

/** Ends the subscriptions that the identity of the client no longer allows. */
function endForbidden(client: Client, unsubscribe: RevalidationDeps['unsubscribe']): void {
  for (const [name, { isServerSide }] of [...client.subscriptions]) {
    const channel = channelOf(name);
    if (channel?.rule.maySubscribe(client.identity, channel.id) === true) continue;
    unsubscribe(client, name);
    const push = { channel: name, unsubscribe: unsubscribes.permission_lost };
    if (isServerSide) disconnect(client, 'permission_denied');
    else send(client, JSON.stringify({ push }));
  }
}

/**
 * Looks up the identity of sockets again: when the user or API key changes, and with every ping,
 * because signals can get lost. Disconnects sockets whose session has ended, and ends subscriptions
 * that are no longer allowed.
 */
export function createRevalidation({ bus, unsubscribe, now, logger }: RevalidationDeps) {
  const clientsOf = new Map<string, Set<Client>>();
  const ownerOf = new WeakMap<Client, string>();

  // One lookup per client at a time: when two overlap, the older result could win.
  const revalidate = oneAtATime(async (client: Client) => {
    const { revalidate: lookUp } = client.identity;
    if (lookUp === undefined || !isOpen(client)) return;
    const identity = await lookUp();
    if (identity === undefined) {
      disconnect(client, 'session_ended');
      return;
    }
    // A refresh may have replaced the identity meanwhile.
    if (client.identity.revalidate === lookUp)
      client.identity = { ...identity, expiresAt: client.identity.expiresAt };
    endForbidden(client, unsubscribe);
  });

  function revalidateSoon(client: Client): void {
    revalidate(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'it could not be looked at who a socket belongs to'),
    );
  }

  bus.onSignal(identitySignal, (id) => {
    const sets = id === undefined ? [...clientsOf.values()] : [clientsOf.get(id) ?? []];
    sets.flatMap((clients) => [...clients]).forEach(revalidateSoon);
  });

  function forget(client: Client): void {
    const owner = ownerOf.get(client);
    if (owner === undefined) return;
    const clients = clientsOf.get(owner);
    clients?.delete(client);
    if (clients?.size === 0) clientsOf.delete(owner);
  }

  return {
    /** Tracks a client by its principal, and checks for changes since the handshake. */
    track(client: Client): void {
      const { principal } = client.identity;
      forget(client);
      if (principal === undefined) return;
      ownerOf.set(client, principal.id);
      clientsOf.set(principal.id, (clientsOf.get(principal.id) ?? new Set()).add(client));
      revalidateSoon(client);
    },

    forget,

    /** Called on every ping. Disconnects the client when its token has expired. */
    check(client: Client): void {
      const { expiresAt } = client.identity;
      if (expiresAt !== undefined && now() > expiresAt + expiryGraceMs)
        disconnect(client, 'expired');
      else revalidateSoon(client);
    },
  };
}

export type Revalidation = ReturnType<typeof createRevalidation>;
