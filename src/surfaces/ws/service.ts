import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { endpoints } from '../../areas/realtime/channels.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { createPresence } from '../../platform/bus/presence.ts';
import { type ClientsDeps, createClients } from './clients/clients.ts';
import { createCommandHandlers } from './commands/command-handlers.ts';
import { createCounters } from './counters.ts';
import { createHeartbeat } from './clients/heartbeat.ts';
import { createHub } from './hub.ts';
import type { Identities } from './clients/identities.ts';
import { createChannelPresence } from './clients/presence.ts';
import { createRevalidation } from './clients/revalidation.ts';
import { createRpc } from './commands/rpc.ts';
import { createSubscriptions } from './commands/subscriptions.ts';

export interface RealtimeDeps {
  bus: Bus;
  redis: Redis;
  identities: Identities;
  /** The public summary of the status, sent to new subscribers. */
  statusSummary: () => unknown;
  version: string;
  limits: ClientsDeps['limits'];
  clock: Clock;
  logger: Logger;
}

/** Creates the realtime server, which speaks Centrifugo's client protocol. */
export function createRealtime(deps: RealtimeDeps) {
  const { bus, redis, identities, statusSummary, version, limits, clock, logger } = deps;
  const { now } = clock;
  const counters = createCounters();
  const hub = createHub({ bus, counters });
  const presence = createChannelPresence({
    presence: createPresence({ redis, clock }),
    bus,
    logger,
  });
  const snapshotOf = (channel: string) =>
    channel === 'status'
      ? { type: 'status.snapshot', time: new Date(now()).toISOString(), data: statusSummary() }
      : undefined;
  const subscriptions = createSubscriptions({ hub, presence, snapshotOf });
  const { unsubscribe } = subscriptions;
  const revalidation = createRevalidation({ bus, unsubscribe, now, logger });
  const handlers = createCommandHandlers({
    bus,
    hub,
    presence,
    identities,
    rpc: createRpc({ status: statusSummary }),
    subscriptions,
    version,
    now,
    onIdentity: (client) => revalidation.track(client),
  });
  const heartbeat = createHeartbeat({ presence, revalidation });
  return {
    clients: createClients({
      handlers,
      heartbeat,
      revalidation,
      counters,
      now,
      logger,
      limits,
      listen: bus.listen,
    }),
    identities,
    listening: hub.listening,
    /** The metrics of health checks. */
    metrics: () => ({
      enabled: true,
      endpoints: endpoints.map((path) => ({
        path,
        protocols: ['centrifuge-json'],
        connections: counters.connections[path],
        subscriptions: counters.subscriptions[path],
      })),
      messages_sent_total: counters.sent,
      slow_disconnects_total: counters.slow,
    }),
  };
}

export type Realtime = ReturnType<typeof createRealtime>;
