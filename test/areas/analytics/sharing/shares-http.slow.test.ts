import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import { hourMs } from '../../../../src/lib/durations.ts';
import { sqlContent } from '../../../support/abuse.ts';
import type { TestResponse } from '../../../support/client.ts';
import { it } from '../../../support/test.ts';
import { titleOf, unescaped } from '../../../surfaces/pages/support.ts';
import { expectAdminsOnly, newSite, useSharedAnalytics, view } from '../support.ts';

const [site, other] = [newSite(), newSite()];
let offset = 0;
const clock = { now: () => Date.now() + offset };
const analytics = await useSharedAnalytics({ profile: 'named', clock });

beforeAll(() => {
  const event = (user: string, url: string, more: object = {}) =>
    view(site, { url: `https://example.org${url}`, user_id: user, ...more });
  return analytics.fill(
    event('ann@example.org', '/', { referrer: 'https://www.google.com/' }),
    event('ann@example.org', '/prices', { props: { plan: 'secret-plan' } }),
    event('ben@example.org', '/'),
    event('ben@example.org', '/', { event: 'buy' }),
    event('eve', '/other', { site_id: other }),
  );
});
afterEach(() => {
  offset = 0;
});

const password = 'correct horse';
const sharesOf = (of = site) => `/analytics/sites/${of}/shares`;
const createShare = (body: object = {}) => analytics.createShare(site, body);
const open = (path: string, cookie?: string) =>
  analytics.tracker.get(path, cookie === undefined ? {} : { headers: { cookie } });
const filtered = (path: string, ...filters: string[]) =>
  open(`${path}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`);
const enter = (path: string, text: string, headers: Record<string, string> = {}) =>
  analytics.tracker.form(path, { password: text }, { headers });

async function setCookieOf(path: string, text: string): Promise<string> {
  const response = await enter(path, text);
  expect(response).toMatchObject({ status: 303, headers: { location: path } });
  return String(response.headers['set-cookie']);
}
const cookieOf = async (path: string): Promise<string> =>
  (await setCookieOf(path, password)).split(';', 1).join('');

const asksForPassword = ({ text }: TestResponse) => text.includes('type="password"');

describe('a share link', () => {
  it('shows the figures of its site, and nothing about users', async () => {
    const { path } = await createShare();
    const response = await open(`${path}?period=7d`);
    const { headers, text } = response;
    expect(response).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      },
    });
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(titleOf(text)).toContain(site);
    const figure = (label: string, value: number) =>
      `<span class="stat-label">${label}</span><strong class="stat-value">${value}</strong>`;
    const figures = [figure('Visitors', 2), figure('Page views', 3)];
    for (const shown of ['The agency', '/prices', 'Google', 'buy', ...figures])
      expect(unescaped(text)).toContain(shown);
    for (const hidden of ['ann@', 'ben@', 'secret-plan', '/other', '<script>'])
      expect(text).not.toContain(hidden);
  });

  it.each([
    ['source:is:Google', 1],
    ['page:is:/prices', 1],
    ['device:is:Fridge', 0],
  ])('may be filtered by %s, which %i visitor matches', async (filter, visitors) => {
    const { path } = await createShare();
    expect((await filtered(path, filter)).text).toContain(
      `Visitors</span><strong class="stat-value">${visitors}<`,
    );
  });

  it.each([
    'user_id:is:ann@example.org',
    'user\\_id:is:ann@example.org',
    'props.plan:is:secret-plan',
    'event:is:buy',
    'title:contains:x',
    'hostname:is:example.org',
    'x',
  ])('may not be filtered by what would identify a user: %s', async (filter) => {
    const { path } = await createShare();
    const refused = await filtered(path, 'source:is:Google', filter);
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.text).not.toContain('class="stat');
  });

  it('shows the goals of its site without their revenue and filters', async () => {
    const goal = { name: 'Bought it', kind: 'event', value: 'buy', filters: ['props.plan:is:x'] };
    const made = await analytics.admin.post(`/analytics/sites/${site}/goals`, goal);
    expect(made.status).toBe(201);
    const { path } = await createShare();
    const { text } = await open(path);
    expect(text).toContain('Bought it');
    for (const hidden of ['props.plan', 'Revenue']) expect(text).not.toContain(hidden);
  });

  it('has a valid period and ignores the other parameters of the dashboard', async () => {
    const { path } = await createShare();
    expect(await open(`${path}?period=custom&from=x`)).toMatchObject({ status: 422 });
    const figures = async (url: string) => (await open(url)).text.replace(/<time.*?<\/time>/g, '');
    const ignored = `site_id=${other}&bots=true&limit=1000&user_id=ann@example.org&props=plan`;
    expect(await figures(`${path}?${ignored}`)).toBe(await figures(path));
  });

  it('that is unknown, expired, revoked or malformed gives the same 404', async () => {
    const unknown = await open(`/share/${'a'.repeat(43)}`);
    expect(unknown).toMatchObject({ status: 404 });
    const expiring = await createShare({ expires_at: new Date(Date.now() + hourMs).toISOString() });
    const revoked = await createShare({ password });
    for (const { path } of [expiring, revoked])
      expect(await open(path)).toMatchObject({ status: 200 });
    const deleted = await analytics.admin.delete(`${sharesOf()}/${revoked.id}`);
    expect(deleted).toMatchObject({ status: 204 });
    offset = hourMs + 1;
    const malformed = ['x', '%20'.repeat(43), '%00', 'a'.repeat(128)];
    for (const path of [
      expiring.path,
      revoked.path,
      ...malformed.map((slug) => `/share/${slug}`),
    ]) {
      const { status, text } = await open(path);
      expect({ status, text }, path).toEqual({ status: 404, text: unknown.text });
    }
    expect(await enter(revoked.path, password)).toMatchObject({ status: 404 });
  });

  it('is shown once and stored as a hash; the log holds neither it nor a password', async () => {
    const { path, url, id } = await createShare({ password: 'correct horse battery' });
    await enter(path, 'wrong password');
    await setCookieOf(path, 'correct horse battery');
    const list = () =>
      analytics.admin.get<{ data: { id: string; last_used_at: string | null }[] }>(sharesOf());
    const listed = async () => (await list()).body.data.find((share) => share.id === id);
    // Written in the background, after the response.
    await expect.poll(async () => (await listed())?.last_used_at).not.toBeNull();
    expect(await listed()).toEqual({
      id,
      site_id: site,
      name: 'The agency',
      has_password: true,
      expires_at: null,
      created_by: 'env',
      created_at: expect.any(String) as string,
      last_used_at: expect.any(String) as string,
    });
    const stored = [...(await sqlContent(analytics.app)).values()].join('\n');
    const slug = path.slice('/share/'.length);
    for (const text of [stored, (await list()).text, analytics.app.log()]) {
      for (const secret of [slug, url, password, 'wrong password'])
        expect(text.includes(secret), secret).toBe(false);
    }
  });
});

describe('the password of a share link', () => {
  it('is required before anything is shown; its cookie is for this link alone', async () => {
    const { path } = await createShare({ password });
    const prompt = await open(path);
    const wrong = await enter(path, 'Correct horse');
    expect(prompt).toMatchObject({ status: 200, headers: { 'referrer-policy': 'same-origin' } });
    expect(wrong).toMatchObject({ status: 403 });
    for (const page of [prompt, wrong]) {
      expect(asksForPassword(page)).toBe(true);
      expect(page.text).not.toContain(site);
      expect(page.headers['set-cookie']).toBeUndefined();
    }
    expect(await setCookieOf(path, password)).toMatch(
      new RegExp(
        `^svc_share=\\d+\\.[\\w-]{43}; Path=${path}; ` +
          'Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$',
      ),
    );
    const cookie = await cookieOf(path);
    expect((await open(path, cookie)).text).toContain(site);
    offset = 12 * hourMs + 60_000;
    expect(asksForPassword(await open(path, cookie))).toBe(true);
  });

  it('is asked for again with cookies of other links and forged ones', async () => {
    const [mine, theirs] = [await createShare({ password }), await createShare({ password })];
    const cookie = await cookieOf(mine.path);
    expect(asksForPassword(await open(mine.path, cookie))).toBe(false);
    expect(asksForPassword(await open(theirs.path, cookie))).toBe(true);
    const [, expiry = '', mac = ''] = /^svc_share=(\d+)\.(.*)$/.exec(cookie) ?? [];
    for (const forged of [
      `svc_share=${Number(expiry) + 1000}.${mac}`,
      `svc_share=${expiry}.${'A'.repeat(43)}`,
      `svc_share=${expiry}.`,
      'svc_share=',
      `svc_share=${'9'.repeat(15)}.${mac}`,
      `svc_session=${mac}`,
    ])
      expect(asksForPassword(await open(mine.path, forged)), forged).toBe(true);
  });

  it('is asked for again once it was changed', async () => {
    const [mine, theirs] = [await createShare({ password }), await createShare({ password })];
    const cookie = await cookieOf(mine.path);
    const { db } = analytics.app.stores;
    const hash = db.selectFrom('analytics_shares').select('password_hash');
    const changed = await hash.where('id', '=', theirs.id).executeTakeFirstOrThrow();
    await db.updateTable('analytics_shares').set(changed).where('id', '=', mine.id).execute();
    expect(asksForPassword(await open(mine.path, cookie))).toBe(true);
  });

  it('is not accepted from a page of another origin', async () => {
    const { path } = await createShare({ password });
    const foreign = await enter(path, password, { origin: 'https://evil.example' });
    expect(foreign).toMatchObject({ status: 403 });
    expect(foreign.headers['set-cookie']).toBeUndefined();
  });

  it('gives a cookie that is not a credential elsewhere', async () => {
    const { path } = await createShare({ password });
    const holder = analytics.tracker.as({ cookie: await cookieOf(path) });
    const dashboard = `/analytics/dashboard?site_id=${site}`;
    for (const url of [dashboard, '/analytics/sites', sharesOf(), '/api/v1/audit', '/api/auth/me'])
      expect((await holder.get(url)).status, url).toBe(401);
    expect(await holder.post('/analytics/export/events', {})).toMatchObject({ status: 401 });
  });
});

describe('the shares API', () => {
  it('lets only admins create, list and revoke links', async () => {
    const { id } = await createShare();
    await expectAdminsOnly(
      analytics,
      (by) => by.get(sharesOf()),
      (by) => by.post(sharesOf(), { name: 'x' }),
      (by) => by.delete(`${sharesOf()}/${id}`),
    );
  });

  it('writes one audit entry for each change', async () => {
    const { id } = await createShare();
    for (let times = 0; times < 2; times += 1)
      expect(await analytics.admin.delete(`${sharesOf()}/${id}`)).toMatchObject({ status: 204 });
    expect(await analytics.auditEntries(id)).toEqual([
      { action: 'analytics.share_revoked', details: { site_id: site } },
      { action: 'analytics.share_created', details: { site_id: site, has_password: false } },
    ]);
    const { body } = await analytics.admin.get(`/api/v1/audit?target_id=${id}`);
    const actor = { kind: 'api_key', id: 'env' };
    expect(body.data).toMatchObject([{ actor }, { actor }]);
  });

  it('refuses unknown sites and ids', async () => {
    const { admin } = analytics;
    const { id } = await createShare();
    for (const url of [`${sharesOf(other)}/${id}`, `${sharesOf()}/${randomUUID()}`])
      expect(await admin.delete(url)).toBeProblem(404, 'analytics.share_not_found');
    const nowhere = sharesOf('no-such-site');
    expect(await admin.get(nowhere)).toBeProblem(404, 'analytics.site_unknown');
    expect(await admin.post(nowhere, { name: 'x' })).toBeProblem(404, 'analytics.site_unknown');
  });

  it.each([
    {},
    { name: '' },
    { name: 'x', password: 'hunter2' },
    { name: 'x', expires_at: '2020-01-01T00:00:00Z' },
    { name: 'x', expires_at: '9999-12-31T23:59:59-14:00' },
    { name: '\ud800' },
    { name: 'x', more: 1 },
    { name: 'a\nb' },
  ])('refuses %j, and repeats no password', async (body) => {
    const refused = await analytics.admin.post(sharesOf(), body);
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.text).not.toContain('hunter2');
  });

  it('refuses more than 50 links of a site, even under concurrent requests', async () => {
    const made = await Promise.all(
      Array.from({ length: 52 }, () => analytics.admin.post(sharesOf(other), { name: 'x' })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(2);
    for (const response of refused) expect(response).toBeProblem(409, 'analytics.too_many_shares');
  });
});
