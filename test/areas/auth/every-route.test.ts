import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { inventory, me, openCookie, sqlContent } from '../../support/abuse.ts';
import { buildTestApp, type TestApp } from '../../support/app.ts';

/** A route of the service, with values in the place of its parameters. */
interface Door {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** What its address matches, parameters included. */
  pattern: RegExp;
  scope: string;
  hasBody: boolean;
  isPage: boolean;
}

const sign = /^\/(?:api\/auth|auth|api\/cmyk\/auth|login|signin|account)(?:\/|$)/;
const isPage = (url: string) => /^\/(?:login|signin|account)|\/cmyk$|\/setup\//.test(url);
const unsafe = ['POST', 'DELETE'];

let ahead = 0;
let app: TestApp;
let doors: Door[];
beforeAll(async () => {
  app = await buildTestApp({ clock: { now: () => Date.now() + ahead } });
  await app.services.queues.start();
  // The webhook's body is anything, and it has tests of its own.
  doors = app.http.registeredRoutes
    .filter(({ url }) => sign.test(url) && !url.includes('/webhooks/'))
    .flatMap(({ method, url, schema, config }) =>
      [method]
        .flat()
        .filter((each): each is Door['method'] => ['GET', ...unsafe].includes(each))
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

/** Every method that is answered at an address. */
const methodsAt = (url: string) =>
  new Set<string>(
    app.http.registeredRoutes
      .filter((route) => new RegExp(`^${route.url.replaceAll(/:\w+/g, '[^/]+')}$`).test(url))
      .flatMap(({ method }) => [method].flat())
      .filter((method) => method !== 'HEAD'),
  );

const own = () => doors.filter(({ scope }) => scope === 'signed-in' || scope === 'fresh');
const everything = async () => ({ ...(await inventory(app)), factors: await factors() });

/** Second factors and backup codes, as they are. */
async function factors(): Promise<string> {
  const content = await sqlContent(app);
  return `${content.get('totp_factors') ?? ''}|${content.get('backup_codes') ?? ''}|${content.get('passkeys') ?? ''}`;
}

async function knock(
  { method, url, hasBody }: Pick<Door, 'method' | 'url' | 'hasBody'>,
  headers: Record<string, string>,
  payload: string | undefined = hasBody ? '{}' : undefined,
) {
  const answer = await app.http.inject({
    method,
    url,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

it('there are doors of every kind', () => {
  expect(doors.length).toBeGreaterThan(60);
  expect(new Set(doors.map(({ scope }) => scope))).toEqual(
    new Set(['public', 'signed-in', 'fresh', 'admin, cleared device']),
  );
  expect(own().filter(({ isPage: page }) => page).length).toBeGreaterThan(5);
});

describe('every route about a person', () => {
  it('case 47 › is closed without a session, with a made-up one and with the admin key, and nothing happens', async () => {
    const before = await everything();
    for (const door of own()) {
      for (const headers of [
        {},
        { cookie: 'svc_session=x' },
        { authorization: 'Bearer svca_x' },
        { authorization: 'Bearer test-admin-key-0123456789abcdef0123' },
      ]) {
        const {
          status,
          headers: answered,
          text,
        } = await knock(door, { ...headers, origin: app.services.baseOrigin });
        if (door.isPage)
          expect({ door, status, place: String(answered.location).replace(/\?.*/, '') }).toEqual({
            door,
            status: 303,
            place: '/login',
          });
        else
          expect({
            door,
            status,
            challenge: String(answered['www-authenticate']).slice(0, 18),
          }).toEqual({ door, status: 401, challenge: 'Bearer realm="svc"' });
        expect(text).not.toMatch(/@example|svc[sar]_/);
      }
    }
    expect(await everything()).toEqual(before);
  });

  it('case 47 › that changes who gets in wants a sign-in of the last five minutes', async () => {
    const { headers, userId } = await openCookie(app, 'routes.stale@example.com', Date.now());
    ahead = 5 * 60_000 + 1000;
    try {
      const before = await everything();
      for (const door of own().filter(({ scope }) => scope === 'fresh')) {
        const {
          status,
          headers: answered,
          text,
        } = await knock(door, { ...headers, origin: app.services.baseOrigin });
        if (door.isPage)
          expect({ door, status, place: answered.location }).toEqual({
            door,
            status: 303,
            place: '/login?next=/account&reason=fresh',
          });
        else
          expect({
            door,
            status,
            isStepUp: text.includes('auth.step_up_required'),
            age: String(answered['www-authenticate']).includes('max_age=300'),
          }).toEqual({ door, status: 401, isStepUp: true, age: true });
      }
      expect(await everything()).toEqual(before);
      expect(await app.services.sessions.list(userId)).toHaveLength(1);
    } finally {
      ahead = 0;
    }
  });

  it("case 48 › is closed to pages of other sites that bring the person's cookie", async () => {
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
    const doorsToKnock = doors.filter(
      ({ method, scope, isPage: page, url }) =>
        unsafe.includes(method) && (scope !== 'public' || (page && !url.includes('/setup/'))),
    );
    for (const door of doorsToKnock) {
      for (const from of foreign) {
        for (const type of types) {
          const answer = await knock(
            door,
            { ...headers, ...from, 'content-type': type },
            type === 'application/json' ? '{}' : 'a=b',
          );
          expect({
            door,
            from,
            type,
            status: answer.status,
            cookie: answer.headers['set-cookie'],
          }).toEqual({ door, from, type, status: 403, cookie: undefined });
        }
      }
    }
    expect(await everything()).toEqual(before);
    expect((await me(app, headers)).status).toBe(200);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });

  it('case 34 › takes no token of another kind', async () => {
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
    for (const door of own()) {
      for (const headers of [
        { authorization: `Bearer ${mfa}` },
        { cookie: `svc_session=${mfa}` },
        { authorization: `Bearer ${bearer.refreshToken}` },
        { cookie: `svc_session=${bearer.accessToken}` },
      ]) {
        expect({
          door,
          status: (await knock(door, { ...headers, origin: app.services.baseOrigin })).status,
        }).toEqual({ door, status: door.isPage ? 303 : 401 });
      }
    }
    for (const token of [mfa, mfa.replace('svcm_', 'svcr_')]) {
      expect(
        await knock(
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
        await knock(
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

describe('every route of sign-in', () => {
  it('case 37 › gives nothing to a cache, whoever asks and whatever comes of it', async () => {
    const cookie = await openCookie(app, 'routes.cache@example.com');
    // A set-up link that is not valid looks like a path that is none, and so does the bypass
    // outside development.
    const asked = doors.filter(({ url }) => !/\/(?:setup|dev)\//.test(url));
    for (const door of asked.filter(({ method }) => method === 'GET')) {
      for (const headers of [
        {},
        cookie.headers,
        { authorization: 'Bearer svca_x' },
        { cookie: 'svc_session=x' },
      ]) {
        const { headers: answered } = await knock(door, headers);
        const vary = String(answered.vary).toLowerCase();
        expect({
          door,
          headers,
          cache: answered['cache-control'],
          pragma: answered.pragma,
          cookie: vary.includes('cookie'),
          token: door.isPage || vary.includes('authorization'),
        }).toEqual({
          door,
          headers,
          cache: 'no-store',
          pragma: 'no-cache',
          cookie: true,
          token: true,
        });
      }
    }
    for (const door of asked.filter(({ method }) => method !== 'GET')) {
      const { headers: answered } = await knock(door, {}, '{"x":');
      expect({
        door,
        cache: answered['cache-control'],
        cookie: String(answered.vary).toLowerCase().includes('cookie'),
      }).toEqual({ door, cache: 'no-store', cookie: true });
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
    'case 55 › refuses %s at once, also from somebody who is signed in',
    async (_name, { payload, headers = {} }) => {
      const { headers: cookie } = await openCookie(app, 'routes.hostile@example.com');
      const before = await everything();
      for (const { method, url, isPage: page } of doors.filter(
        ({ hasBody: takes, method: each }) => takes && each === 'POST',
      )) {
        const types = page
          ? ['application/x-www-form-urlencoded', 'application/json']
          : ['application/json'];
        for (const type of types) {
          const times: number[] = [];
          for (let at = 0; at < 8 && (at === 0 || Math.min(...times) >= 50); at += 1) {
            const began = performance.now();
            const answer = await app.http.inject({
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
            // Where nothing has to be given, what is left is a body like any other, and there is no
            // provider to go to.
            const isAway = url.endsWith('/idp/initiate') && answer.statusCode === 503;
            const isBack = page && answer.statusCode === 303;
            expect({
              url,
              type,
              is: answer.statusCode,
              isRefused: isAway || isBack || (answer.statusCode >= 400 && answer.statusCode < 500),
            }).toEqual({ url, type, is: answer.statusCode, isRefused: true });
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

  it('case 56 › answers other methods with 405 and Allow, and does nothing', async () => {
    const { headers } = await openCookie(app, 'routes.methods@example.com');
    const before = await everything();
    for (const url of new Set(doors.map((door) => door.url))) {
      const known = methodsAt(url);
      for (const path of [url, `${url}/`]) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
          if (known.has(method === 'HEAD' ? 'GET' : method)) continue;
          const answer = await app.http.inject({
            method,
            url: path,
            headers: { ...headers, origin: app.services.baseOrigin },
          });
          const allowed = String(answer.headers.allow)
            .split(', ')
            .filter((each) => each !== 'HEAD');
          expect({ path, method, status: answer.statusCode, allowed: new Set(allowed) }).toEqual({
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
