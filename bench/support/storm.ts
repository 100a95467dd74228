import { setTimeout as delay } from 'node:timers/promises';
import { channel, serviceHub } from './hubs.ts';
import { openAndGreet } from './raw-socket.ts';
import {
  type ClientFigures,
  createReturningClient,
  type ReturningClient,
} from './returning-client.ts';
import type { Service } from './service.ts';

export interface StormResult {
  /** ms from the drop until half, 99 % and all of the clients are back without a missed message. */
  p50: number;
  p99: number;
  all: number;
  /** Clients that have not reconnected within the limit. */
  away: number;
  published: number;
  figures: ClientFigures;
}

const limitMs = 30_000;

async function waitUntil(isTrue: () => boolean, limit: number): Promise<void> {
  const end = performance.now() + limit;
  while (!isTrue() && performance.now() < end) await delay(5);
}

/**
 * Publishes numbers at a constant rate through a socket of a replica until it is stopped. `stop`
 * returns how many were accepted.
 */
export async function startPublisher(replica: Service, perSecond: number) {
  const { port, publisher } = serviceHub(replica);
  let [sent, accepted, refused] = [0, 0, 0];
  const socket = await openAndGreet(
    {
      port,
      path: publisher.path,
      onMessage: (payload) => {
        for (const line of payload.toString().split('\n')) {
          if (line.includes('"publish":{}')) accepted += 1;
          else if (line.includes('"error"')) refused += 1;
        }
      },
    },
    publisher.hello,
    publisher.expectedReply,
  );
  const began = performance.now();
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - began) / 1000) * perSecond; sent += 1)
      socket.send(`{"id":${sent + 2},"publish":{"channel":"${channel}","data":{"n":${sent}}}}`);
  }, 5);
  return {
    async stop(): Promise<{ sent: number; accepted: number; refused: number }> {
      clearInterval(timer);
      await waitUntil(() => accepted + refused === sent, 2000);
      socket.destroy();
      return { sent, accepted, refused };
    },
  };
}

/** Connects clients of the service, in groups so that this is not a storm itself. */
export async function connectClients(port: number, count: number): Promise<ReturningClient[]> {
  const clients: ReturningClient[] = [];
  while (clients.length < count) {
    const group = Array.from({ length: Math.min(200, count - clients.length) }, () =>
      createReturningClient(port),
    );
    clients.push(...group);
    await waitUntil(() => group.every((client) => client.recoveredAt() > 0), 10_000);
  }
  return clients;
}

const sumOf = (clients: readonly ReturningClient[]): ClientFigures =>
  clients.reduce(
    (sum, { figures }) => {
      for (const name of Object.keys(sum) as (keyof ClientFigures)[]) sum[name] += figures[name];
      return sum;
    },
    { received: 0, attempts: 0, recovered: 0, lost: 0, gaps: 0, doubles: 0 },
  );

/** Drops all clients at once while a replica publishes, and waits until all are back. */
export async function storm(
  clients: readonly ReturningClient[],
  replica: Service,
  perSecond: number,
  drop: () => Promise<void>,
): Promise<StormResult> {
  const publisher = await startPublisher(replica, perSecond);
  await delay(500);
  const before = sumOf(clients);
  const droppedAt = performance.now();
  await drop();
  await waitUntil(() => clients.every((client) => client.recoveredAt() > droppedAt), limitMs);
  const times = clients.map((client) => client.recoveredAt() - droppedAt).sort((a, b) => a - b);
  const { sent } = await publisher.stop();
  await delay(500);
  const after = sumOf(clients);
  for (const name of Object.keys(after) as (keyof ClientFigures)[]) after[name] -= before[name];
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    all: at(1),
    away: times.filter((time) => time <= 0).length,
    published: sent,
    figures: after,
  };
}
