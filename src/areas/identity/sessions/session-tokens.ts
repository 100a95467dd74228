import type { Clock } from '../../../lib/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';
import { memoizeByObject } from '../../../lib/memoize.ts';
import type { SessionRecord } from './records.ts';
import {
  createTokenSecrets,
  isSecret,
  secretHash,
  type Token,
  type TokenKind,
  writeToken,
} from './tokens.ts';

/** Lifetimes in ms; NIST SP 800-63B-4 §2.1.3 and §2.2.3, RFC 9700 §4.14. */
export const lifetimes = {
  cookie: dayMs,
  cookieIdle: hourMs,
  access: 15 * minuteMs,
  refresh: 30 * dayMs,
  refreshGrace: 30_000,
};

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
  refreshExpiresIn: number;
  sessionId: string;
  /** Bound to a key that each request has to prove (RFC 9449). */
  isBound: boolean;
}

const secondsUntil = (time: number, now: number): number =>
  Math.max(0, Math.ceil((time - now) / 1000));

/** Whether the session has expired, or was idle for too long. */
export const isOver = (session: SessionRecord, now: number): boolean =>
  now >= session.expires_at || now >= session.used_at + session.idle_ms;

/** When the access tokens issued at `issuedAt` expire, Unix ms. */
export const accessExpiry = (issuedAt: number): number => issuedAt + lifetimes.access;

/** An access token outlives its rotation: it stays valid for its full lifetime. */
function isAccessLive({ generation }: Token, session: SessionRecord, now: number): boolean {
  if (generation === session.generation) return now < accessExpiry(session.issued_at);
  return generation === session.generation - 1 && now < accessExpiry(session.previous_issued_at);
}

/** Whether the token may still be used for its session. */
export const isLive = (token: Token, session: SessionRecord, now: number): boolean =>
  !isOver(session, now) && (token.kind === 'session' || isAccessLive(token, session, now));

/** Issues the tokens of bearer sessions and checks all session tokens. `key` has 32 bytes. */
export function createSessionTokens(key: Buffer, clock: Clock) {
  const secrets = createTokenSecrets(key);
  const hashOf = memoizeByObject(({ secret }: Token) => secretHash(secret));

  function write(
    kind: TokenKind,
    userId: string,
    { id, secret: salt }: SessionRecord,
    generation: number,
  ): string {
    const secret = secrets.of(kind, id, generation, salt);
    return writeToken({ kind, userId, sessionId: id, generation, secret });
  }

  return {
    /** The tokens of a generation; the same generation always gives the same tokens. */
    issue(userId: string, session: SessionRecord, generation: number, issuedAt: number): Tokens {
      const now = clock.now();
      return {
        accessToken: write('access', userId, session, generation),
        refreshToken: write('refresh', userId, session, generation),
        expiresIn: secondsUntil(accessExpiry(issuedAt), now),
        refreshExpiresIn: secondsUntil(session.expires_at, now),
        sessionId: session.id,
        isBound: session.device != null && session.device.jkt !== null,
      };
    },

    /** Whether we issued the token for this session. */
    isAuthentic(token: Token, { via, secret }: SessionRecord): boolean {
      // A cookie has one valid encoding: the part its secret does not cover is zero.
      if (token.kind === 'session')
        return via === 'cookie' && token.generation === 0 && isSecret(hashOf(token), secret);
      return via === 'bearer' && secrets.isOurs(token, secret);
    },
  };
}

export type SessionTokens = ReturnType<typeof createSessionTokens>;
