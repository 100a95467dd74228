import { queueResponseTime, responseTime } from './areas/health/checks.ts';
import type { CheckResult } from './areas/health/monitor.ts';
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

/** What health looks at. Redis and the queues are no gate: analytics goes on without them. */
export function registerChecks(health: Health, stores: Stores, queues: Queues): void {
  health.register('database:responseTime', responseTime(async () => pingDatabase(stores.db)), { title: 'Database', componentType: 'datastore', gate: true });
  health.register('redis:responseTime', responseTime(async () => pingRedis(stores.redis)), { title: 'Redis', componentType: 'datastore' });
  health.register('queues:responseTime', queueResponseTime(queues), { title: 'Background jobs', onError: 'warn', intervalMs: 5000 });
  health.register('analytics:backlog', async () => journalBacklog(stores), { title: 'Analytics' });
}
