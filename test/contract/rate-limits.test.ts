import type { RouteOptions } from 'fastify';
import { describe, expect } from 'vitest';
import { statedLimit } from '../../src/platform/http/limits/rate-limit.ts';
import { TestClient } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { methodsOf, type Target, nameOf, targetsOf } from './sweep/routes.ts';

/** The areas by the ids of their operations, and the least number of their routes. */
const areas = [
  ['the waitlist', /^waitlist/, 28],
  ['contact', /^(?:contact|savedReplies)/, 20],
  ['users and their accounts', /^(?:users|account|invitations)\./, 40],
  ['SCIM', /^scim\./, 11],
  ['QR codes', /^qr/, 22],
  ['NFC tags', /^nfc/, 18],
] as const;

/** What the guides promise: requests of one address in so many seconds. */
const promised = [
  ['waitlist.join', 10, 600],
  ['waitlist.join_by_form', 10, 600],
  ['waitlist.verify', 60, 300],
  ['contact.send', 30, 600],
  ['contact.send_form', 30, 600],
  ['contact.challenge', 60, 60],
  ['scim.list_users', 1800, 60],
  ['qr.open', 1200, 60],
  ['qr.enter_password', 30, 300],
  ['qr.draw', 60, 60],
  ['qrCodes.get_png', 300, 60],
] as const;

let hosts = 0;
const app = await sharedApp('limited');

/** No address is the beginning of another one. */
const newAddress = (): string => {
  hosts += 1;
  return `198.18.${100 + Math.floor(hosts / 100)}.${100 + (hosts % 100)}`;
};
const operationOf = ({ schema }: RouteOptions): string => schema?.operationId ?? '';
const routesOf = (pattern: RegExp): RouteOptions[] =>
  app.http.registeredRoutes.filter(
    (route) => pattern.test(operationOf(route)) && !methodsOf(route).includes('HEAD'),
  );

/** Sends a request as nobody in particular: it counts before anything else is looked at. */
const send = ({ method, url }: Target, from: string) =>
  new TestClient(app).send(method, url, undefined, { from });

/** Counts as many requests of an address as its limit allows. */
async function useUp(from: string, max: number): Promise<number> {
  const { redis } = app.stores;
  const keys = await redis.keys(`rate:*${from}*`);
  await Promise.all(keys.map((key) => redis.set(key, max, 'KEEPTTL')));
  return keys.length;
}

/** Returns what is wrong with the limit of a route. */
async function faultsOf(target: Target): Promise<string[]> {
  const limit = statedLimit(target.route.config?.rateLimit);
  if (limit === undefined) return [`${nameOf(target)} has no limit`];
  const [from, other] = [newAddress(), newAddress()];
  const first = await send(target, from);
  const counters = await useUp(from, limit.max);
  const refused = await send(target, from);
  const elsewhere = await send(target, other);
  const found = {
    limit: first.headers['ratelimit-limit'],
    left: first.headers['ratelimit-remaining'],
    counters,
    status: refused.status,
    waits: Number(refused.headers['retry-after']) > 0,
    endsInTime: Number(refused.headers['retry-after']) <= limit.seconds,
    isElsewhereRefused: elsewhere.status === 429,
  };
  const expected = {
    limit: String(limit.max),
    left: String(limit.max - 1),
    counters: 1,
    status: 429,
    waits: true,
    endsInTime: true,
    isElsewhereRefused: false,
  };
  return JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${nameOf(target)}: ${JSON.stringify(found)}`];
}

describe.each(areas)('each route of %s', (_area, pattern, count) => {
  it('is limited for one address, and for no other', async () => {
    // A script that caches keep has no limit, nor have the pages of people who are signed in.
    const targets = targetsOf(routesOf(pattern)).filter(
      ({ url }) => url !== '/waitlist.js' && !url.startsWith('/account'),
    );
    expect(targets.length).toBeGreaterThanOrEqual(count);
    expect((await Promise.all(targets.map(faultsOf))).flat()).toEqual([]);
  });
});

describe('the guides', () => {
  it.each(promised)('promise the limit of %s', (operation, max, seconds) => {
    const [route] = routesOf(new RegExp(`^${operation.replace('.', '\\.')}$`));
    expect(statedLimit(route?.config?.rateLimit)).toMatchObject({ max, seconds });
  });
});
