import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { inventory, me, openCookie, sqlContent } from '../../support/abuse.ts';
import { buildTestApp, type FreshApp } from '../../support/app.ts';

/** A route with values for its parameters. */
interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** Matches the path with any parameters. */
  pattern: RegExp;
  scope: string;
  hasBody: boolean;
  isPage: boolean;
}

const sign = /^\/(?:api\/auth|auth|api\/cmyk\/auth|login|signin|account)(?:\/|$)/;
const isPage = (url: string) => /^\/(?:login|signin|account)|\/cmyk$|\/setup\//.test(url);
const unsafe = ['POST', 'DELETE'];

let ahead = 0;
let app: FreshApp;
let routes: Route[];
beforeAll(async () => {
  app = await buildTestApp({ clock: { now: () => Date.now() + ahead } });
  await app.services.queues.start();
  // Webhooks accept any body, and are tested elsewhere.
  routes = app.http.registeredRoutes
    .filter(({ url }) => sign.test(url) && !url.includes('/webhooks/'))
    .flatMap(({ method, url, schema, config }) =>
      [method]
        .flat()
        .filter((each): each is Route['method'] => ['GET', ...unsafe].includes(each))
        .map((each) => ({
          method: each,
          url: url.replaceAll(/:\w+/g, '018f0000-0000-4000-8000-000000000009'),
          pattern: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`),
          scope: config?.scope ?? '',
          hasBody: schema?.body !== undefined,
          isPage: isPage(url),
        })),
    );
}, 30_000);
afterAll(() => app.close());

/** The methods allowed at a URL. */
const methodsAt = (url: string) =>
  new Set<string>(
    app.http.registeredRoutes
      .filter((route) => new RegExp(`^${route.url.replaceAll(/:\w+/g, '[^/]+')}$`).test(url))
      .flatMap(({ method }) => [method].flat())
      .filter((method) => method !== 'HEAD'),
  );

const own = () => routes.filter(({ scope }) => scope === 'signed-in' || scope === 'fresh');
const everything = async () => ({ ...(await inventory(app)), factors: await factors() });

/** The stored second factors and backup codes. */
async function factors(): Promise<string> {
  const content = await sqlContent(app);
  const tables = ['totp_factors', 'backup_codes', 'passkeys'];
  return tables.map((table) => content.get(table) ?? '').join('|');
}

async function send(
  { method, url, hasBody }: Pick<Route, 'method' | 'url' | 'hasBody'>,
  headers: Record<string, string>,
  payload: string | undefined = hasBody ? '{}' : undefined,
) {
  const response = await app.http.inject({
    method,
    url,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

it('covers routes with and without a session, and pages', () => {
  expect(routes.length).toBeGreaterThan(60);
  expect(new Set(routes.map(({ scope }) => scope))).toEqual(
    new Set(['public', 'signed-in', 'fresh', 'admin, approved device']),
  );
  expect(own().filter(({ isPage: page }) => page).length).toBeGreaterThan(5);
});

describe('every route that needs a session', () => {
  it('case 47 › refuses requests without a session, and changes nothing', async () => {
    const before = await everything();
    for (const route of own()) {
      for (const headers of [
        {},
        { cookie: 'svc_session=x' },
        { authorization: 'Bearer svca_x' },
        { authorization: 'Bearer test-admin-key-0123456789abcdef0123' },
      ]) {
        const {
          status,
          headers: responseHeaders,
          text,
        } = await send(route, { ...headers, origin: app.services.baseOrigin });
        if (route.isPage)
          expect({
            route,
            status,
            place: String(responseHeaders.location).replace(/\?.*/, ''),
          }).toEqual({
            route,
            status: 303,
            place: '/login',
          });
        else
          expect({
            route,
            status,
            challenge: String(responseHeaders['www-authenticate']).slice(0, 18),
          }).toEqual({ route, status: 401, challenge: 'Bearer realm="svc"' });
        expect(text).not.toMatch(/@example|svc[sar]_/);
      }
    }
    expect(await everything()).toEqual(before);
  });

  it('case 47 › with scope `fresh` requires a sign-in within the last five minutes', async () => {
    const { headers, userId } = await openCookie(app, 'routes.stale@example.com', Date.now());
    ahead = 5 * 60_000 + 1000;
    try {
      const before = await everything();
      for (const route of own().filter(({ scope }) => scope === 'fresh')) {
        const {
          status,
          headers: responseHeaders,
          text,
        } = await send(route, { ...headers, origin: app.services.baseOrigin });
        if (route.isPage)
          expect({ route, status, place: responseHeaders.location }).toEqual({
            route,
            status: 303,
            place: '/login?next=/account&reason=fresh',
          });
        else
          expect({
            route,
            status,
            isStepUp: text.includes('auth.step_up_required'),
            age: String(responseHeaders['www-authenticate']).includes('max_age=300'),
          }).toEqual({ route, status: 401, isStepUp: true, age: true });
      }
      expect(await everything()).toEqual(before);
      expect(await app.services.sessions.list(userId)).toHaveLength(1);
    } finally {
      ahead = 0;
    }
  });

  it("case 48 › refuses requests from other sites that carry the user's cookie", async () => {
    const { headers, userId } = await openCookie(app, 'routes.foreign@example.com');
    const before = await everything();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ];
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];
    const changingRoutes = routes.filter(
      ({ method, scope, isPage: page, url }) =>
        unsafe.includes(method) && (scope !== 'public' || (page && !url.includes('/setup/'))),
    );
    for (const route of changingRoutes) {
      for (const from of foreign) {
        for (const type of types) {
          const response = await send(
            route,
            { ...headers, ...from, 'content-type': type },
            type === 'application/json' ? '{}' : 'a=b',
          );
          expect({
            route,
            from,
            type,
            status: response.status,
            cookie: response.headers['set-cookie'],
          }).toEqual({ route, from, type, status: 403, cookie: undefined });
        }
      }
    }
    expect(await everything()).toEqual(before);
    expect((await me(app, headers)).status).toBe(200);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });

  it('case 34 › refuses tokens of another kind', async () => {
    const { secret, userId, bearer } = await withSecondFactor('routes.tokens@example.com');
    const due = await app.services.signIn.asBearer({
      identity: {
        kind: 'email',
        key: 'routes.tokens@example.com',
        value: 'routes.tokens@example.com',
      },
      amr: ['otp'],
      begun: Date.now(),
      client: 'test',
      address: '203.0.113.1',
      requestId: 'request-of-a-test',
    });
    const mfa = due.mfa_token ?? '';
    expect(mfa).toMatch(/^svcm_/);
    expect(secret).not.toBe('');
    const before = await everything();
    for (const route of own()) {
      for (const headers of [
        { authorization: `Bearer ${mfa}` },
        { cookie: `svc_session=${mfa}` },
        { authorization: `Bearer ${bearer.refreshToken}` },
        { cookie: `svc_session=${bearer.accessToken}` },
      ]) {
        expect({
          route,
          status: (await send(route, { ...headers, origin: app.services.baseOrigin })).status,
        }).toEqual({ route, status: route.isPage ? 303 : 401 });
      }
    }
    for (const token of [mfa, mfa.replace('svcm_', 'svcr_')]) {
      expect(
        await send(
          { method: 'POST', url: '/api/auth/token/refresh', hasBody: true },
          {},
          JSON.stringify({ refresh_token: token }),
        ),
      ).toMatchObject({ status: 400 });
    }
    for (const token of [
      bearer.accessToken,
      bearer.refreshToken,
      bearer.accessToken.replace('svca_', 'svcm_'),
    ]) {
      expect(
        await send(
          { method: 'POST', url: '/api/auth/otp/verify', hasBody: true },
          {},
          JSON.stringify({ mfa_token: token, code: '000000' }),
        ),
      ).toMatchObject({ status: 400 });
    }
    expect(await everything()).toEqual(before);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });
});

async function withSecondFactor(email: string) {
  const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
  const bearer = await app.services.sessions.openBearer(user, {
    amr: ['otp'],
    acr: 'aal1',
    begun: Date.now(),
    client: 'test',
  });
  const { secret } = await app.services.secondFactor.enrolTotp(user.id, email);
  await sql`update totp_factors set verified_at = now() where user_id = ${user.id}::uuid`.execute(
    app.stores.db,
  );
  return { userId: user.id, bearer, secret };
}

describe('every sign-in route', () => {
  it('case 37 › is never cached, with any credential and any outcome', async () => {
    const cookie = await openCookie(app, 'routes.cache@example.com');
    // An invalid set-up link looks like an unknown path, and so does the bypass outside
    // development.
    const cacheRoutes = routes.filter(({ url }) => !/\/(?:setup|dev)\//.test(url));
    for (const route of cacheRoutes.filter(({ method }) => method === 'GET')) {
      for (const headers of [
        {},
        cookie.headers,
        { authorization: 'Bearer svca_x' },
        { cookie: 'svc_session=x' },
      ]) {
        const { headers: responseHeaders } = await send(route, headers);
        const vary = String(responseHeaders.vary).toLowerCase();
        expect({
          route,
          headers,
          cache: responseHeaders['cache-control'],
          pragma: responseHeaders.pragma,
          cookie: vary.includes('cookie'),
          token: route.isPage || vary.includes('authorization'),
        }).toEqual({
          route,
          headers,
          cache: 'no-store',
          pragma: 'no-cache',
          cookie: true,
          token: true,
        });
      }
    }
    for (const route of cacheRoutes.filter(({ method }) => method !== 'GET')) {
      const { headers: responseHeaders } = await send(route, {}, '{"x":');
      expect({
        route,
        cache: responseHeaders['cache-control'],
        cookie: String(responseHeaders.vary).toLowerCase().includes('cookie'),
      }).toEqual({ route, cache: 'no-store', cookie: true });
    }
  });

  const bodies: Record<string, { payload: string | Buffer; headers?: Record<string, string> }> = {
    'a megabyte': { payload: JSON.stringify({ code: 'a'.repeat(1024 * 1024) }) },
    'ten thousand levels': { payload: `${'{"code":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
    'a prototype': { payload: '{"__proto__":{"code":"123456","polluted":true}}' },
    'no UTF-8': {
      payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    },
    'a gzip bomb': {
      payload: gzipSync(Buffer.alloc(20 * 1024 * 1024)),
      headers: { 'content-encoding': 'gzip' },
    },
  };

  it.each(Object.entries(bodies))(
    'case 55 › refuses %s quickly, also from signed-in users',
    async (_name, { payload, headers = {} }) => {
      const { headers: cookie } = await openCookie(app, 'routes.hostile@example.com');
      const before = await everything();
      for (const { method, url, isPage: page } of routes.filter(
        ({ hasBody: takes, method: each }) => takes && each === 'POST',
      )) {
        const types = page
          ? ['application/x-www-form-urlencoded', 'application/json']
          : ['application/json'];
        for (const type of types) {
          const times: number[] = [];
          for (let at = 0; at < 8 && (at === 0 || Math.min(...times) >= 50); at += 1) {
            const began = performance.now();
            const response = await app.http.inject({
              method,
              url,
              payload,
              headers: {
                ...cookie,
                origin: app.services.baseOrigin,
                'content-type': type,
                ...headers,
              },
            });
            times.push(performance.now() - began);
            // The body has no required members, so it is valid, but no provider is configured.
            const isAway = url.endsWith('/idp/initiate') && response.statusCode === 503;
            const isBack = page && response.statusCode === 303;
            expect({
              url,
              type,
              is: response.statusCode,
              isRefused:
                isAway || isBack || (response.statusCode >= 400 && response.statusCode < 500),
            }).toEqual({ url, type, is: response.statusCode, isRefused: true });
          }
          expect(Math.min(...times), url).toBeLessThan(50);
        }
      }
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(await everything()).toEqual(before);
      expect((await me(app, cookie)).status).toBe(200);
      await app.services.sessions.endAll(
        (await app.services.sessions.find(cookie.cookie.slice('svc_session='.length), 'cookie'))
          ?.userId ?? '',
      );
    },
  );

  it('case 56 › returns 405 with Allow for other methods, and changes nothing', async () => {
    const { headers } = await openCookie(app, 'routes.methods@example.com');
    const before = await everything();
    for (const url of new Set(routes.map((route) => route.url))) {
      const known = methodsAt(url);
      for (const path of [url, `${url}/`]) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
          if (known.has(method === 'HEAD' ? 'GET' : method)) continue;
          const response = await app.http.inject({
            method,
            url: path,
            headers: { ...headers, origin: app.services.baseOrigin },
          });
          const allowed = String(response.headers.allow)
            .split(', ')
            .filter((each) => each !== 'HEAD');
          expect({ path, method, status: response.statusCode, allowed: new Set(allowed) }).toEqual({
            path,
            method,
            status: 405,
            allowed: new Set([...known, 'OPTIONS']),
          });
        }
        if (known.has('OPTIONS')) continue;
        const options = await app.http.inject({
          method: 'OPTIONS',
          url: path,
          headers: {
            ...headers,
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
          },
        });
        expect({
          path,
          status: options.statusCode,
          cors: options.headers['access-control-allow-origin'],
        }).toEqual({ path, status: 204, cors: undefined });
      }
    }
    expect(await everything()).toEqual(before);
    expect((await me(app, headers)).status).toBe(200);
  });
});
