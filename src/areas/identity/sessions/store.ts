import type { Redis } from 'ioredis';
import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { memoize } from '../../../lib/memoize.ts';
import { createSeal, type Seal } from '../../../lib/secrets/seal.ts';
import type { Resources } from '../../../platform/resources.ts';
import {
  type SessionDevice,
  type SessionRecord,
  sessionRecord,
  type UserRecord,
  userRecord,
} from './records.ts';
import { sessionScripts } from './scripts.ts';

const RefreshOutcome = z.enum(['rotated', 'again', 'reused', 'gone']);
/** `again`: the token was rotated moments ago, so its successors are returned again. */
type RefreshOutcome = z.output<typeof RefreshOutcome>;

/** How long a cached user may be used before the database is read again. */
export const userFreshMs = minuteMs;

const cacheSize = 5000;

const keyOf = (userId: string) => `auth:{${userId}}`;

// Redis' cjson writes an empty list as {}.
const readSession = (text: string): SessionRecord =>
  Object.freeze(sessionRecord.parse(JSON.parse(text.replace('"amr":{}', '"amr":[]'))));

// `at` is outside the seal because the scripts compare it.
const sealedUser = z.object({ at: z.number(), sealed: z.string() });
const writeUser = (seal: Seal, user: UserRecord): string =>
  JSON.stringify({ at: user.at, sealed: seal.seal(JSON.stringify(user)) });

const unreadUser = JSON.stringify({ at: 0, sealed: '' });

/** Placeholder for a user that has not been read yet; its age forces a read at first use. */
const unknownUser: UserRecord = Object.freeze({
  at: 0,
  disabled: false,
  roles: [],
  name: null,
  picture: null,
  email: null,
  phone: null,
});

/** A record sealed with another AUTH_SECRET counts as unknown. */
function readUser(seal: Seal, text: string): UserRecord {
  const opened = seal.open(sealedUser.parse(JSON.parse(text)).sealed);
  return opened === undefined ? unknownUser : Object.freeze(userRecord.parse(JSON.parse(opened)));
}

type Args = (string | number)[];
type Command = (key: string, ...args: Args) => Promise<unknown>;
type Run = (name: keyof typeof sessionScripts, userId: string, ...args: Args) => Promise<unknown>;

function defineScripts(redis: Redis): Run {
  for (const [name, lua] of Object.entries(sessionScripts))
    redis.defineCommand(name, { numberOfKeys: 1, lua });
  return (name, userId, ...args) => {
    const command = Reflect.get(redis, name) as Command;
    return command.call(redis, keyOf(userId), ...args);
  };
}

/**
 * Sessions in Redis: hashes and salts instead of tokens, and user records sealed. Every method
 * rejects with Redis' error while Redis is unavailable.
 */
export function createSessionStore({ redis, keys }: Resources) {
  const seal = createSeal(keys('people'));
  const run = defineScripts(redis);
  const parseSession = memoize(readSession, cacheSize);
  const parseUser = memoize((text) => readUser(seal, text), cacheSize);
  return {
    /** A session and its user, in one round trip. */
    async read(
      userId: string,
      sessionId: string,
    ): Promise<{ session: SessionRecord; user: UserRecord } | undefined> {
      const [session, user] = await redis.hmget(keyOf(userId), `s:${sessionId}`, 'user');
      if (typeof session !== 'string' || typeof user !== 'string') return undefined;
      return { session: parseSession(session), user: parseUser(user) };
    },

    async list(userId: string): Promise<SessionRecord[]> {
      const fields = await redis.hgetall(keyOf(userId));
      return Object.entries(fields)
        .filter(([name]) => name.startsWith('s:'))
        .map(([, text]) => readSession(text));
    },

    /**
     * Stores a session and ends the oldest ones above `max`. Returns false when all of the user's
     * sessions were ended after `begun`. The user is read again at first use, because it may have
     * changed since the sign-in read it.
     */
    async create(
      userId: string,
      session: SessionRecord,
      { begun, max }: { begun: number; max: number },
    ): Promise<boolean> {
      const { id, created_at: now, expires_at: expiresAt } = session;
      const record = JSON.stringify(session);
      const args = [now, begun, id, record, unreadUser, max, expiresAt - now];
      return (await run('sessionCreate', userId, ...args)) === 1;
    },

    touch: (userId: string, sessionId: string, now: number): Promise<unknown> =>
      run('sessionTouch', userId, sessionId, now),

    /** Notes that the user has confirmed a session. False when it has ended. */
    confirm: async (
      userId: string,
      sessionId: string,
      now: number,
      { acr, amr }: Pick<SessionRecord, 'acr' | 'amr'>,
    ): Promise<boolean> =>
      (await run('sessionConfirm', userId, sessionId, now, acr, JSON.stringify(amr))) === 1,

    async refresh(
      userId: string,
      sessionId: string,
      generation: number,
      now: number,
      graceMs: number,
    ): Promise<RefreshOutcome> {
      const outcome = await run('sessionRefresh', userId, sessionId, generation, now, graceMs);
      return RefreshOutcome.parse(outcome);
    },

    /** Caches a user. With `hasChanged` it replaces the stored user even if that was read later. */
    putUser: (
      userId: string,
      user: UserRecord,
      { hasChanged }: { hasChanged: boolean },
    ): Promise<unknown> =>
      run('sessionPutUser', userId, writeUser(seal, user), hasChanged ? 1 : 0, userFreshMs),

    /** Returns false when there was no such session. */
    end: async (userId: string, sessionId: string): Promise<boolean> =>
      (await redis.hdel(keyOf(userId), `s:${sessionId}`)) === 1,

    /** Removes the cached user, once its sessions have ended. */
    forgetUser: (userId: string): Promise<unknown> => redis.hdel(keyOf(userId), 'user'),

    /** Ends all sessions, including those whose sign-in began before `now`. Returns the count. */
    endAll: async (userId: string, now: number, ttlMs: number, except = ''): Promise<number> =>
      Number(await run('sessionEndAll', userId, now, ttlMs, except)),

    /** Binds a session to a device, or updates the binding. False when the session has ended. */
    setDevice: async (userId: string, sessionId: string, device: SessionDevice): Promise<boolean> =>
      (await run('sessionSetDevice', userId, sessionId, JSON.stringify(device))) === 1,

    /** Copies the device's new state into its sessions. */
    setDeviceState: (userId: string, deviceId: string, state: string): Promise<unknown> =>
      run('sessionsOfDevice', userId, deviceId, state),

    /** Ends the sessions on a device. Returns the count. */
    endOnDevice: async (userId: string, deviceId: string): Promise<number> =>
      Number(await run('sessionsOfDevice', userId, deviceId, '')),
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;
