import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { cookieAttributes } from '../../lib/cookie-header.ts';
import { knownDeviceCookie, mostDeviceTokens } from '../../platform/request-origin.ts';
import type { User } from '../users/store.ts';

const prefix = 'svcd_';
const form = /^svcd_[\w-]{48,192}$/;
const [timeBytes, idBytes, markBytes] = [4, 16, 16];
const mostMarks = 8;
const dayMs = 86_400_000;
const lifetimeMs = 180 * dayMs;

/** Who a device may have signed in as: a person, or one of the addresses and numbers that the person signs in with. */
export interface Subject {
  kind: 'user' | 'email' | 'phone';
  /** The person's id, or the key of the identity. */
  key: string;
}

interface Content {
  /** Minutes since 1970. */
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
    issuedAt: bytes.readUInt32BE(0), id: bytes.subarray(timeBytes, timeBytes + idBytes),
    marks: Array.from({ length: marks.length / markBytes }, (_, at) => marks.subarray(at * markBytes, (at + 1) * markBytes)),
  };
}

/**
 * Devices that have signed in before, so that what strangers do to a lock does not lock out whom it protects (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies"). A token holds the device's id and one HMAC for each name of
 * its person: nobody can read from it whom it is for, and nobody can make one. It opens nothing. It only says whose tries
 * and messages are counted; the counts stand in Redis under its id. `key` has 32 bytes.
 */
export function createKnownDevices({ key, clock }: { key: Buffer; clock: Clock }) {
  const hmac = (...parts: (string | number)[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  const markOf = (id: Buffer, issuedAt: number, { kind, key: name }: Subject): Buffer =>
    hmac('mark', id.toString('hex'), issuedAt, kind, name).subarray(0, markBytes);

  function isLive({ issuedAt }: Content): boolean {
    const ageMs = clock.now() - issuedAt * 60_000;
    return ageMs < lifetimeMs && ageMs > -dayMs;
  }

  function idFor(token: string, subject: Subject): string | undefined {
    const content = read(token);
    if (content === undefined || !isLive(content)) return undefined;
    const mark = markOf(content.id, content.issuedAt, subject);
    return content.marks.some((each) => timingSafeEqual(each, mark)) ? content.id.toString('hex') : undefined;
  }

  const deviceFor = (tokens: readonly string[] = [], subject: Subject): string | undefined =>
    tokens.map((token) => idFor(token, subject)).find((id) => id !== undefined);

  /**
   * A token for the device that holds the session. The same session gives the same id: else whoever holds one could have
   * as many ids, and so as many tries, as they like.
   */
  function issue({ id: userId, identities }: Pick<User, 'id' | 'identities'>, sessionId: string): string {
    const id = hmac('device', sessionId).subarray(0, idBytes);
    const issuedAt = Math.floor(clock.now() / 60_000);
    const reached = identities.flatMap(({ kind, key: name }): Subject[] => (kind === 'idp' ? [] : [{ kind, key: name }]));
    const subjects: Subject[] = [{ kind: 'user', key: userId }, ...reached];
    const head = Buffer.alloc(timeBytes);
    head.writeUInt32BE(issuedAt);
    const marks = subjects.slice(0, mostMarks).map((subject) => markOf(id, issuedAt, subject));
    return prefix + Buffer.concat([head, id, ...marks]).toString('base64url');
  }

  return {
    issue,

    /** The device that one of these tokens makes known for somebody; undefined for a stranger. */
    deviceFor,

    /** The Set-Cookie header for a browser: its new token before those that it holds for other people. */
    cookieWith({ token, userId, presented = [], isHttps }: { token: string; userId: string; presented: readonly string[] | undefined; isHttps: boolean }): string {
      const others = presented.filter((each) => read(each) !== undefined && idFor(each, { kind: 'user', key: userId }) === undefined);
      const value = [token, ...others].slice(0, mostDeviceTokens).join('.');
      return `${knownDeviceCookie(isHttps)}=${value}; ${cookieAttributes(isHttps)}; Max-Age=${lifetimeMs / 1000}`;
    },
  };
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;
