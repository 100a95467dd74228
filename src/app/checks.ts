import type { MisroutedCounter } from '../areas/analytics/misrouted-counter.ts';
import {
  clockSkew,
  journalRoom,
  journalWrites,
  lateJobs,
  loopDelay,
  queueResponseTime,
  redisRoom,
  responseTime,
} from '../areas/health/checks.ts';
import type { Check, CheckResult } from '../areas/health/monitor.ts';
import type { Health } from '../areas/health/service.ts';
import { systemClock } from '../lib/clock.ts';
import { pingDatabase } from '../platform/database/database.ts';
import type { Queues } from '../platform/queues/queues.ts';
import { clockOffsetMs, pingRedis, redisMemory } from '../platform/redis/redis.ts';
import type { Stores } from './stores.ts';

/** The journal bytes that the event store has not stored yet. */
function journalBacklog({ pipeline }: Stores): CheckResult {
  const { backlogBytes } = pipeline.journal.metrics();
  const failure = pipeline.failure();
  const observed = { observedValue: backlogBytes, observedUnit: 'bytes' };
  if (failure !== undefined)
    return {
      ...observed,
      status: 'warn',
      output: 'the event store has stopped; events wait in the journal',
    };
  if (pipeline.recentIds.isLoaded()) return observed;
  return {
    ...observed,
    status: 'warn',
    output:
      'the ids of recent events are still being read; ' +
      'events with an id of their own are answered 503',
  };
}

/** URL templates (RFC 6570) of what does not work without the database or Redis. */
const signInPaths = [
  '/api/auth/{+path}',
  '/auth/{+path}',
  '/api/v1/{+path}',
  '/login',
  '/account{/path*}',
];

/**
 * Messages reach other replicas through Redis. Without it, each replica reaches only its own
 * clients.
 */
function realtimeOver(health: Health): CheckResult {
  const redis = health.checks().find(({ name }) => name === 'redis:responseTime');
  return redis?.status === 'fail'
    ? {
        status: 'warn',
        output: 'Redis cannot be reached: messages reach clients of the same replica only',
      }
    : {};
}

/** The checks of email and SMS, where a provider is configured. */
export interface DeliveryChecks {
  email?: Check | undefined;
  sms?: Check | undefined;
}

/**
 * Registers the checks of the stores. None is a gate: they fail for all replicas alike, and much
 * works without them.
 */
function registerStores(health: Health, { db, redis }: Stores, queues: Queues): void {
  const datastore = { componentType: 'datastore', affectedEndpoints: signInPaths } as const;
  health.register(
    'database:responseTime',
    responseTime(async () => pingDatabase(db)),
    { ...datastore, title: 'Database' },
  );
  health.register(
    'redis:responseTime',
    responseTime(async () => pingRedis(redis)),
    { ...datastore, title: 'Redis' },
  );
  health.register(
    'redis:memory',
    redisRoom(async () => redisMemory(redis)),
    { title: 'Redis', componentType: 'datastore', isPublic: false, intervalMs: 5000 },
  );
  // The system clock, even if the service runs with another one: it is the machine's clock that
  // must be corrected.
  health.register(
    'clock:offset',
    clockSkew(async () => clockOffsetMs(redis, systemClock)),
    {
      title: 'Clock',
      componentType: 'system',
      onError: 'warn',
      isPublic: false,
      intervalMs: 15_000,
    },
  );
  health.register('queues:responseTime', queueResponseTime(queues), {
    title: 'Background jobs',
    onError: 'warn',
    intervalMs: 5000,
    links: { about: '/api/health/queue' },
  });
  health.register('queues:late', lateJobs(queues, systemClock), {
    title: 'Background jobs',
    onError: 'warn',
    isPublic: false,
    intervalMs: 15_000,
  });
}

/** Warns while requests for analytics arrive on a replica that has it turned off. */
function misroutedRequests(misrouted: Pick<MisroutedCounter, 'figures'>): Check {
  return async () => {
    const { events, scans_and_taps: links, queries, isRecent } = misrouted.figures();
    const observed = { observedValue: events + links + queries, observedUnit: 'requests' };
    if (!isRecent) return observed;
    return {
      ...observed,
      status: 'warn',
      output:
        `analytics is off on this replica, but ${links} scans and taps were lost, and ` +
        `${events} events and ${queries} queries refused, since its start: route their paths ` +
        'to the replica that has it',
    };
  };
}

/** Registers the checks of this replica's own resources. They decide its readiness. */
function registerReplica(
  health: Health,
  { pipeline: { journal } }: Stores,
  backlogLimit: number,
): void {
  const replica = { isPublic: false, componentType: 'system' } as const;
  health.register('analytics:journal', journalWrites(journal), {
    title: 'Analytics',
    gate: true,
    affectedEndpoints: ['/analytics/{+path}'],
  });
  health.register('journal:room', journalRoom(journal, backlogLimit), {
    ...replica,
    title: 'Disk',
    onError: 'warn',
    intervalMs: 5000,
  });
  health.register('eventLoop:delay', loopDelay(health.loopLateMs), {
    ...replica,
    title: 'Event loop',
    gate: true,
  });
}

/**
 * Registers all checks. Readiness is about this replica; requests that need a lost store get 503.
 */
export function registerChecks(
  health: Health,
  stores: Stores,
  queues: Queues,
  {
    backlogLimit,
    codeBudget,
    misrouted,
    email,
    sms,
  }: DeliveryChecks & {
    backlogLimit: number;
    codeBudget: Check;
    misrouted: Pick<MisroutedCounter, 'figures'> | undefined;
  },
): void {
  registerStores(health, stores, queues);
  health.register('analytics:backlog', async () => journalBacklog(stores), {
    title: 'Analytics',
    affectedEndpoints: ['/analytics/{+path}'],
  });
  registerReplica(health, stores, backlogLimit);
  if (misrouted !== undefined)
    health.register('analytics:misrouted', misroutedRequests(misrouted), {
      title: 'Analytics',
      onError: 'warn',
      isPublic: false,
      componentType: 'system',
    });
  health.register('realtime:delivery', async () => realtimeOver(health), {
    title: 'Realtime',
    onError: 'warn',
  });
  health.register('otp:budget', codeBudget, {
    title: 'One-time codes',
    onError: 'warn',
    isPublic: false,
    intervalMs: 15_000,
  });
  if (email !== undefined)
    health.register('email:deliveries', email, {
      title: 'Email',
      onError: 'warn',
      intervalMs: 15_000,
    });
  if (sms !== undefined)
    health.register('sms:deliveries', sms, { title: 'SMS', onError: 'warn', intervalMs: 15_000 });
}
