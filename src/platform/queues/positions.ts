import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobState } from './types.ts';

/** A job's place in the list of its state. */
export interface JobPosition {
  /** The job's id within its kind. */
  id: string;
  /** The sort key: when it ended (Unix ms), BullMQ's score of when it is due, or its index. */
  at: number;
}

const keys = {
  waiting: 'wait',
  active: 'active',
  delayed: 'delayed',
  failed: 'failed',
  completed: 'completed',
} as const;

/** BullMQ counts jobs that are due in the same millisecond in the last twelve bits. */
export const dueAt = (score: number): number => Math.floor(score / 0x1000);

async function inList(
  redis: Redis,
  key: string,
  after: JobPosition | undefined,
  limit: number,
): Promise<JobPosition[]> {
  // Newer ones may have come before it; when it is gone, where it was is the best guess.
  const found = after === undefined ? -1 : await redis.lpos(key, after.id);
  const start = (found ?? (after?.at ?? 0) - 1) + 1;
  const ids = await redis.lrange(key, start, start + limit - 1);
  return ids.map((id, index) => ({ id, at: start + index }));
}

function pairs(flat: readonly string[]): JobPosition[] {
  return flat.flatMap((id, index) => (index % 2 === 0 ? { id, at: Number(flat[index + 1]) } : []));
}

/** Goes on after a place that is gone, too: retrying jobs must not hide others of the next page. */
async function inSet(
  redis: Redis,
  key: string,
  after: JobPosition | undefined,
  limit: number,
  isRising: boolean,
): Promise<JobPosition[]> {
  const [from, ties] =
    after === undefined
      ? ([isRising ? '-inf' : '+inf', 0] as const)
      : ([String(after.at), await redis.zcount(key, after.at, after.at)] as const);
  const found = isRising
    ? await redis.zrangebyscore(key, from, '+inf', 'WITHSCORES', 'LIMIT', 0, limit + ties)
    : await redis.zrevrangebyscore(key, from, '-inf', 'WITHSCORES', 'LIMIT', 0, limit + ties);
  const isLater = ({ id, at }: JobPosition) =>
    after?.at !== at || (isRising ? id > after.id : id < after.id);
  return pairs(found).filter(isLater).slice(0, limit);
}

/** Up to `limit` jobs in a state after a place: newest first, delayed ones by due time. */
export function jobPositions(
  redis: Redis,
  queue: Queue,
  state: JobState,
  after: JobPosition | undefined,
  limit: number,
): Promise<JobPosition[]> {
  const key = queue.toKey(keys[state]);
  return state === 'waiting' || state === 'active'
    ? inList(redis, key, after, limit)
    : inSet(redis, key, after, limit, state === 'delayed');
}
