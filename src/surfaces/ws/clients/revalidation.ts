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

/** How long a client may take to refresh its token after expiry. */
const expiryGraceMs = 25_000;

/** Ends the subscriptions that the client's identity does not allow. */
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
 * Checks again who a socket belongs to: when the person or key changes, and with every ping, since
 * signals can get lost. Sockets whose session has ended are disconnected, and subscriptions that
 * are not allowed any more end.
 */
export function createRevalidation({ bus, unsubscribe, now, logger }: RevalidationDeps) {
  const clientsOf = new Map<string, Set<Client>>();
  const ownerOf = new WeakMap<Client, string>();

  // One at a time: of two that overlap, the older result could be the one that is kept.
  const revalidate = oneAtATime(async (client: Client) => {
    const { revalidate: lookUp } = client.identity;
    if (lookUp === undefined || !isOpen(client)) return;
    const identity = await lookUp();
    if (identity === undefined) {
      disconnect(client, 'session_ended');
      return;
    }
    // A refresh may have replaced it meanwhile.
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
    /** Remembers whose client this is, and checks what has changed since its handshake. */
    track(client: Client): void {
      const { principal } = client.identity;
      forget(client);
      if (principal === undefined) return;
      ownerOf.set(client, principal.id);
      clientsOf.set(principal.id, (clientsOf.get(principal.id) ?? new Set()).add(client));
      revalidateSoon(client);
    },

    forget,

    /** Called with every ping. */
    check(client: Client): void {
      const { expiresAt } = client.identity;
      if (expiresAt !== undefined && now() > expiresAt + expiryGraceMs)
        disconnect(client, 'expired');
      else revalidateSoon(client);
    },
  };
}

export type Revalidation = ReturnType<typeof createRevalidation>;
