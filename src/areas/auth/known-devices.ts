import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { setCookieHeader } from '../../platform/http/cookies.ts';
import { knownDeviceCookie, maxDeviceTokens } from '../../platform/http/request-origin.ts';
import type { User } from '../users/store.ts';

const prefix = 'svcd_';
const form = /^svcd_[\w-]{48,192}$/;
const [timeBytes, idBytes, markBytes] = [4, 16, 16];
const mostMarks = 8;
const lifetimeMs = 180 * dayMs;

/** Who a device may have signed in as: a person, or one of the addresses and numbers that the person signs in with. */
export interface Subject {
  kind: 'user' | 'email' | 'phone';
  /** The person's id, or the key of the identity. */
  key: string;
}

interface Content {
  /** Seconds since 1970. */
  issuedAt: number;
  id: Buffer;
  marks: readonly Buffer[];
}

function read(token: string): Content | undefined {
  if (!form.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const marks = bytes.subarray(timeBytes + idBytes);
  if (marks.length === 0 || marks.length % markBytes !== 0) return undefined;
  return {
    issuedAt: bytes.readUInt32BE(0),
    id: bytes.subarray(timeBytes, timeBytes + idBytes),
    marks: Array.from({ length: marks.length / markBytes }, (_, at) =>
      marks.subarray(at * markBytes, (at + 1) * markBytes),
    ),
  };
}

/**
 * Devices that have signed in before, so that what strangers do to a lock does not lock out whom it protects (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies"). A token holds the device's id and one HMAC for each name of
 * its person: nobody can read from it whom it is for, and nobody can make one. It opens nothing. It only says whose tries
 * and messages are counted; the counts stand in Redis under its id, and so does from when on a name's tokens count, where
 * somebody has signed out everywhere. `key` has 32 bytes.
 */
export function createKnownDevices({
  key,
  clock,
  redis,
}: {
  key: Buffer;
  clock: Clock;
  redis: Redis;
}) {
  const hmac = (...parts: (string | number)[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  const markOf = (id: Buffer, issuedAt: number, { kind, key: name }: Subject): Buffer =>
    hmac('mark', id.toString('hex'), issuedAt, kind, name).subarray(0, markBytes);

  function isLive({ issuedAt }: Content): boolean {
    const ageMs = clock.now() - issuedAt * 1000;
    return ageMs < lifetimeMs && ageMs > -dayMs;
  }

  /** Where it is kept from when on tokens count for this name. */
  const forgottenKey = ({ kind, key: name }: Subject): string =>
    `known-devices:forgotten:${hmac('forgotten', kind, name).toString('base64url')}`;

  function contentFor(token: string, subject: Subject): Content | undefined {
    const content = read(token);
    if (content === undefined || !isLive(content)) return undefined;
    const mark = markOf(content.id, content.issuedAt, subject);
    return content.marks.some((each) => timingSafeEqual(each, mark)) ? content : undefined;
  }

  async function deviceFor(
    tokens: readonly string[] = [],
    subject: Subject,
  ): Promise<string | undefined> {
    const proved = tokens
      .map((token) => contentFor(token, subject))
      .filter((content) => content !== undefined);
    if (proved.length === 0) return undefined;
    const [at = '0', kept] = (await redis.get(forgottenKey(subject)))?.split(' ') ?? [];
    return proved
      .map(({ id, issuedAt }) => ({ id: id.toString('hex'), issuedAt }))
      .find(({ id, issuedAt }) => issuedAt > Number(at) || id === kept)?.id;
  }

  const deviceIdOf = (sessionId: string): Buffer => hmac('device', sessionId).subarray(0, idBytes);

  const subjectsOf = ({ id, identities }: Pick<User, 'id' | 'identities'>): Subject[] => [
    { kind: 'user', key: id },
    ...identities.flatMap(({ kind, key: name }): Subject[] =>
      kind === 'idp' ? [] : [{ kind, key: name }],
    ),
  ];

  /**
   * A token for the device that holds the session. The same session gives the same id: else whoever holds one could have
   * as many ids, and so as many tries, as they like.
   */
  function issue(user: Pick<User, 'id' | 'identities'>, sessionId: string): string {
    const id = deviceIdOf(sessionId);
    const issuedAt = Math.floor(clock.now() / 1000);
    const head = Buffer.alloc(timeBytes);
    head.writeUInt32BE(issuedAt);
    const marks = subjectsOf(user)
      .slice(0, mostMarks)
      .map((subject) => markOf(id, issuedAt, subject));
    return prefix + Buffer.concat([head, id, ...marks]).toString('base64url');
  }

  return {
    issue,

    /** The device that one of these tokens makes known for somebody; undefined for a stranger. Rejects when Redis is away. */
    deviceFor,

    /** The devices of a person are strangers from now on, except the one that holds this session: one of them may be stolen. */
    async forget(user: Pick<User, 'id' | 'identities'>, keptSessionId?: string): Promise<void> {
      const kept =
        keptSessionId === undefined ? '' : ` ${deviceIdOf(keptSessionId).toString('hex')}`;
      const since = `${Math.floor(clock.now() / 1000)}${kept}`;
      await Promise.all(
        subjectsOf(user).map((subject) =>
          redis.set(forgottenKey(subject), since, 'PX', lifetimeMs),
        ),
      );
    },

    /** The Set-Cookie header for a browser: its new token before those that it holds for other people. */
    cookieWith({
      token,
      userId,
      presented = [],
      isHttps,
    }: {
      token: string;
      userId: string;
      presented: readonly string[] | undefined;
      isHttps: boolean;
    }): string {
      const others = presented.filter(
        (each) =>
          read(each) !== undefined && contentFor(each, { kind: 'user', key: userId }) === undefined,
      );
      const value = [token, ...others].slice(0, maxDeviceTokens).join('.');
      return setCookieHeader(knownDeviceCookie(isHttps), value, {
        isHttps,
        maxAgeSeconds: lifetimeMs / 1000,
      });
    },
  };
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;
