import type { Redis } from 'ioredis';
import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { defineScript } from '../../../platform/redis/script.ts';

/** A session id, and the owner to whom it was issued. */
export interface SessionRef {
  id: string;
  owner: string;
}

export interface SessionLimits {
  /** The maximum number of sessions per owner. The least recently used are deleted. */
  perOwner: number;
  /** Milliseconds without use after which a session expires. */
  idleMs: number;
}

/** The parameters of `initialize` as JSON; `ended`; or undefined for unknown sessions. */
export type SessionRecord = { params: string; isNew: boolean } | 'ended' | undefined;

const endedMark = 'ended';

// KEYS: the record, its subscriptions, the owner's sessions.
// ARGV: parameters or '', idle ms, limit per owner, id, prefix of records.
// Returns the content of the record, 'new' when it was just created, or nil when it is missing.
const touchScript = `
  local known = redis.call('GET', KEYS[1])
  if known == '${endedMark}' then return known end
  if not known and ARGV[1] == '' then return false end
  redis.call('SET', KEYS[1], known or ARGV[1], 'PX', ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  local t = redis.call('TIME')
  local now = t[1] * 1000000 + t[2]
  local stale = string.format('%.0f', now - ARGV[2] * 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', stale)
  redis.call('ZADD', KEYS[3], string.format('%.0f', now), ARGV[4])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
  local excess = redis.call('ZCARD', KEYS[3]) - ARGV[3]
  if excess > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[3], excess)
    for at = 1, #oldest, 2 do
      redis.call('DEL', ARGV[5] .. oldest[at], ARGV[5] .. oldest[at] .. ':uris')
    end
  end
  return known or 'new'`;

function toRecord(reply: string | null, params: string): SessionRecord {
  if (reply === null) return undefined;
  if (reply === endedMark) return 'ended';
  return reply === 'new' ? { params, isNew: true } : { params: reply, isNew: false };
}

// The braces keep the keys of one owner on one node of a cluster.
const prefixOf = (owner: string): string => `mcp:{${owner}}:`;
const keyOf = ({ id, owner }: SessionRef): string => `${prefixOf(owner)}${id}`;
const urisKeyOf = (ref: SessionRef): string => `${keyOf(ref)}:uris`;
const ownerKeyOf = (owner: string): string => `${prefixOf(owner)}sessions`;

/**
 * The state of sessions that replicas share in Redis: the parameters of `initialize`, the
 * subscriptions, and whether the session has ended. All methods reject while Redis is unavailable.
 */
export function createSessionRecords(
  redis: Redis,
  limits: SessionLimits = { perOwner: 50, idleMs: 30 * minuteMs },
) {
  const touch = defineScript(redis, {
    name: 'mcpSessionTouch',
    lua: touchScript,
    reply: z.string().nullable(),
  });

  async function addUris(ref: SessionRef, uris: readonly string[]): Promise<void> {
    if (uris.length === 0) return;
    await redis.sadd(urisKeyOf(ref), ...uris);
    await redis.pexpire(urisKeyOf(ref), limits.idleMs);
  }

  return {
    limits,

    /** Marks a session as used. Creates a missing record if `params` are given. */
    async touch(ref: SessionRef, params = ''): Promise<SessionRecord> {
      const keys = [keyOf(ref), urisKeyOf(ref), ownerKeyOf(ref.owner)];
      const args = [params, limits.idleMs, limits.perOwner, ref.id, prefixOf(ref.owner)];
      return toRecord(await touch(keys, ...args), params);
    },

    /** Ends a session on every replica. The mark outlives the copies of all replicas. */
    async end(ref: SessionRef): Promise<void> {
      await redis.set(keyOf(ref), endedMark, 'PX', limits.idleMs);
      await redis.del(urisKeyOf(ref));
      await redis.zrem(ownerKeyOf(ref.owner), ref.id);
    },

    /** Returns those of the given sessions that have ended. */
    async findEnded<Ref extends SessionRef>(refs: readonly Ref[]): Promise<Ref[]> {
      const marks = await Promise.all(refs.map((ref) => redis.get(keyOf(ref))));
      return refs.filter((_, index) => marks[index] === endedMark);
    },

    subscribe: (ref: SessionRef, uri: string): Promise<void> => addUris(ref, [uri]),

    unsubscribe: (ref: SessionRef, uri: string): Promise<unknown> =>
      redis.srem(urisKeyOf(ref), uri),

    /** Replaces all subscriptions of a session. */
    async setSubscriptions(ref: SessionRef, uris: readonly string[]): Promise<void> {
      await redis.del(urisKeyOf(ref));
      await addUris(ref, uris);
    },

    /** The subscriptions of a session on all replicas; undefined for unknown sessions. */
    async subscriptions(ref: SessionRef): Promise<string[] | undefined> {
      const [isKnown, uris] = await Promise.all([
        redis.exists(keyOf(ref)),
        redis.smembers(urisKeyOf(ref)),
      ]);
      return isKnown === 1 ? uris : undefined;
    },
  };
}

export type SessionRecords = ReturnType<typeof createSessionRecords>;
