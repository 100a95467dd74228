import { describe, expect } from 'vitest';
import { methodTable, nameOf, type Target } from '../../../contract/sweep/routes.ts';
import {
  checkEach,
  createSweep,
  faultUnless,
  type Headers,
} from '../../../contract/sweep/sweep.ts';
import { me } from '../../../support/abuse.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { openBearer, openCookie, post, verifiedEmail } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { checkHostileBody, hostileBodies } from './hostile-bodies.ts';
import {
  everything,
  isOwn,
  isPage,
  isUnsafe,
  scopeOf,
  sendTo,
  signInTargets,
} from './sign-in-routes.ts';

let ahead = 0;
const app = await sharedApp('plain', { clock: { now: () => Date.now() + ahead } });
const sweep = createSweep(app);
const targets = signInTargets(sweep);
const origin = { origin: app.services.baseOrigin };

const own = (): Target[] => targets.filter(isOwn);

/** The methods in order, each once, but HEAD. */
const sorted = (methods: Iterable<string>): string[] =>
  [...new Set(methods)].filter((each) => each !== 'HEAD').sort();

/** Returns every pair of a target and a value. */
const pairs = <T>(list: readonly Target[], values: readonly T[]): [Target, T][] =>
  list.flatMap((target) => values.map((value): [Target, T] => [target, value]));

/** Expects that `check` finds no faults and changes no user, session, message or factor. */
/** The page of the account that leads to what is at a path. */
function accountPageOf(path: string): string {
  if (/^\/account\/(?:totp|backup-codes|passkeys)\b/.test(path)) return '/account/security';
  return /^\/account\/(?:delete|keep|export)\b/.test(path) ? '/account/data' : '/account';
}

async function expectUnchanged(check: () => Promise<string[]>): Promise<void> {
  const before = await everything(app);
  expect(await check()).toEqual([]);
  expect(await everything(app)).toEqual(before);
}

it('covers routes with and without a session, and pages', () => {
  expect(targets.length).toBeGreaterThan(60);
  expect(new Set(targets.map(scopeOf))).toEqual(
    new Set(['public', 'signed-in', 'fresh', 'admin, approved device']),
  );
  expect(own().filter(isPage).length).toBeGreaterThan(5);
});

describe('every route that needs a session', () => {
  it('case 47 › refuses requests without a session, and changes nothing', async () => {
    const credentials: Headers[] = [
      {},
      { cookie: 'svc_session=x' },
      { authorization: 'Bearer svca_x' },
      { authorization: 'Bearer test-admin-key-0123456789abcdef0123' },
    ];
    await expectUnchanged(() =>
      checkEach(pairs(own(), credentials), async ([target, credential]) => {
        const answer = await sendTo(sweep, target, { ...credential, ...origin });
        const { status, headers, body } = answer;
        const name = `${nameOf(target)} ${JSON.stringify(credential)}`;
        const place = headers.location?.replace(/\?.*/, '');
        const challenge = headers['www-authenticate']?.slice(0, 18);
        return [
          ...(isPage(target)
            ? faultUnless(name, { status, place }, { status: 303, place: '/login' })
            : faultUnless(
                name,
                { status, challenge },
                { status: 401, challenge: 'Bearer realm="svc"' },
              )),
          ...(/@example|svc[sar]_/.test(body) ? [`${name} names a user or a token`] : []),
        ];
      }),
    );
  });

  it('case 47 › with scope `fresh` requires a sign-in within the last five minutes', async () => {
    const { headers: cookie, userId } = await openCookie(app, 'routes.stale@example.com');
    ahead = 5 * 60_000 + 1000;
    try {
      const fresh = own().filter((target) => scopeOf(target) === 'fresh');
      expect(fresh.length).toBeGreaterThan(5);
      await expectUnchanged(() =>
        checkEach(fresh, async (target) => {
          const { status, headers, body } = await sendTo(sweep, target, { ...cookie, ...origin });
          if (isPage(target))
            return faultUnless(
              nameOf(target),
              { status, place: headers.location },
              { status: 303, place: `/login?next=${accountPageOf(target.url)}&reason=fresh` },
            );
          const isStepUp = body.includes('auth.step_up_required');
          const hasAge = headers['www-authenticate']?.includes('max_age=300');
          return faultUnless(
            nameOf(target),
            { status, isStepUp, hasAge },
            { status: 401, isStepUp: true, hasAge: true },
          );
        }),
      );
      expect(await app.services.sessions.list(userId)).toHaveLength(1);
    } finally {
      ahead = 0;
    }
  });

  it("case 48 › refuses requests from other sites that carry the user's cookie", async () => {
    const { headers, userId } = await openCookie(app, 'routes.foreign@example.com');
    const foreign: Headers[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ];
    const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];
    const sent = foreign.flatMap((from) =>
      types.map((type) => ({ ...from, 'content-type': type })),
    );
    const changing = targets.filter(
      (target) =>
        isUnsafe(target) &&
        (scopeOf(target) !== 'public' || (isPage(target) && !target.url.includes('/setup/'))),
    );
    expect(changing.length).toBeGreaterThan(30);
    await expectUnchanged(() =>
      checkEach(pairs(changing, sent), async ([target, from]) => {
        const payload = from['content-type'] === 'application/json' ? '{}' : 'a=b';
        const answer = await sendTo(sweep, target, { ...headers, ...from }, payload);
        return faultUnless(
          `${nameOf(target)} ${JSON.stringify(from)}`,
          { status: answer.status, cookie: answer.headers['set-cookie'] },
          { status: 403, cookie: undefined },
        );
      }),
    );
    expect((await me(app, headers)).status).toBe(200);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });

  it('case 34 › refuses tokens of another kind', async () => {
    const { secret, bearer, mfa } = await withSecondFactor('routes.tokens@example.com');
    expect(mfa).toMatch(/^svcm_/);
    expect(secret).not.toBe('');
    const tokens: Headers[] = [
      { authorization: `Bearer ${mfa}` },
      { cookie: `svc_session=${mfa}` },
      { authorization: `Bearer ${bearer.refreshToken}` },
      { cookie: `svc_session=${bearer.accessToken}` },
    ];
    await expectUnchanged(async () => {
      for (const token of [mfa, mfa.replace('svcm_', 'svcr_')])
        expect(await post(app, '/api/auth/token/refresh', { refresh_token: token })).toMatchObject({
          status: 400,
        });
      for (const token of [
        bearer.accessToken,
        bearer.refreshToken,
        bearer.accessToken.replace('svca_', 'svcm_'),
      ])
        expect(
          await post(app, '/api/auth/otp/verify', { mfa_token: token, code: '000000' }),
        ).toMatchObject({ status: 400 });
      return checkEach(pairs(own(), tokens), async ([target, token]) => {
        const { status } = await sendTo(sweep, target, { ...token, ...origin });
        const promised = { status: isPage(target) ? 303 : 401 };
        return faultUnless(`${nameOf(target)} ${JSON.stringify(token)}`, { status }, promised);
      });
    });
    expect(await app.services.sessions.list(bearer.userId)).toHaveLength(1);
  });
});

/** Creates a user with a second factor, an open session, and a sign-in that waits for it. */
async function withSecondFactor(email: string) {
  const bearer = await openBearer(app, email);
  const { secret } = await app.services.secondFactor.enrolTotp(bearer.userId, email);
  await app.stores.db
    .updateTable('totp_factors')
    .set({ verified_at: new Date() })
    .where('user_id', '=', bearer.userId)
    .execute();
  const { mfa_token: mfa } = await app.services.signIn.asBearer(verifiedEmail(email));
  return { bearer, secret, mfa: mfa ?? '' };
}

describe('every sign-in route', () => {
  // An invalid set-up link looks like an unknown path, and so does the bypass outside development.
  const answering = () => targets.filter(({ url }) => !/\/(?:setup|dev)\//.test(url));

  it('case 37 › is never cached, with any credential and any outcome', async () => {
    const cookie = await openCookie(app, 'routes.cache@example.com');
    const credentials: Headers[] = [
      {},
      cookie.headers,
      { authorization: 'Bearer svca_x' },
      { cookie: 'svc_session=x' },
    ];
    const reads = pairs(
      answering().filter((target) => !isUnsafe(target)),
      credentials,
    );
    const faults = await checkEach(reads, async ([target, credential]) => {
      const { headers, vary } = await sendTo(sweep, target, credential);
      return faultUnless(
        `${nameOf(target)} ${JSON.stringify(credential)}`,
        {
          cache: headers['cache-control'],
          pragma: headers.pragma,
          cookie: vary.includes('cookie'),
          token: isPage(target) || vary.includes('authorization'),
        },
        { cache: 'no-store', pragma: 'no-cache', cookie: true, token: true },
      );
    });
    const changes = await checkEach(answering().filter(isUnsafe), async (target) => {
      const { headers, vary } = await sendTo(sweep, target, {}, '{"x":');
      return faultUnless(
        nameOf(target),
        { cache: headers['cache-control'], cookie: vary.includes('cookie') },
        { cache: 'no-store', cookie: true },
      );
    });
    expect([...faults, ...changes]).toEqual([]);
  });

  it.each(Object.entries(hostileBodies))(
    'case 55 › refuses a body of %s before it costs work, also from signed-in users',
    async (_name, body) => {
      const { headers: cookie } = await openCookie(app, 'routes.hostile@example.com');
      await expectUnchanged(() => checkHostileBody(sweep, targets, { ...cookie, ...origin }, body));
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect((await me(app, cookie)).status).toBe(200);
    },
  );

  it('case 56 › returns 405 with Allow for other methods, and changes nothing', async () => {
    const { headers: cookie } = await openCookie(app, 'routes.methods@example.com');
    const methodsAt = methodTable(sweep.routes);
    const paths = [...new Set(targets.map(({ url }) => url))].flatMap((url) => [url, `${url}/`]);
    const wrong = paths.flatMap((url) =>
      (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
        .filter((method) => !methodsAt(url).has(method === 'HEAD' ? 'GET' : method))
        .map((method) => ({ method, url })),
    );
    await expectUnchanged(() =>
      checkEach(wrong, async ({ method, url }) => {
        const request = { method, url, headers: { ...cookie, ...origin } };
        const { status, headers, body } = await sweep.ask(request);
        return faultUnless(
          `${method} ${url}`,
          {
            status,
            allowed: sorted((headers.allow ?? '').split(', ')),
            hasBody: body !== '',
          },
          {
            status: 405,
            allowed: sorted([...methodsAt(url), 'OPTIONS']),
            hasBody: method !== 'HEAD',
          },
        );
      }),
    );
    expect((await me(app, cookie)).status).toBe(200);
  });

  it('lets no other origin call it by OPTIONS', async () => {
    const { headers: cookie } = await openCookie(app, 'routes.options@example.com');
    const methodsAt = methodTable(sweep.routes);
    const paths = [...new Set(targets.map(({ url }) => url))]
      .filter((url) => !methodsAt(url).has('OPTIONS'))
      .flatMap((url) => [url, `${url}/`]);
    await expectUnchanged(() =>
      checkEach(paths, async (url) => {
        const { status, headers } = await sweep.ask({
          method: 'OPTIONS',
          url,
          headers: {
            ...cookie,
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
          },
        });
        return faultUnless(
          `OPTIONS ${url}`,
          {
            status,
            allowed: sorted((headers.allow ?? '').split(', ')),
            cors: headers['access-control-allow-origin'],
          },
          { status: 204, allowed: sorted([...methodsAt(url), 'OPTIONS']), cors: undefined },
        );
      }),
    );
  });
});
