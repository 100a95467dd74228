import { minuteMs } from '../../../lib/durations.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { SessionResources } from './context.ts';
import { type SessionRecord, toUserRecord, type UserRecord } from './records.ts';
import { type SessionStore, userFreshMs } from './store.ts';
import { isLive, isOver, type SessionTokens } from './session-tokens.ts';
import { createSessionViews } from './views.ts';
import type { Session } from './service.ts';
import { readToken, type Token } from './tokens.ts';

const touchEveryMs = minuteMs;
const tokenCacheSize = 5000;

/** Finds the live session behind a token. Rejects with Redis' error while Redis is unavailable. */
export function createSessionLookup(
  { clock, findUser, noteSeen }: SessionResources,
  store: SessionStore,
  tokens: SessionTokens,
) {
  const parseToken = memoize(readToken, tokenCacheSize);
  const sessionOf = createSessionViews();

  return {
    /** The live session for the value of a session cookie, or for an access token. */
    async find(text: string, via: 'cookie' | 'bearer'): Promise<Session | undefined> {
      const token = parseToken(text);
      return token?.kind === (via === 'cookie' ? 'session' : 'access') ? check(token) : undefined;
    },

    /** A live session by its id. Does not count as use. */
    async peek(userId: string, sessionId: string): Promise<Session | undefined> {
      const found = await store.read(userId, sessionId);
      const now = clock.now();
      if (found === undefined || isOver(found.session, now)) return undefined;
      const user = await freshUser(userId, found.user, now);
      if (user === undefined || user.disabled) return undefined;
      return sessionOf(userId, found.session, user);
    },
  };

  async function freshUser(
    userId: string,
    cached: UserRecord,
    now: number,
  ): Promise<UserRecord | undefined> {
    // Absolute, because the clock may have been set back.
    if (Math.abs(now - cached.at) < userFreshMs) return cached;
    const user = await findUser(userId);
    if (user === undefined) return undefined;
    const record = toUserRecord(user, now);
    store.putUser(userId, record, { hasChanged: false }).catch(() => undefined);
    return record;
  }

  function noteUse(userId: string, session: SessionRecord, now: number): void {
    if (now - session.used_at < touchEveryMs) return;
    // Sampled and not awaited: losing it shortens the idle time by a minute.
    store.touch(userId, session.id, now).catch(() => undefined);
    noteSeen(userId).catch(() => undefined);
  }

  async function check(token: Token): Promise<Session | undefined> {
    const { userId, sessionId } = token;
    const found = await store.read(userId, sessionId);
    const now = clock.now();
    if (found === undefined) return undefined;
    if (!tokens.isAuthentic(token, found.session) || !isLive(token, found.session, now))
      return undefined;
    const user = await freshUser(userId, found.user, now);
    if (user === undefined || user.disabled) return undefined;
    noteUse(userId, found.session, now);
    return sessionOf(userId, found.session, user);
  }
}
