import { describe, expect } from 'vitest';
import type { RouteOptions } from 'fastify';
import { requestedContent } from '../support/abuse.ts';
import { TestClient } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { openBearer, openCookie } from '../support/sign-in.ts';
import { it } from '../support/test.ts';

const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

/** Who may not call admins' routes, and how they are refused. */
const refusals = [
  ['nobody in particular', 'anonymous', 401],
  ['somebody with a made-up key', 'madeUp', 401],
  ['a key that was revoked', 'revokedKey', 401],
  ['a key that only reads figures', 'readerKey', 403],
  ['a person without a role', 'person', 403],
  ['a viewer', 'viewer', 403],
  ['an admin on a device that is not approved', 'admin', 403],
  ['an admin whose account was disabled', 'disabledAdmin', 401],
] as const;
type Principal = (typeof refusals)[number][1];

/** The areas by the paths of their routes for admins, and the least number of these routes. */
const areas = [
  ['users', /^\/api\/v1\/users(?!\/me)/, 18],
  ['invitations', /^\/api\/v1\/invitations/, 5],
  ['SCIM', /^\/scim\//, 11],
  ['the contact inbox', /^\/api\/v1\/contact\//, 17],
  ['the waitlist', /^\/api\/v2\/waitlist\//, 15],
  ['QR codes', /^\/api\/v1\/qr-/, 21],
  ['NFC tags', /^\/api\/v1\/nfc\//, 17],
  ['status', /^\/api\/v1\/(?:status|incidents|maintenances|components|subscribers)/, 5],
  ['the other areas', /^/, 20],
] as const;

const app = await sharedApp();
const headersOf = await makePrincipals();

async function sessionWith(email: string, roles: readonly ('admin' | 'viewer')[]) {
  const { userId } = await openCookie(app, email);
  await app.services.users.setRoles(userId, roles);
  const { headers } = await openCookie(app, email);
  return { userId, headers };
}

async function makePrincipals(): Promise<Record<Principal, Record<string, string>>> {
  const { apiKeys, users } = app.services;
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const revoked = await apiKeys.create({ name: 'Revoked', scopes: ['admin'] });
  await apiKeys.revoke(revoked.id);
  const reader = await apiKeys.create({ name: 'Reader', scopes: ['analytics:read'] });
  const disabled = await sessionWith('disabled@example.com', ['admin']);
  await users.setDisabled(disabled.userId, true);
  return {
    anonymous: {},
    madeUp: bearer('svck_0123456789abcdefghijklmnopqrstuvwxyz'),
    revokedKey: bearer(revoked.key),
    readerKey: bearer(reader.key),
    person: (await openBearer(app, 'person@example.com')).bearer,
    viewer: (await sessionWith('viewer@example.com', ['viewer'])).headers,
    admin: (await sessionWith('admin@example.com', ['admin'])).headers,
    disabledAdmin: disabled.headers,
  };
}

/** What requests have stored, without the times at which people and keys were last seen. */
async function content(): Promise<Map<string, string>> {
  const rows = await requestedContent(app);
  for (const table of ['api_keys', 'users'])
    rows.set(table, (rows.get(table) ?? '').replaceAll(/"last_(?:used|seen)_at":[^,]*/g, ''));
  return rows;
}

const isForAdmins = ({ config }: RouteOptions): boolean =>
  config?.scope?.startsWith('admin') === true;

const isPage = ({ config }: RouteOptions): boolean => config?.errorPages !== undefined;

/** The area of a route: the first whose pattern fits. */
const areaOf = ({ url }: RouteOptions): string | undefined =>
  areas.find(([, pattern]) => pattern.test(url))?.[0];

/** A route that admins may call, with one of its methods. */
interface Target {
  route: RouteOptions;
  method: 'GET';
}

const targetsIn = (area: string): Target[] =>
  app.http.registeredRoutes
    .filter((route) => isForAdmins(route) && areaOf(route) === area)
    .flatMap((route) =>
      [route.method].flat().map((method) => ({ route, method: method as 'GET' })),
    );

/** Calls a route. Returns what is wrong with the refusal. */
async function faultOf({ route, method }: Target, principal: Principal, status: number) {
  const client = new TestClient(app).as({ origin: app.services.baseOrigin });
  const response = await client.send(
    method,
    route.url.replace(/:\w+/g, unknownId),
    ['GET', 'HEAD'].includes(method) ? undefined : { name: 'x' },
    { headers: headersOf[principal] },
  );
  // Pages also lead on: to the sign-in, or to the approval of a device. They take no keys.
  const isRefused = isPage(route)
    ? [303, 401, 403].includes(response.status)
    : response.status === status;
  const leaks = /@example|"data"/.test(response.text);
  return isRefused && !leaks ? [] : [{ method, url: route.url, status: response.status, leaks }];
}

describe.each(areas)('the routes of %s for admins', (area, _pattern, count) => {
  it.each(refusals)('refuse %s, and change nothing', async (_who, principal, status) => {
    const before = await content();
    const targets = targetsIn(area);
    const faults = await Promise.all(targets.map((target) => faultOf(target, principal, status)));
    expect(faults.flat()).toEqual([]);
    expect(targets.length).toBeGreaterThanOrEqual(count);
    expect(await content()).toEqual(before);
  });
});
