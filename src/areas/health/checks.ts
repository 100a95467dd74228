import type { Journal } from '../../platform/journal/journal.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { RedisMemory } from '../../platform/redis/redis.ts';
import type { Check, CheckResult } from './monitor.ts';

const slowMs = 500;

/** Warns when an answer takes more than half a second. `ping` returns its milliseconds. */
export function responseTime(ping: () => Promise<number>): Check {
  return async () => {
    const ms = await ping();
    const observed = { observedValue: Math.round(ms * 1000) / 1000, observedUnit: 'ms' };
    return ms > slowMs
      ? { ...observed, status: 'warn', output: `slower than ${slowMs} ms` }
      : observed;
  };
}

/** A check that asks the job broker for all its queues; the queue probe shows what it found. */
export function queueResponseTime(queues: Pick<Queues, 'observe'>): Check {
  return responseTime(async () => (await queues.observe()).broker.latency_ms ?? 0);
}

/** Whether events can be written down. Without it another replica should get them. */
export function journalWrites(journal: Pick<Journal, 'probe' | 'metrics'>): Check {
  return async () => {
    await journal.probe();
    return { observedValue: journal.metrics().lastSyncMs, observedUnit: 'ms' };
  };
}

const leastShare = 0.1;

/** Warns below a tenth of free disk, or below what the journal may need. */
export function journalRoom(journal: Pick<Journal, 'room'>, neededBytes: number): Check {
  return async () => {
    const { freeBytes, diskBytes } = await journal.room();
    const observed = { observedValue: freeBytes, observedUnit: 'bytes' };
    if (freeBytes >= neededBytes || freeBytes >= diskBytes * leastShare) return observed;
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
  if (limitBytes > 0 && usedBytes > limitBytes * (1 - leastShare))
    return 'Redis has less than a tenth of maxmemory left: raise it, or writes will be refused';
  return undefined;
}

/** What Redis does with its memory. A server that does not tell is no reason to warn. */
export function redisRoom(look: () => Promise<RedisMemory>): Check {
  return async () => {
    const memory = await look().catch(() => undefined);
    if (memory === undefined) return {};
    const observed = { observedValue: memory.usedBytes, observedUnit: 'bytes' };
    const output = memoryTrouble(memory);
    return output === undefined ? observed : { ...observed, status: 'warn', output };
  };
}

const tolerableMs = 5000;

/** Compares clocks with Redis: replicas check one another's codes and proofs by time. */
export function clockAgreement(aheadMs: () => Promise<number>): Check {
  return async () => {
    const ahead = await aheadMs();
    const observed = { observedValue: ahead, observedUnit: 'ms' };
    if (Math.abs(ahead) <= tolerableMs) return observed;
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

/** Milliseconds of one turn of the event loop that warn, and that make it not ready. */
const turn = { long: 500, stuck: 5000 };

/** A replica whose event loop was stuck gets a moment without new requests. */
export function loopDelay(lateMs: () => number): Check {
  return async () => {
    const late = lateMs();
    const observed: CheckResult = { observedValue: late, observedUnit: 'ms' };
    if (late < turn.long) return observed;
    return {
      ...observed,
      status: late < turn.stuck ? 'warn' : 'fail',
      output: `the event loop did nothing else for at least ${late} ms`,
    };
  };
}
