import { textFrame } from '../../../lib/net/websocket-frame.ts';
import { type Client, disconnect, isOpen, writeFrame } from './client.ts';
import type { ChannelPresence } from './presence.ts';
import type { Revalidation } from './revalidation.ts';

/** Seconds between two pings of the server. */
export const pingSeconds = 25;
const pongTimeoutSeconds = 8;
const pingFrame = textFrame('{}');

export interface HeartbeatDeps {
  presence: ChannelPresence;
  revalidation: Pick<Revalidation, 'check'>;
}

/**
 * Pings every client every 25 seconds, checks its identity and renews its presence. Clients are
 * spread over 25 groups, one of which is due each second. This needs no timer per socket, and
 * spreads the load evenly.
 */
export function createHeartbeat({ presence, revalidation }: HeartbeatDeps) {
  const groups = Array.from({ length: pingSeconds }, () => new Set<Client>());
  const groupOf = new WeakMap<Client, Set<Client>>();
  let second = 0;
  let added = 0;
  let timer: NodeJS.Timeout | undefined;

  function pingClient(client: Client): void {
    client.awaitsPong = client.mode === 'bidi';
    writeFrame(client, pingFrame);
    revalidation.check(client);
  }

  function tick(): void {
    second = (second + 1) % pingSeconds;
    const pinged = groups[(second + pingSeconds - pongTimeoutSeconds) % pingSeconds] ?? [];
    for (const client of pinged) if (client.awaitsPong) disconnect(client, 'no_pong');
    const due = [...(groups[second] ?? [])].filter(
      (client) => client.isConnected && isOpen(client),
    );
    due.forEach(pingClient);
    presence.renew(due);
  }

  return {
    add(client: Client): void {
      const group = groups[added % pingSeconds];
      added += 1;
      group?.add(client);
      if (group !== undefined) groupOf.set(client, group);
      timer ??= setInterval(tick, 1000).unref();
    },

    remove: (client: Client): void => void groupOf.get(client)?.delete(client),

    stop: (): void => clearInterval(timer),
  };
}

export type Heartbeat = ReturnType<typeof createHeartbeat>;
