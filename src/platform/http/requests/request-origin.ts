import bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieValues } from '../cookies.ts';
import { varyOn } from '../vary.ts';

/** Where a request that proves something comes from: for sessions and the audit log. */
export interface RequestOrigin {
  /** When the request began, Unix ms. */
  begun: number;
  /** Browser and system. */
  client: string;
  address: string;
  requestId: string;
  /** Tokens that claim an earlier sign-in of the device; none is verified yet. */
  deviceTokens?: readonly string[];
}

/** Who asks, for the audit log. */
export type RequestSource = Pick<RequestOrigin, 'address' | 'requestId' | 'deviceTokens'>;

/** The header by which an app shows its device token; browsers have a cookie. */
const deviceTokenHeader = 'device-token';
/** Of so many people one browser remembers that they have signed in. */
export const maxDeviceTokens = 3;
/** Browsers let nobody but this host, by https, write a `__Host-` cookie. */
export const knownDeviceCookie = (isHttps: boolean): string =>
  isHttps ? '__Host-svc_known' : 'svc_known';

const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text);

/** Browser and system in a few words, to recognise a session by: `Firefox on macOS`. */
export function clientName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'Unknown client';
  const { browser, os } = bowser.parse(userAgent.slice(0, 512));
  // Programs have no browser's name: curl/8.5.0 is curl.
  const name = nonEmpty(browser.name) ?? userAgent.split('/', 1).join('').slice(0, 40);
  const system = nonEmpty(os.name);
  return system === undefined ? name : `${name} on ${system}`;
}

/** A token that we have signed is as good from one place as from another: all are looked at. */
function deviceTokensOf({ headers }: FastifyRequest): string[] {
  const shown = [headers[deviceTokenHeader] ?? []].flat();
  const kept = [true, false].flatMap((isHttps) =>
    cookieValues(headers.cookie, knownDeviceCookie(isHttps)).slice(0, 1),
  );
  return [...shown, ...kept.flatMap((value) => value.split('.', maxDeviceTokens))].slice(
    0,
    2 * maxDeviceTokens,
  );
}

/** The origin of a request that is read at `now` (Unix ms). */
export function originOf(request: FastifyRequest, now: number): RequestOrigin {
  return {
    begun: now,
    // Only sessions need it, and to parse it costs more than all else of a request.
    get client() {
      return clientName(request.headers['user-agent']);
    },
    address: request.ip,
    requestId: request.id,
    get deviceTokens() {
      return deviceTokensOf(request);
    },
  };
}

/**
 * True when a browser opens the address as a page, so that it wants a page or a redirect and no
 * JSON. Whoever asks answers the two differently, so the reply says on what it depends: a cache
 * must not show the one to the other.
 */
export function isNavigation({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  varyOn(reply, 'accept', 'sec-fetch-mode');
  return headers['sec-fetch-mode'] === 'navigate' || /\btext\/html\b/i.test(headers.accept ?? '');
}
