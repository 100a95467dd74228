import type { TestApp } from '../../support/app.ts';
import { centrifuge } from '../../support/sockets.ts';

/** Publishes events on a channel, one after the other. */
export async function publish(
  app: Pick<TestApp, 'services'>,
  channel: string,
  ...all: unknown[]
): Promise<void> {
  for (const data of all) await app.services.bus.publish(channel, { type: 'tried', data });
}

export const dataOf = (event: unknown): unknown => (event as { data?: unknown } | null)?.data;

type Options = Parameters<typeof centrifuge>[2] & { path?: string; joinLeave?: boolean };

/** Connects the official client, subscribes to a channel, and collects what it receives. */
export async function subscribeTo(port: number, channel: string, options: Options = {}) {
  const { path = '/ws/status/', joinLeave = false, ...others } = options;
  const client = centrifuge(port, path, others);
  const subscription = client.newSubscription(channel, { joinLeave });
  const messages: unknown[] = [];
  const received: unknown[] = [];
  const offsets: (number | undefined)[] = [];
  const events: Record<string, unknown>[] = [];
  subscription.on('publication', ({ data, offset }) => {
    messages.push(data);
    received.push(dataOf(data));
    offsets.push(offset);
  });
  subscription.on('subscribed', ({ recovered, wasRecovering, recoverable, positioned, data }) =>
    events.push({ recovered, wasRecovering, recoverable, positioned, data: data as unknown }),
  );
  subscription.on('unsubscribed', ({ code }) => events.push({ unsubscribed: code }));
  subscription.on('join', ({ info }) => events.push({ join: info.client }));
  subscription.on('leave', ({ info }) => events.push({ leave: info.client }));
  subscription.subscribe();
  client.connect();
  await subscription.ready(5000);
  return {
    client,
    subscription,
    /** Messages as they came. */
    messages,
    /** The data of events. */
    received,
    offsets,
    events,
  };
}
