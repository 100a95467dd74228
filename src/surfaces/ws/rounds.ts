import { textFrame } from '../../lib/net/websocket-frame.ts';
import type { Attendance } from './attendance.ts';
import { type Client, close, isOpen, writeFrame } from './client.ts';
import { pingSeconds } from './handling.ts';
import type { Review } from './review.ts';

const pongSeconds = 8;
const ping = textFrame('{}');

/**
 * What is done with every socket every 25 seconds: it is pinged, and looked at again. Each second
 * it is another group's turn: no timer for each socket, and no moment at which all are at work.
 */
export function createRounds({
  attendance,
  review,
}: {
  attendance: Attendance;
  review: Pick<Review, 'due'>;
}) {
  const groups = Array.from({ length: pingSeconds }, () => new Set<Client>());
  const groupOf = new WeakMap<Client, Set<Client>>();
  let round = 0;
  let arrivals = 0;
  let timer: NodeJS.Timeout | undefined;

  function visit(client: Client): void {
    client.awaitsPong = client.mode === 'bidi';
    writeFrame(client, ping);
    review.due(client);
  }

  function tick(): void {
    round = (round + 1) % pingSeconds;
    // Those that were pinged a while ago.
    for (const client of groups[(round + pingSeconds - pongSeconds) % pingSeconds] ?? [])
      if (client.awaitsPong) close(client, 'no_pong');
    const due = [...(groups[round] ?? [])].filter((client) => client.isGreeted && isOpen(client));
    due.forEach(visit);
    attendance.renew(due);
  }

  return {
    add(client: Client): void {
      const group = groups[arrivals % pingSeconds];
      arrivals += 1;
      group?.add(client);
      if (group !== undefined) groupOf.set(client, group);
      timer ??= setInterval(tick, 1000).unref();
    },

    remove: (client: Client): void => void groupOf.get(client)?.delete(client),

    stop: (): void => clearInterval(timer),
  };
}

export type Rounds = ReturnType<typeof createRounds>;
