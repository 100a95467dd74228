import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionCookieValues } from '../../../src/areas/auth/cookies.ts';
import { me } from '../../support/abuse.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { codeFor, openCookie } from '../../support/sign-in.ts';
import { carriedBy, submit } from '../../surfaces/pages/support.ts';

const base = 'https://svc.example';
const own = { origin: base };
let app: FreshApp;
let victim: Awaited<ReturnType<typeof openCookie>>;
let attacker: Awaited<ReturnType<typeof openCookie>>;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: base } });
  await app.services.queues.start();
  victim = await openCookie(app, 'cookies.victim@example.com');
  attacker = await openCookie(app, 'cookies.attacker@example.com');
}, 30_000);
afterAll(() => app.close());

const emailOf = async (cookie: string): Promise<unknown> => (await me(app, { cookie })).body.email;
const plain = (...values: string[]) => values.map((value) => `svc_session=${value}`).join('; ');
/** A well-formed value that belongs to no session. */
const madeUp = (letter: string) => `svcs_${letter.repeat(90)}A`;

async function signInAt(
  where: FreshApp,
  email: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const sent = await submit(where, '/login', { identifier: email }, headers);
  const done = await submit(
    where,
    '/login/code',
    { ...carriedBy(sent.body, '/login/code'), code: await codeFor(where, email) },
    headers,
  );
  return [done.headers['set-cookie'] ?? []].flat();
}

describe('a cookie of another host', () => {
  it('neither ends nor replaces the real session, in any order', async () => {
    const real = `__Host-svc_session=${victim.cookie}`;
    for (const planted of [
      plain('x'),
      plain(''),
      plain(madeUp('A')),
      plain(attacker.cookie),
      plain(attacker.cookie, madeUp('B'), 'y', attacker.cookie),
    ]) {
      for (const cookie of [
        `${real}; ${planted}`,
        `${planted}; ${real}`,
        `${planted}; ${real}; ${plain(victim.cookie)}`,
      ]) {
        expect({ cookie, email: await emailOf(cookie) }).toEqual({
          cookie,
          email: 'cookies.victim@example.com',
        });
      }
    }
  });

  it("does not pass as the __Host- cookie behind a space that browsers don't trim", async () => {
    for (const cookie of [
      `\u00a0__Host-svc_session=${attacker.cookie}; ${plain(victim.cookie)}`,
      `x=y;\u00a0__Host-svc_session=${attacker.cookie}; ${plain(victim.cookie)}`,
    ]) {
      expect(await emailOf(cookie)).toBe('cookies.victim@example.com');
    }
    expect(await emailOf(`x=y;\t __Host-svc_session=${victim.cookie} ;z=1`)).toBe(
      'cookies.victim@example.com',
    );
  });

  it('is skipped if only the plain name is sent', async () => {
    expect(await emailOf(plain(madeUp('A'), 'x', victim.cookie))).toBe(
      'cookies.victim@example.com',
    );
    expect(await emailOf(plain(victim.cookie, madeUp('A')))).toBe('cookies.victim@example.com');
  });
});

describe('many cookies', () => {
  it('cost at most four lookups, one for each value', async () => {
    expect(sessionCookieValues(plain('a', 'b', 'c', 'd', 'e'))).toEqual(['a', 'b', 'c', 'd']);
    expect(
      sessionCookieValues(`${plain('a', 'a', 'b')}; __Host-svc_session=c; __Host-svc_session=a`),
    ).toEqual(['c', 'a', 'b']);
    expect(sessionCookieValues('other=1')).toEqual([]);
    expect(sessionCookieValues(undefined)).toEqual([]);
    expect(
      (await me(app, { cookie: plain(...['a', 'b', 'c', 'd'].map(madeUp), victim.cookie) })).status,
    ).toBe(401);
  });

  it('return 401 and clear both names if all are invalid', async () => {
    const response = await app.http.inject({
      url: '/api/auth/me',
      headers: { cookie: `__Host-svc_session=x; ${plain('y', 'z')}` },
    });
    expect(response.statusCode).toBe(401);
    expect(response.headers['set-cookie']).toEqual(
      ['__Host-svc_session', 'svc_session'].map(
        (name) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
      ),
    );
  });
});

describe('a browser', () => {
  it('gets both names over https, each valid alone, and sign-out clears both', async () => {
    const cookies = await signInAt(app, 'cookies.browser@example.com', own);
    const [first = '', second = '', ...others] = cookies;
    const [pair, ...attributes] = first.split('; ');
    expect(pair).toMatch(/^__Host-svc_session=svcs_[\w-]{91}$/);
    expect(attributes).toEqual([
      'Path=/',
      expect.stringMatching(/^Expires=[^;]+ GMT$/),
      'HttpOnly',
      'Secure',
      'SameSite=Lax',
    ]);
    expect(second).toBe(first.replace('__Host-', ''));
    expect(others).toEqual([expect.stringMatching(/^__Host-svc_known=/)]);
    for (const header of [first, second])
      expect(await emailOf(header.split(';', 1).join(''))).toBe('cookies.browser@example.com');

    const both = [first, second].map((header) => header.split(';', 1).join('')).join('; ');
    const left = await app.http.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { ...own, cookie: `${both}; ${plain('planted')}` },
    });
    expect(left.json()).toMatchObject({ session_revoked: true, cookie_cleared: true });
    const cleared = ['__Host-svc_session', 'svc_session'].map(
      (name) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    expect(left.headers['set-cookie']).toEqual(cleared);
    expect((await me(app, { cookie: both })).status).toBe(401);
  });

  it('gets both names again at a new sign-in, which ends the old sessions', async () => {
    const under = {
      host: await openCookie(app, 'cookies.again@example.com'),
      plain: await openCookie(app, 'cookies.again@example.com'),
    };
    const held = `__Host-svc_session=${under.host.cookie}; ${plain(under.plain.cookie)}`;
    const cookies = await signInAt(app, 'cookies.again@example.com', { ...own, cookie: held });
    expect(cookies.map((each) => each.split('=', 1)[0])).toEqual([
      '__Host-svc_session',
      'svc_session',
      '__Host-svc_known',
    ]);
    for (const { headers } of Object.values(under))
      expect((await me(app, headers)).status).toBe(401);
  });

  it('loses both names when it signs out on the account page', async () => {
    const { cookie } = await openCookie(app, 'cookies.account@example.com');
    const left = await submit(
      app,
      '/account/sign-out',
      {},
      { ...own, cookie: `__Host-svc_session=${cookie}` },
    );
    expect({
      status: left.statusCode,
      flat: [left.headers['set-cookie'] ?? []].flat().map((each) => each.split(';', 1)[0]),
    }).toEqual({ status: 303, flat: ['__Host-svc_session=', 'svc_session='] });
  });

  it('gets only the plain name over http, because it would reject the other', async () => {
    const open = await freshApp();
    try {
      await open.services.queues.start();
      const cookies = await signInAt(open, 'cookies.http@example.com', {
        origin: 'http://127.0.0.1:3000',
      });
      expect(cookies.map((each) => each.split('=', 1)[0])).toEqual(['svc_session', 'svc_known']);
      expect(cookies.join(' ')).not.toContain('Secure');
    } finally {
      await open.close();
    }
  });
});
