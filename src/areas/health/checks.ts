import type { Clock } from '../../lib/clock.ts';
import type { Journal } from '../../platform/journal/journal.ts';
import { isLate } from '../../platform/queues/late.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { RedisMemory } from '../../platform/redis/redis.ts';
import type { Check, CheckResult } from './monitor.ts';

/** What the checks warn of; the console says it beside what they measure. */
export const limits = {
  slowMs: 500,
  minFreeRatio: 0.1,
  maxClockSkewMs: 5000,
  /** Delays of the event loop: it warns from `long` on, and is not ready from `stuck` on. */
  loopMs: { long: 500, stuck: 5000 },
} as const;
const { slowMs, minFreeRatio, maxClockSkewMs, loopMs } = limits;

/** Warns when a response takes more than half a second. `ping` resolves to milliseconds. */
export function responseTime(ping: () => Promise<number>): Check {
  return async () => {
    const ms = await ping();
    const observed = { observedValue: Math.round(ms * 1000) / 1000, observedUnit: 'ms' };
    return ms > slowMs
      ? { ...observed, status: 'warn', output: `slower than ${slowMs} ms` }
      : observed;
  };
}

/** Observes all queues of the job broker; the queue probe shows the result. */
export function queueResponseTime(queues: Pick<Queues, 'observe'>): Check {
  return responseTime(async () => (await queues.observe()).broker.latency_ms ?? 0);
}

/** Fails when events can't be written to the journal; another replica should get them then. */
export function journalWrites(journal: Pick<Journal, 'probe' | 'metrics'>): Check {
  return async () => {
    await journal.probe();
    return { observedValue: journal.metrics().lastSyncMs, observedUnit: 'ms' };
  };
}

/** Warns when repeated jobs are not started in time. Reads the last observed state. */
export function lateJobs(queues: Pick<Queues, 'state'>, clock: Clock): Check {
  return async () => {
    const late = queues.state().handlers.filter((handler) => isLate(handler, clock.now()));
    const observed: CheckResult = { observedValue: late.length, observedUnit: 'late' };
    if (late.length === 0) return observed;
    const names = late.map(({ name }) => name).join(', ');
    return {
      ...observed,
      status: 'warn',
      output: `not started in time: ${names}. Is a process with these jobs running?`,
    };
  };
}

/** Warns when less than a tenth of the disk is free, and less than the journal may need. */
export function journalRoom(journal: Pick<Journal, 'room'>, neededBytes: number): Check {
  return async () => {
    const { freeBytes, diskBytes } = await journal.room();
    const observed = { observedValue: freeBytes, observedUnit: 'bytes' };
    if (freeBytes >= neededBytes || freeBytes >= diskBytes * minFreeRatio) return observed;
    return {
      ...observed,
      status: 'warn',
      output: 'the disk of DATA_DIR is nearly full: make room, or events will be refused',
    };
  };
}

const policyAdvice = (policy: string) =>
  `maxmemory-policy is ${policy}: Redis may throw away sessions and jobs. ` +
  'Set it to noeviction (CONFIG SET maxmemory-policy noeviction)';

function memoryTrouble({ usedBytes, limitBytes, policy }: RedisMemory): string | undefined {
  if (policy !== undefined && policy !== 'noeviction') return policyAdvice(policy);
  if (limitBytes > 0 && usedBytes > limitBytes * (1 - minFreeRatio))
    return 'Redis has less than a tenth of maxmemory left: raise it, or writes will be refused';
  return undefined;
}

/** Warns when Redis may evict keys or run out of memory. Passes when Redis does not report it. */
export function redisRoom(readMemory: () => Promise<RedisMemory>): Check {
  return async () => {
    const memory = await readMemory().catch(() => undefined);
    if (memory === undefined) return {};
    const observed = { observedValue: memory.usedBytes, observedUnit: 'bytes' };
    const output = memoryTrouble(memory);
    return output === undefined ? observed : { ...observed, status: 'warn', output };
  };
}

/** Compares the clock with that of Redis: replicas verify codes and proofs of others by time. */
export function clockSkew(aheadMs: () => Promise<number>): Check {
  return async () => {
    const ahead = await aheadMs();
    const observed = { observedValue: ahead, observedUnit: 'ms' };
    if (Math.abs(ahead) <= maxClockSkewMs) return observed;
    const seconds = Math.round(Math.abs(ahead) / 1000);
    const where = `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of Redis`;
    return {
      ...observed,
      status: 'warn',
      output:
        `the clock of this machine is ${where}: sign-ins, codes and proofs of devices are ` +
        'refused here. Let both follow one time server',
    };
  };
}

/** Takes a replica out of rotation for a moment after its event loop was blocked. */
export function loopDelay(lateMs: () => number): Check {
  return async () => {
    const late = lateMs();
    const observed: CheckResult = { observedValue: late, observedUnit: 'ms' };
    if (late < loopMs.long) return observed;
    return {
      ...observed,
      status: late < loopMs.stuck ? 'warn' : 'fail',
      output: `the event loop did nothing else for at least ${late} ms`,
    };
  };
}
