import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { createPresence } from '../../platform/bus/presence.ts';
import { createAttendance } from './attendance.ts';
import { createAudiences } from './audience.ts';
import { createClients } from './clients.ts';
import { endpoints } from '../../areas/realtime/channels.ts';
import { createCounters } from './counters.ts';
import { createHandling, infoOf } from './handling.ts';
import { createJoining } from './joining.ts';
import type { Identities } from './identities.ts';
import { createProcedures } from './procedures.ts';
import { createReview } from './review.ts';
import { createRounds } from './rounds.ts';

export interface RealtimeDeps {
  bus: Bus;
  redis: Redis;
  identities: Identities;
  /** The public summary of the status, which who listens to it is told first. */
  statusSummary: () => unknown;
  version: string;
  most: { all: number; ofAddress: number };
  clock: Clock;
  logger: Logger;
}

/** Puts the sockets together. */
export function createRealtime({
  bus,
  redis,
  identities,
  statusSummary,
  version,
  most,
  clock,
  logger,
}: RealtimeDeps) {
  const counters = createCounters();
  const audiences = createAudiences({ bus, counters });
  const attendance = createAttendance({
    presence: createPresence({ redis, clock }),
    bus,
    infoOf,
    logger,
  });
  const review = createReview({
    bus,
    leave: (client, channel) => handling.leave(client, channel),
    now: clock.now,
    logger,
  });
  const snapshotOf = (channel: string) =>
    channel === 'status'
      ? {
          type: 'status.snapshot',
          time: new Date(clock.now()).toISOString(),
          data: statusSummary(),
        }
      : undefined;
  const handling = createHandling({
    bus,
    audiences,
    attendance,
    identities,
    procedures: createProcedures({ status: statusSummary }),
    joining: createJoining({ audiences, attendance, snapshotOf }),
    version,
    now: clock.now,
    onIdentity: (client) => review.note(client),
  });
  const rounds = createRounds({ attendance, review });
  const clients = createClients({
    handling,
    rounds,
    review,
    counters,
    now: clock.now,
    logger,
    most,
    hear: bus.listen,
  });
  return {
    clients,
    identities,
    /** What the probe shows. */
    figures: () => ({
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
