import bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { memoize } from '../../../lib/memoize.ts';
import { namesType } from '../../../lib/net/accept.ts';
import { cookieValues } from '../cookies.ts';
import { varyOn } from '../vary.ts';

/** The origin of an authenticating request, for sessions and the audit log. */
export interface RequestOrigin {
  /** When the request started, Unix ms. */
  begun: number;
  /** Browser and operating system. */
  client: string;
  address: string;
  requestId: string;
  /** Unverified tokens that claim an earlier sign-in of the device. */
  deviceTokens?: readonly string[];
}

/** The source of a request, for the audit log. */
export type RequestSource = Pick<RequestOrigin, 'address' | 'requestId' | 'deviceTokens'>;

/** The header with an app's device token. Browsers use a cookie. */
const deviceTokenHeader = 'device-token';
/** Maximum number of users that one browser is remembered for. */
export const maxDeviceTokens = 3;
/** Browsers accept a `__Host-` cookie only from this host over HTTPS. */
export const knownDeviceCookie = (isHttps: boolean): string =>
  isHttps ? '__Host-svc_known' : 'svc_known';

const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text);

/** Memoized: parsing a user agent costs more than the rest of a request. */
const parsedAgent = memoize((userAgent) => {
  const { browser, os } = bowser.parse(userAgent);
  // Other clients have no browser name: curl/8.5.0 becomes curl.
  const name = nonEmpty(browser.name) ?? userAgent.split('/', 1).join('').slice(0, 40);
  const system = nonEmpty(os.name);
  return { client: system === undefined ? name : `${name} on ${system}` };
}, 1000);

/** Returns browser and operating system, to recognise a session by: `Firefox on macOS`. */
export function clientName(userAgent = ''): string {
  return userAgent.trim() === '' ? 'Unknown client' : parsedAgent(userAgent.slice(0, 512)).client;
}

/**
 * Collects the device tokens of the header and of both cookies. They are signed, so the source does
 * not matter.
 */
function deviceTokensOf({ headers }: FastifyRequest): string[] {
  const fromHeader = [headers[deviceTokenHeader] ?? []].flat();
  const fromCookies = [true, false].flatMap((isHttps) =>
    cookieValues(headers.cookie, knownDeviceCookie(isHttps)).slice(0, 1),
  );
  return [
    ...fromHeader,
    ...fromCookies.flatMap((value) => value.split('.', maxDeviceTokens)),
  ].slice(0, 2 * maxDeviceTokens);
}

/** Returns the origin of a request received at `now` (Unix ms). */
export function originOf(request: FastifyRequest, now: number): RequestOrigin {
  return {
    begun: now,
    client: clientName(request.headers['user-agent']),
    address: request.ip,
    requestId: request.id,
    deviceTokens: deviceTokensOf(request),
  };
}

/**
 * True when a browser navigates to the URL and expects a page or a redirect instead of JSON. Adds
 * Vary to the reply, so that a cache does not mix up the two responses.
 */
export function isNavigation({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  varyOn(reply, 'accept', 'sec-fetch-mode');
  return headers['sec-fetch-mode'] === 'navigate' || namesType(headers.accept, 'text/html');
}
