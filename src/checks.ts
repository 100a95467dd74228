import { queueResponseTime, responseTime } from './areas/health/checks.ts';
import type { Check, CheckResult } from './areas/health/monitor.ts';
import type { Health } from './areas/health/service.ts';
import { pingDatabase } from './platform/database.ts';
import type { Queues } from './platform/queues.ts';
import { pingRedis } from './platform/redis.ts';
import type { Stores } from './stores.ts';

/** The journal's bytes that are not safely in the event store yet. */
function journalBacklog({ pipeline }: Stores): CheckResult {
  const { backlogBytes } = pipeline.journal.metrics();
  const failure = pipeline.failure();
  const observed = { observedValue: backlogBytes, observedUnit: 'bytes' };
  return failure === undefined ? observed : { ...observed, status: 'warn', output: 'the event store has stopped; events wait in the journal' };
}

/** What does not work without the database or Redis (RFC 6570). */
const signingIn = ['/api/auth/{+path}', '/auth/{+path}', '/api/v1/{+path}', '/login', '/account{/path*}'];

/** Messages cross from one replica to another by Redis: without it each replica tells its own clients only. */
function realtimeOver(health: Health): CheckResult {
  const redis = health.checks().find(({ name }) => name === 'redis:responseTime');
  return redis?.status === 'fail' ? { status: 'warn', output: 'Redis cannot be reached: messages reach clients of the same replica only' } : {};
}

/** The checks of e-mail and SMS where a provider is set. */
export interface DeliveryChecks {
  email?: Check | undefined;
  sms?: Check | undefined;
}

/** What health looks at. Redis and the queues are no gate: analytics goes on without them. */
export function registerChecks(health: Health, stores: Stores, queues: Queues, { email, sms }: DeliveryChecks = {}): void {
  health.register('database:responseTime', responseTime(async () => pingDatabase(stores.db)), { title: 'Database', componentType: 'datastore', gate: true, affectedEndpoints: signingIn });
  health.register('redis:responseTime', responseTime(async () => pingRedis(stores.redis)), { title: 'Redis', componentType: 'datastore', affectedEndpoints: signingIn });
  health.register('queues:responseTime', queueResponseTime(queues), { title: 'Background jobs', onError: 'warn', intervalMs: 5000, links: { about: '/api/health/queue' } });
  health.register('analytics:backlog', async () => journalBacklog(stores), { title: 'Analytics', affectedEndpoints: ['/analytics/{+path}'] });
  health.register('realtime:delivery', async () => realtimeOver(health), { title: 'Realtime', onError: 'warn' });
  if (email !== undefined) health.register('email:deliveries', email, { title: 'E-mail', onError: 'warn', intervalMs: 15_000 });
  if (sms !== undefined) health.register('sms:deliveries', sms, { title: 'SMS', onError: 'warn', intervalMs: 15_000 });
}
