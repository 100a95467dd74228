import { describe, expect } from 'vitest';
import { sessionCookieValues } from '../../../../src/areas/identity/sessions/cookies.ts';
import { me } from '../../../support/abuse.ts';
import type { TestApp } from '../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { codeFor, openCookie } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';

const base = 'https://svc.example';
const victimEmail = 'cookies.victim@example.com';
const app = await sharedApp('named');
const client = new TestClient(app);
const victim = await openCookie(app, victimEmail);
const attacker = await openCookie(app, 'cookies.attacker@example.com');

const emailOf = async (cookie: string): Promise<unknown> => (await me(app, { cookie })).body.email;
const plain = (...values: string[]) => values.map((value) => `svc_session=${value}`).join('; ');
/** A well-formed value that belongs to no session. */
const madeUp = (letter: string) => `svcs_${letter.repeat(90)}A`;
const cookiesOf = ({ headers }: TestResponse) => [headers['set-cookie'] ?? []].flat();
const pairOf = (header: string) => header.split(';', 1).join('');
const nameOf = (header: string) => header.split('=', 1).join('');
const cleared = ['__Host-svc_session', 'svc_session'].map(
  (name) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
);

async function signInAt(where: TestApp, email: string, cookie = ''): Promise<string[]> {
  const browser = new TestClient(where).as(cookie === '' ? {} : { cookie });
  const sent = await browser.form('/login', { identifier: email });
  const values = hiddenFieldsOf(sent.text, '/login/code');
  const code = await codeFor(where, email);
  return cookiesOf(await browser.form('/login/code', { ...values, code }));
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
    ])
      for (const cookie of [
        `${real}; ${planted}`,
        `${planted}; ${real}`,
        `${planted}; ${real}; ${plain(victim.cookie)}`,
      ])
        expect(await emailOf(cookie), cookie).toBe(victimEmail);
  });

  it("does not pass as the __Host- cookie behind a space that browsers don't trim", async () => {
    for (const cookie of [
      `\u00a0__Host-svc_session=${attacker.cookie}; ${plain(victim.cookie)}`,
      `x=y;\u00a0__Host-svc_session=${attacker.cookie}; ${plain(victim.cookie)}`,
      `x=y;\t __Host-svc_session=${victim.cookie} ;z=1`,
    ])
      expect(await emailOf(cookie)).toBe(victimEmail);
  });

  it('is skipped if only the plain name is sent', async () => {
    for (const cookie of [
      plain(madeUp('A'), 'x', victim.cookie),
      plain(victim.cookie, madeUp('A')),
    ])
      expect(await emailOf(cookie)).toBe(victimEmail);
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
    const cookie = plain(...['a', 'b', 'c', 'd'].map(madeUp), victim.cookie);
    expect(await me(app, { cookie })).toMatchObject({ status: 401 });
  });

  it('return 401 and clear both names if all are invalid', async () => {
    const headers = { cookie: `__Host-svc_session=x; ${plain('y', 'z')}` };
    const response = await client.get('/api/auth/me', { headers });
    expect(response.status).toBe(401);
    expect(cookiesOf(response)).toEqual(cleared);
  });
});

describe('a browser', () => {
  it('gets both names over https, each valid alone, and sign-out clears both', async () => {
    const email = 'cookies.browser@example.com';
    const [first = '', second = '', ...others] = await signInAt(app, email);
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
    for (const header of [first, second]) expect(await emailOf(pairOf(header))).toBe(email);

    const both = `${pairOf(first)}; ${pairOf(second)}`;
    const left = await client
      .as({ origin: base, cookie: `${both}; ${plain('planted')}` })
      .post('/api/auth/logout');
    expect(left.body).toMatchObject({ session_revoked: true, cookie_cleared: true });
    expect(cookiesOf(left)).toEqual(cleared);
    expect(await me(app, { cookie: both })).toMatchObject({ status: 401 });
  });

  it('gets both names again at a new sign-in, which ends the old sessions', async () => {
    const email = 'cookies.again@example.com';
    const host = await openCookie(app, email);
    const other = await openCookie(app, email);
    const held = `__Host-svc_session=${host.cookie}; ${plain(other.cookie)}`;
    const names = (await signInAt(app, email, held)).map(nameOf);
    expect(names).toEqual(['__Host-svc_session', 'svc_session', '__Host-svc_known']);
    for (const { headers } of [host, other])
      expect(await me(app, headers)).toMatchObject({ status: 401 });
  });

  it('loses both names when it signs out on the account page', async () => {
    const { cookie } = await openCookie(app, 'cookies.account@example.com');
    const headers = { cookie: `__Host-svc_session=${cookie}` };
    const left = await client.form('/account/sign-out', {}, { headers });
    expect(left.status).toBe(303);
    expect(cookiesOf(left).map(pairOf)).toEqual(['__Host-svc_session=', 'svc_session=']);
  });

  it('gets only the plain name over http, because it would reject the other', async () => {
    const cookies = await signInAt(await sharedApp(), 'cookies.http@example.com');
    expect(cookies.map(nameOf)).toEqual(['svc_session', 'svc_known']);
    expect(cookies.join(' ')).not.toContain('Secure');
  });
});
