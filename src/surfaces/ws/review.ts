import type { Logger } from 'pino';
import { oneAtATime } from '../../lib/concurrency/one-at-a-time.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { identitySignal } from '../../platform/bus/signals.ts';
import { channelOf } from '../../areas/realtime/channels.ts';
import { type Client, close, isOpen, send } from './client.ts';
import { unsubscribings } from './codes.ts';

export interface ReviewDeps {
  bus: Pick<Bus, 'onSignal'>;
  leave: (client: Client, channel: string) => void;
  now: () => number;
  logger: Logger;
}

/** How long a client gets to bring a new token after its own has ended. */
const expiryGraceMs = 25_000;

/**
 * Looks again at who a socket belongs to: when something about the person has changed, and with
 * every ping, since such a signal can get lost. Whose session has ended is closed; what somebody
 * may not hear any more, they don't.
 */
export function createReview({ bus, leave, now, logger }: ReviewDeps) {
  const held = new Map<string, Set<Client>>();
  const holderOf = new WeakMap<Client, string>();

  function dropForbidden(client: Client): void {
    for (const [name, { isServerSide }] of [...client.subscriptions]) {
      const channel = channelOf(name);
      if (channel?.rule.maySubscribe(client.identity, channel.about) === true) continue;
      leave(client, name);
      if (isServerSide) close(client, 'permission_denied');
      else
        send(
          client,
          JSON.stringify({ push: { channel: name, unsubscribe: unsubscribings.permission_lost } }),
        );
    }
  }

  // One at a time: of two that cross, the one that read first could be the one that is kept.
  const look = oneAtATime(async (client: Client) => {
    const { again } = client.identity;
    if (again === undefined || !isOpen(client)) return;
    const identity = await again();
    if (identity === undefined) {
      close(client, 'session_ended');
      return;
    }
    // A refresh may have put another one in its place meanwhile.
    if (client.identity.again === again)
      client.identity = { ...identity, expiresAt: client.identity.expiresAt };
    dropForbidden(client);
  });

  function lookSoon(client: Client): void {
    look(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'it could not be looked at who a socket belongs to'),
    );
  }

  bus.onSignal(identitySignal, (id) => {
    const concerned =
      id === undefined
        ? [...held.values()].flatMap((clients) => [...clients])
        : [...(held.get(id) ?? [])];
    concerned.forEach(lookSoon);
  });

  function forget(client: Client): void {
    const before = holderOf.get(client);
    if (before === undefined) return;
    const clients = held.get(before);
    clients?.delete(client);
    if (clients?.size === 0) held.delete(before);
  }

  return {
    /**
     * Remembers whose client this is, and looks again: something may have changed since its
     * handshake.
     */
    note(client: Client): void {
      const { principal } = client.identity;
      forget(client);
      if (principal === undefined) return;
      holderOf.set(client, principal.id);
      held.set(principal.id, (held.get(principal.id) ?? new Set()).add(client));
      lookSoon(client);
    },

    forget,

    /** Call it from time to time. */
    due(client: Client): void {
      const { expiresAt } = client.identity;
      if (expiresAt !== undefined && now() > expiresAt + expiryGraceMs) close(client, 'expired');
      else lookSoon(client);
    },
  };
}

export type Review = ReturnType<typeof createReview>;
