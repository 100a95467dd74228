import type { Redis } from 'ioredis';
import { z } from 'zod';
import { remembering } from '../../lib/remembering.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import { roles } from '../../platform/identity/identity.ts';

const sessionRecord = z.object({
  id: z.string(),
  via: z.enum(['cookie', 'bearer']),
  /** Cookie: SHA-256 of its secret. Bearer: the salt its tokens' secrets are made from. */
  secret: z.string(),
  /** Unix ms, as all times here. */
  created_at: z.number(),
  /** The end, whatever happens. */
  expires_at: z.number(),
  idle_ms: z.number(),
  used_at: z.number(),
  auth_time: z.number(),
  amr: z.array(z.string()),
  acr: z.enum(['aal1', 'aal2']),
  /** Bearer: how often the tokens were replaced, and when the present and the previous ones were issued. */
  generation: z.number(),
  issued_at: z.number(),
  previous_issued_at: z.number(),
  /** To recognise it by: browser and system, country. */
  client: z.string(),
  /** The device it is held on, once that is known. */
  device: z
    .object({
      id: z.string(),
      /** As it was when it last changed; what it may do is decided by the record store. */
      state: z.string(),
      /** Thumbprint of the key that every use has to prove (RFC 9449 `cnf.jkt`); bearer sessions only. */
      jkt: z.string().nullable(),
      /** When the device has last proved its key in this session, and from where: a hash. */
      proved_at: z.number(),
      proved_from: z.string(),
      /** When its passkey has. */
      passkey_at: z.number(),
    })
    .optional(),
});
export type SessionDevice = NonNullable<SessionRecord['device']>;
export type SessionRecord = z.output<typeof sessionRecord>;

/** What others may see of a session. */
export const withoutSecret = sessionRecord.omit({ secret: true });

const userRecord = z.object({
  /** When this was read from the record store. */
  at: z.number(),
  disabled: z.boolean(),
  roles: z.array(z.enum(roles)),
  name: z.string().nullable(),
  picture: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
export type UserRecord = z.output<typeof userRecord>;

export type Refreshed = 'rotated' | 'again' | 'reused' | 'gone';

// Everything of one person is in one hash: `user`, `not_before`, and `s:<session>` for each session. So a check is one
// read, and what ends all sessions can't miss one that begins in the same moment.
const scripts = {
  // now, begun, session, record, user, most, ttl → 1, or 0 when all sessions were ended after the sign-in had begun
  sessionCreate: `
    local not_before = tonumber(redis.call('HGET', KEYS[1], 'not_before') or '0')
    if tonumber(ARGV[2]) < not_before then return 0 end
    -- The two other fields count as well: there is nothing to end before the hash is this long.
    if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then
      local now, live = tonumber(ARGV[1]), {}
      local all = redis.call('HGETALL', KEYS[1])
      for at = 1, #all, 2 do
        if string.sub(all[at], 1, 2) == 's:' then
          local session = cjson.decode(all[at + 1])
          if session.expires_at <= now then redis.call('HDEL', KEYS[1], all[at])
          else table.insert(live, { all[at], session.created_at }) end
        end
      end
      table.sort(live, function(a, b) return a[2] < b[2] end)
      for at = 1, #live - tonumber(ARGV[6]) + 1 do redis.call('HDEL', KEYS[1], live[at][1]) end
    end
    redis.call('HSET', KEYS[1], 's:' .. ARGV[3], ARGV[4])
    redis.call('HSETNX', KEYS[1], 'user', ARGV[5])
    redis.call('PEXPIRE', KEYS[1], math.max(tonumber(ARGV[7]), redis.call('PTTL', KEYS[1])))
    return 1`,
  // session, now → notes its use, unless it has ended
  sessionTouch: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 0 end
    local session = cjson.decode(raw)
    session.used_at = math.max(session.used_at, tonumber(ARGV[2]))
    redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
    return 1`,
  // now, ttl, session to keep or '' → how many ended
  sessionEndAll: `
    local ended, all = 0, redis.call('HKEYS', KEYS[1])
    for _, field in ipairs(all) do
      if string.sub(field, 1, 2) == 's:' and field ~= 's:' .. ARGV[3] then
        redis.call('HDEL', KEYS[1], field)
        ended = ended + 1
      end
    end
    redis.call('HSET', KEYS[1], 'not_before', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], math.max(tonumber(ARGV[2]), redis.call('PTTL', KEYS[1])))
    return ended`,
  // session, generation of the refresh token, now, grace → what became of it
  sessionRefresh: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 'gone' end
    local session, generation, now = cjson.decode(raw), tonumber(ARGV[2]), tonumber(ARGV[3])
    if session.expires_at <= now then return 'gone' end
    if generation == session.generation then
      session.generation = generation + 1
      session.previous_issued_at = session.issued_at
      session.issued_at = now
      session.used_at = now
      redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
      return 'rotated'
    end
    if generation == session.generation - 1 and now - session.issued_at <= tonumber(ARGV[4]) then return 'again' end
    redis.call('HDEL', KEYS[1], 's:' .. ARGV[1])
    return 'reused'`,
  // session, device → puts the session on the device; 0 when it has ended
  sessionSetDevice: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 0 end
    local session = cjson.decode(raw)
    session.device = cjson.decode(ARGV[2])
    redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
    return 1`,
  // device, state or '' → tells the sessions on the device, or ends them; how many there were
  sessionsOfDevice: `
    local count, all = 0, redis.call('HGETALL', KEYS[1])
    for at = 1, #all, 2 do
      if string.sub(all[at], 1, 2) == 's:' and string.find(all[at + 1], ARGV[1], 1, true) then
        local session = cjson.decode(all[at + 1])
        if session.device and session.device.id == ARGV[1] then
          count = count + 1
          if ARGV[2] == '' then redis.call('HDEL', KEYS[1], all[at])
          else
            session.device.state = ARGV[2]
            redis.call('HSET', KEYS[1], all[at], cjson.encode(session))
          end
        end
      end
    end
    return count`,
  // user, whether it has just changed ('1' or '0'), fresh → replaces what is known of the person, unless that was read
  // later, or nobody is signed in; what seems to be read much later was read before a clock was put back
  sessionPutUser: `
    local raw = redis.call('HGET', KEYS[1], 'user')
    if not raw then return 0 end
    local later = cjson.decode(raw).at - cjson.decode(ARGV[1]).at
    if ARGV[2] == '0' and later > 0 and later < tonumber(ARGV[3]) then return 0 end
    redis.call('HSET', KEYS[1], 'user', ARGV[1])
    return 1`,
};

type Command = (key: string, ...args: (string | number)[]) => Promise<unknown>;

/** How long what was read of a person may be used. */
export const userFreshMs = 60_000;

const mostRemembered = 5000;

const keyOf = (userId: string) => `auth:{${userId}}`;

// An empty list is written as {} by Redis' JSON.
const readSession = (text: string): SessionRecord =>
  Object.freeze(sessionRecord.parse(JSON.parse(text.replace('"amr":{}', '"amr":[]'))));

// `at` is outside of the seal: the scripts compare it.
const sealedUser = z.object({ at: z.number(), sealed: z.string() });
const writeUser = (seal: Seal, user: UserRecord): string =>
  JSON.stringify({ at: user.at, sealed: seal.seal(JSON.stringify(user)) });

const unreadUser = JSON.stringify({ at: 0, sealed: '' });

/** Nothing is known yet, and it is long ago: the person is read again. */
const unknownUser: UserRecord = Object.freeze({
  at: 0,
  disabled: false,
  roles: [],
  name: null,
  picture: null,
  email: null,
  phone: null,
});

/** What was sealed with another AUTH_SECRET is not known. */
function readUser(seal: Seal, text: string): UserRecord {
  const opened = seal.open(sealedUser.parse(JSON.parse(text)).sealed);
  return opened === undefined ? unknownUser : Object.freeze(userRecord.parse(JSON.parse(opened)));
}

/** Sessions in Redis: no token is there, only hashes and salts, and what is known of the person is sealed. Every method rejects with Redis' error when it is away. */
export function createSessionStore(redis: Redis, seal: Seal) {
  const parseSession = remembering(readSession, mostRemembered);
  const parseUser = remembering((text) => readUser(seal, text), mostRemembered);
  for (const [name, lua] of Object.entries(scripts))
    redis.defineCommand(name, { numberOfKeys: 1, lua });
  function run(
    name: keyof typeof scripts,
    userId: string,
    ...args: (string | number)[]
  ): Promise<unknown> {
    const command = Reflect.get(redis, name) as Command;
    return command.call(redis, keyOf(userId), ...args);
  }

  return {
    /** A session and what is known of its person, in one read. */
    async read(
      userId: string,
      sessionId: string,
    ): Promise<{ session: SessionRecord; user: UserRecord } | undefined> {
      const [session, user] = await redis.hmget(keyOf(userId), `s:${sessionId}`, 'user');
      if (typeof session !== 'string' || typeof user !== 'string') return undefined;
      return { session: parseSession(session), user: parseUser(user) };
    },

    /**
     * False when all of the person's sessions were ended after `begun`. Ends the oldest above `most`. The person may have
     * changed since the sign-in read them, and is read again at the session's first use.
     */
    async create(
      userId: string,
      session: SessionRecord,
      { begun, most }: { begun: number; most: number },
    ): Promise<boolean> {
      const ttl = session.expires_at - session.created_at;
      return (
        (await run(
          'sessionCreate',
          userId,
          session.created_at,
          begun,
          session.id,
          JSON.stringify(session),
          unreadUser,
          most,
          ttl,
        )) === 1
      );
    },

    async list(userId: string): Promise<SessionRecord[]> {
      const fields = await redis.hgetall(keyOf(userId));
      return Object.entries(fields)
        .filter(([name]) => name.startsWith('s:'))
        .map(([, text]) => readSession(text));
    },

    touch: (userId: string, sessionId: string, now: number): Promise<unknown> =>
      run('sessionTouch', userId, sessionId, now),

    /** False when there was no such session. */
    end: async (userId: string, sessionId: string): Promise<boolean> =>
      (await redis.hdel(keyOf(userId), `s:${sessionId}`)) === 1,

    /** Ends every session, and every one whose sign-in has begun before `now`. Gives how many there were. */
    endAll: async (userId: string, now: number, ttlMs: number, except = ''): Promise<number> =>
      Number(await run('sessionEndAll', userId, now, ttlMs, except)),

    /** Puts a session on a device, or tells what it has proved since. False when the session has ended. */
    setDevice: async (userId: string, sessionId: string, device: SessionDevice): Promise<boolean> =>
      (await run('sessionSetDevice', userId, sessionId, JSON.stringify(device))) === 1,

    /** Tells the sessions on a device what state it is in. */
    setDeviceState: (userId: string, deviceId: string, state: string): Promise<unknown> =>
      run('sessionsOfDevice', userId, deviceId, state),

    /** Ends the sessions on a device. Gives how many there were. */
    endOnDevice: async (userId: string, deviceId: string): Promise<number> =>
      Number(await run('sessionsOfDevice', userId, deviceId, '')),

    refresh: async (
      userId: string,
      sessionId: string,
      generation: number,
      now: number,
      graceMs: number,
    ): Promise<Refreshed> =>
      z
        .enum(['rotated', 'again', 'reused', 'gone'])
        .parse(await run('sessionRefresh', userId, sessionId, generation, now, graceMs)),

    /** Keeps what was read of the person; `hasChanged`: it is certain that nothing newer is known. */
    putUser: (
      userId: string,
      user: UserRecord,
      { hasChanged }: { hasChanged: boolean },
    ): Promise<unknown> =>
      run('sessionPutUser', userId, writeUser(seal, user), hasChanged ? 1 : 0, userFreshMs),
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;
