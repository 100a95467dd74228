import { setTimeout as delay } from 'node:timers/promises';
import { Centrifuge } from 'centrifuge';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { channel } from './hubs.ts';
import type { Service } from './service.ts';
import { startCutProxy } from './cut-proxy.ts';
import type { Lifetime } from './lifetime.ts';
import { startPublisher } from './storm.ts';

export interface DeliveryResult {
  clients: number;
  published: number;
  refused: number;
  drops: number;
  expected: number;
  received: number;
  duplicates: number;
  outOfOrder: number;
  /** Resubscriptions with `recovered: true`, and without. */
  recovered: number;
  notRecovered: number;
}

export interface DeliveryOptions {
  clients: number;
  seconds: number;
  perSecond: number;
  /** Restarts the service that the clients use. Called once, halfway through. */
  restart: () => Promise<void>;
}

const cutMs = 2000;
const restoredMs = 3000;
const catchUpMs = 20_000;
const dataSchema = z.object({ n: z.number() });

interface Listener {
  received: number[];
  recovered: number;
  notRecovered: number;
  client: Centrifuge;
}

async function listen(port: number): Promise<Listener> {
  const client = new Centrifuge(`ws://127.0.0.1:${port}/ws/svc/`, {
    websocket: WebSocket,
    minReconnectDelay: 100,
    maxReconnectDelay: 1000,
  });
  const listener: Listener = { received: [], recovered: 0, notRecovered: 0, client };
  // Broken connections are expected here.
  client.on('error', () => undefined);
  const subscription = client.newSubscription(channel, {
    minResubscribeDelay: 100,
    maxResubscribeDelay: 1000,
  });
  subscription.on('error', () => undefined);
  subscription.on(
    'publication',
    ({ data }) => void listener.received.push(dataSchema.parse(data).n),
  );
  subscription.on('subscribed', ({ wasRecovering, recovered }) => {
    if (wasRecovering) listener[recovered ? 'recovered' : 'notRecovered'] += 1;
  });
  subscription.subscribe();
  client.connect();
  await subscription.ready(10_000);
  return listener;
}

/**
 * Cuts the network for two seconds and restores it for three, until the time is up. Restarts the
 * service halfway through.
 */
async function disturb(
  proxy: Awaited<ReturnType<typeof startCutProxy>>,
  { seconds, restart }: DeliveryOptions,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const middle = performance.now() + seconds * 500;
  let restarting: Promise<void> | undefined;
  while (performance.now() < end) {
    proxy.cut();
    await delay(cutMs);
    proxy.restore();
    // While the clients are connected: the service fails, not the network.
    await delay(restoredMs / 2);
    if (performance.now() > middle) restarting ??= restart();
    await delay(restoredMs / 2);
  }
  await restarting;
}

/**
 * Connects official clients through a network that fails repeatedly, and counts which publications
 * each of them received.
 */
export async function runDelivery(
  lifetime: Lifetime,
  port: number,
  replica: Service,
  options: DeliveryOptions,
): Promise<DeliveryResult> {
  const proxy = await startCutProxy(port);
  lifetime.atEnd(() => proxy.stop());
  const listeners = await Promise.all(
    Array.from({ length: options.clients }, () => listen(proxy.port)),
  );
  const publisher = await startPublisher(replica, options.perSecond);
  await disturb(proxy, options);
  const { sent, refused } = await publisher.stop();
  const end = performance.now() + catchUpMs;
  while (
    listeners.some(({ received }) => received.length < sent - refused) &&
    performance.now() < end
  )
    await delay(20);
  // Duplicates may arrive late.
  await delay(500);
  for (const { client } of listeners) client.disconnect();
  proxy.stop();
  const sum = (pick: (listener: Listener) => number) =>
    listeners.reduce((total, listener) => total + pick(listener), 0);
  return {
    clients: listeners.length,
    published: sent,
    refused,
    drops: proxy.cuts(),
    expected: (sent - refused) * listeners.length,
    received: sum(({ received }) => new Set(received).size),
    duplicates: sum(({ received }) => received.length - new Set(received).size),
    outOfOrder: sum(
      ({ received }) => received.filter((number, at) => number < (received[at - 1] ?? -1)).length,
    ),
    recovered: sum(({ recovered }) => recovered),
    notRecovered: sum(({ notRecovered }) => notRecovered),
  };
}
