import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobState } from './types.ts';

/** A job's position in the list of its state. */
export interface JobPosition {
  /** The job's id within its kind. */
  id: string;
  /** The sort key: finish time (Unix ms), BullMQ's score of the due time, or list index. */
  at: number;
}

const keys = {
  waiting: 'wait',
  active: 'active',
  delayed: 'delayed',
  failed: 'failed',
  completed: 'completed',
} as const;

/**
 * Returns the due time, Unix ms, of BullMQ's score, whose low 12 bits number the jobs of one ms.
 */
export const dueAt = (score: number): number => Math.floor(score / 0x1000);

async function readList(
  redis: Redis,
  key: string,
  after: JobPosition | undefined,
  limit: number,
): Promise<JobPosition[]> {
  // Newer jobs may have shifted it. When it is gone, its old index is the best guess.
  const found = after === undefined ? -1 : await redis.lpos(key, after.id);
  const start = (found ?? (after?.at ?? 0) - 1) + 1;
  const ids = await redis.lrange(key, start, start + limit - 1);
  return ids.map((id, index) => ({ id, at: start + index }));
}

function toPositions(flat: readonly string[]): JobPosition[] {
  return flat.flatMap((id, index) => (index % 2 === 0 ? { id, at: Number(flat[index + 1]) } : []));
}

/** Continues even after a job that is gone: retrying jobs must not hide others on the next page. */
async function readSortedSet(
  redis: Redis,
  key: string,
  after: JobPosition | undefined,
  limit: number,
  isAscending: boolean,
): Promise<JobPosition[]> {
  const [from, ties] =
    after === undefined
      ? ([isAscending ? '-inf' : '+inf', 0] as const)
      : ([String(after.at), await redis.zcount(key, after.at, after.at)] as const);
  const found = isAscending
    ? await redis.zrangebyscore(key, from, '+inf', 'WITHSCORES', 'LIMIT', 0, limit + ties)
    : await redis.zrevrangebyscore(key, from, '-inf', 'WITHSCORES', 'LIMIT', 0, limit + ties);
  const isLater = ({ id, at }: JobPosition) =>
    after?.at !== at || (isAscending ? id > after.id : id < after.id);
  return toPositions(found).filter(isLater).slice(0, limit);
}

/**
 * Returns up to `limit` jobs in a state after a position: newest first, delayed jobs by due time.
 */
export function jobPositions(
  redis: Redis,
  queue: Queue,
  state: JobState,
  after: JobPosition | undefined,
  limit: number,
): Promise<JobPosition[]> {
  const key = queue.toKey(keys[state]);
  return state === 'waiting' || state === 'active'
    ? readList(redis, key, after, limit)
    : readSortedSet(redis, key, after, limit, state === 'delayed');
}
