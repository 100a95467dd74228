import type { Queues } from '../../platform/queues.ts';
import type { Check } from './monitor.ts';

const slowMs = 500;

/** A check from a function that asks a store and gives the milliseconds it took; more than half a second is a warning. */
export function responseTime(ping: () => Promise<number>): Check {
  return async () => {
    const ms = await ping();
    const observed = { observedValue: Math.round(ms * 1000) / 1000, observedUnit: 'ms' };
    return ms > slowMs ? { ...observed, status: 'warn', output: `slower than ${slowMs} ms` } : observed;
  };
}

/** A check that asks the job broker for all its queues; the queue probe shows what it found. */
export function queueResponseTime(queues: Pick<Queues, 'observe'>): Check {
  return responseTime(async () => (await queues.observe()).broker.latency_ms ?? 0);
}
