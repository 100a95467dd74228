import { createHmac, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../../../lib/durations.ts';
import { setCookieHeader } from '../../../platform/http/cookies.ts';
import {
  knownDeviceCookie,
  maxDeviceTokens,
} from '../../../platform/http/requests/request-origin.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { User } from '../users/model.ts';

const prefix = 'svcd_';
const pattern = /^svcd_[\w-]{48,192}$/;
const [timeBytes, idBytes, markBytes] = [4, 16, 16];
const maxMarks = 8;
const lifetimeMs = 180 * dayMs;

/** A user, or an address or number that a user signs in with. */
export interface Subject {
  kind: 'user' | 'email' | 'phone';
  /** The user's id, or the key of the identity. */
  key: string;
}

type Account = Pick<User, 'id' | 'identities'>;

interface DeviceToken {
  /** Unix time in seconds. */
  issuedAt: number;
  id: Buffer;
  /** One HMAC for each subject. */
  marks: readonly Buffer[];
}

function parse(token: string): DeviceToken | undefined {
  if (!pattern.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const marks = bytes.subarray(timeBytes + idBytes);
  if (marks.length === 0 || marks.length % markBytes !== 0) return undefined;
  return {
    issuedAt: bytes.readUInt32BE(0),
    id: bytes.subarray(timeBytes, timeBytes + idBytes),
    marks: Array.from({ length: marks.length / markBytes }, (_, index) =>
      marks.subarray(index * markBytes, (index + 1) * markBytes),
    ),
  };
}

const subjectsOf = ({ id, identities }: Account): Subject[] => [
  { kind: 'user', key: id },
  ...identities.flatMap(({ kind, key }): Subject[] => (kind === 'idp' ? [] : [{ kind, key }])),
];

function createMarks(key: Buffer) {
  const hmac = (...parts: (string | number)[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();

  return {
    markOf: (id: Buffer, issuedAt: number, { kind, key: name }: Subject): Buffer =>
      hmac('mark', id.toString('hex'), issuedAt, kind, name).subarray(0, markBytes),

    deviceIdOf: (sessionId: string): Buffer => hmac('device', sessionId).subarray(0, idBytes),

    /** The Redis key of the subject's revocation: when it happened, and the exempt device. */
    revocationKey: ({ kind, key: name }: Subject): string =>
      `known-devices:forgotten:${hmac('forgotten', kind, name).toString('base64url')}`,
  };
}

interface CookieContent {
  token: string;
  userId: string;
  /** Tokens that came with the request. */
  presented: readonly string[] | undefined;
  isHttps: boolean;
}

/**
 * Devices that have signed in before have attempt counters of their own, so that strangers can't
 * lock out an account's owner (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). A
 * token holds the device's id and an HMAC for each subject of its user, so it does not reveal the
 * user and can't be forged. It grants no access. When a user signs out everywhere, Redis stores the
 * time: older tokens of that user are revoked.
 */
export function createKnownDevices({
  clock,
  redis,
  keys,
}: Pick<Resources, 'clock' | 'redis' | 'keys'>) {
  const { markOf, deviceIdOf, revocationKey } = createMarks(keys('known-devices'));

  return {
    /**
     * A token for the device that holds the session. The id depends on the session, so that its
     * holder can't obtain more ids, and thus more attempts.
     */
    issue(user: Account, sessionId: string): string {
      const id = deviceIdOf(sessionId);
      const issuedAt = Math.floor(clock.now() / 1000);
      const head = Buffer.alloc(timeBytes);
      head.writeUInt32BE(issuedAt);
      const marks = subjectsOf(user)
        .slice(0, maxMarks)
        .map((subject) => markOf(id, issuedAt, subject));
      return prefix + Buffer.concat([head, id, ...marks]).toString('base64url');
    },

    /**
     * The Set-Cookie header with the new token, followed by those of the browser's other users.
     */
    cookieWith({ token, userId, presented = [], isHttps }: CookieContent): string {
      const others = presented.filter(
        (each) =>
          parse(each) !== undefined && verify(each, { kind: 'user', key: userId }) === undefined,
      );
      const value = [token, ...others].slice(0, maxDeviceTokens).join('.');
      const maxAgeSeconds = lifetimeMs / 1000;
      return setCookieHeader(knownDeviceCookie(isHttps), value, { isHttps, maxAgeSeconds });
    },

    /**
     * The id of the device that one of the tokens proves known for the subject; undefined for an
     * unknown device. Rejects while Redis is unavailable.
     */
    async deviceFor(tokens: readonly string[] = [], subject: Subject): Promise<string | undefined> {
      const verified = tokens
        .map((token) => verify(token, subject))
        .filter((token) => token !== undefined);
      if (verified.length === 0) return undefined;
      const [since = '0', exemptId] = (await redis.get(revocationKey(subject)))?.split(' ') ?? [];
      return verified
        .map(({ id, issuedAt }) => ({ id: id.toString('hex'), issuedAt }))
        .find(({ id, issuedAt }) => issuedAt > Number(since) || id === exemptId)?.id;
    },

    /** Revokes the tokens of the user's devices, except the one that holds `exceptSession`. */
    async forget(user: Account, exceptSession?: string): Promise<void> {
      const exempt =
        exceptSession === undefined ? '' : ` ${deviceIdOf(exceptSession).toString('hex')}`;
      const since = `${Math.floor(clock.now() / 1000)}${exempt}`;
      await Promise.all(
        subjectsOf(user).map((subject) =>
          redis.set(revocationKey(subject), since, 'PX', lifetimeMs),
        ),
      );
    },
  };

  function isLive({ issuedAt }: DeviceToken): boolean {
    const ageMs = clock.now() - issuedAt * 1000;
    return ageMs < lifetimeMs && ageMs > -dayMs;
  }

  function verify(text: string, subject: Subject): DeviceToken | undefined {
    const token = parse(text);
    if (token === undefined || !isLive(token)) return undefined;
    const expected = markOf(token.id, token.issuedAt, subject);
    return token.marks.some((mark) => timingSafeEqual(mark, expected)) ? token : undefined;
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;
