import type { Redis } from 'ioredis';
import { z } from 'zod';

/** A session and whom it belongs to. Its id has been checked: it was made for this owner. */
export interface SessionRef {
  id: string;
  owner: string;
}

export interface RecordLimits {
  /** How many sessions of one owner are remembered; the ones unused for longest go first. */
  ofOwner: number;
  /** Milliseconds after which a session that is not used is forgotten. */
  idleMs: number;
}

/** What the client said in `initialize`, as JSON; or that the session was ended; or that nothing was known of it. */
export type Kept = { parameters: string; isNew: boolean } | 'ended' | undefined;

const endedMark = 'ended';

// KEYS record, subscriptions, the owner's sessions; ARGV parameters or '', idle ms, most of the owner, id, prefix of records.
// → what the record holds; 'new' when it was just made; nil when there is none and none is to be made.
const keep = `
  local known = redis.call('GET', KEYS[1])
  if known == '${endedMark}' then return known end
  if not known and ARGV[1] == '' then return false end
  redis.call('SET', KEYS[1], known or ARGV[1], 'PX', ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  local t = redis.call('TIME')
  local now = t[1] * 1000000 + t[2]
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now - ARGV[2] * 1000))
  redis.call('ZADD', KEYS[3], string.format('%.0f', now), ARGV[4])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
  local excess = redis.call('ZCARD', KEYS[3]) - ARGV[3]
  if excess > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[3], excess)
    for at = 1, #oldest, 2 do redis.call('DEL', ARGV[5] .. oldest[at], ARGV[5] .. oldest[at] .. ':uris') end
  end
  return known or 'new'`;

type Command = (...args: (string | number)[]) => Promise<unknown>;

/**
 * What every replica has to know of a session, in Redis: what the client said when it began, what it subscribed to, and that it
 * has ended. Everything here rejects while Redis is away.
 */
export function createSessionRecords(
  redis: Redis,
  limits: RecordLimits = { ofOwner: 50, idleMs: 30 * 60_000 },
) {
  redis.defineCommand('mcpSessionKeep', { numberOfKeys: 3, lua: keep });
  const command = Reflect.get(redis, 'mcpSessionKeep') as Command;
  // The braces keep the keys of one owner together in a cluster.
  const prefixOf = (owner: string): string => `mcp:{${owner}}:`;
  const keyOf = ({ id, owner }: SessionRef): string => `${prefixOf(owner)}${id}`;
  const urisOf = (ref: SessionRef): string => `${keyOf(ref)}:uris`;
  const allOf = (owner: string): string => `${prefixOf(owner)}sessions`;

  return {
    limits,

    /** Notes that a session is used. With parameters, a record that is missing is made. */
    async keep(ref: SessionRef, parameters = ''): Promise<Kept> {
      const keys = [keyOf(ref), urisOf(ref), allOf(ref.owner)];
      const given = [parameters, limits.idleMs, limits.ofOwner, ref.id, prefixOf(ref.owner)];
      const found = z
        .string()
        .nullable()
        .parse(await command.call(redis, ...keys, ...given));
      if (found === null) return undefined;
      if (found === endedMark) return 'ended';
      return found === 'new' ? { parameters, isNew: true } : { parameters: found, isNew: false };
    },

    /** Ends a session for every replica. The mark stays as long as a replica could still hold the session. */
    async end(ref: SessionRef): Promise<void> {
      await redis.set(keyOf(ref), endedMark, 'PX', limits.idleMs);
      await redis.del(urisOf(ref));
      await redis.zrem(allOf(ref.owner), ref.id);
    },

    /** Which of these sessions were ended. */
    async ended<Ref extends SessionRef>(refs: readonly Ref[]): Promise<Ref[]> {
      const marks = await Promise.all(refs.map((ref) => redis.get(keyOf(ref))));
      return refs.filter((_, at) => marks[at] === endedMark);
    },

    async subscribe(ref: SessionRef, uri: string): Promise<void> {
      await redis.sadd(urisOf(ref), uri);
      await redis.pexpire(urisOf(ref), limits.idleMs);
    },

    unsubscribe: (ref: SessionRef, uri: string): Promise<unknown> => redis.srem(urisOf(ref), uri),

    /** Replaces everything that a session subscribed to. */
    async replace(ref: SessionRef, uris: readonly string[]): Promise<void> {
      await redis.del(urisOf(ref));
      if (uris.length === 0) return;
      await redis.sadd(urisOf(ref), ...uris);
      await redis.pexpire(urisOf(ref), limits.idleMs);
    },

    /** What a session subscribed to, on whichever replica; undefined when nothing is known of the session. */
    async subscriptions(ref: SessionRef): Promise<string[] | undefined> {
      const [isKnown, uris] = await Promise.all([
        redis.exists(keyOf(ref)),
        redis.smembers(urisOf(ref)),
      ]);
      return isKnown === 1 ? uris : undefined;
    },
  };
}

export type SessionRecords = ReturnType<typeof createSessionRecords>;
