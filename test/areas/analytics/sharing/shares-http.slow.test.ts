import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { sqlContent } from '../../../support/abuse.ts';
import { titleOf, unescaped } from '../../../surfaces/pages/support.ts';
import { batch, type IngestClient, newSite, openIngest } from '../http/ingest-client.ts';

const hour = 3_600_000;
const site = newSite();
const other = newSite();
let client: IngestClient;
let offset = 0;

beforeAll(async () => {
  client = await openIngest({
    clock: { now: () => Date.now() + offset },
    env: { BASE_URL: 'https://svc.example' },
  });
  const view = (user: string, url: string, more: object = {}) => ({
    event: 'pageview',
    url: `https://example.org${url}`,
    site_id: site,
    user_id: user,
    ...more,
  });
  await client.store(
    batch,
    {
      events: [
        view('ann@example.org', '/', { referrer: 'https://www.google.com/' }),
        view('ann@example.org', '/prices', { props: { plan: 'secret-plan' } }),
        view('ben@example.org', '/'),
        view('ben@example.org', '/', { event: 'buy' }),
        { ...view('eve', '/other'), site_id: other },
      ],
    },
    asAdmin,
  );
  await client.app.applied();
});
afterAll(() => client.close());
afterEach(() => {
  offset = 0;
});

const sharesOf = (key = site) => `/analytics/sites/${key}/shares`;
interface Share {
  id: string;
  url: string;
  path: string;
}

async function createShare(body: object = {}, key = site): Promise<Share> {
  const answer = await client.ask('POST', sharesOf(key), asAdmin, { name: 'The agency', ...body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  const url = String(answer.body.url);
  return { id: String(answer.body.id), url, path: url.slice('https://svc.example'.length) };
}

const open = (path: string, cookie?: string) =>
  client.ask('GET', path, cookie === undefined ? {} : { cookie });
const form = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'https://svc.example',
  'x-forwarded-proto': 'https',
  host: 'svc.example',
};
const enter = (path: string, password: string, more: Record<string, string> = {}) =>
  client.ask('POST', path, { ...form, ...more }, new URLSearchParams({ password }).toString());

async function cookieOf(path: string, password: string): Promise<string> {
  const { status, headers } = await enter(path, password);
  expect({ status, location: headers.location }).toEqual({ status: 303, location: path });
  return String(headers['set-cookie']);
}

const value = (cookie: string): string => cookie.split(';', 1).join('');
const isForm = (text: string) => text.includes('type="password"');

describe('a share link', () => {
  it('accepts no regular expressions and at most ten filters', async () => {
    const { path } = await createShare();
    const status = async (...filters: string[]) =>
      (
        await open(
          `${path}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`,
        )
      ).status;
    expect(await status('page:contains:/')).toBe(200);
    for (const operator of ['matches', 'matches_not'])
      expect(await status(`page:${operator}:^/`)).toBe(422);
    const many = Array.from({ length: 11 }, (_, at) => `page:is_not:/${at}`);
    expect({ first: await status(...many.slice(1)), second: await status(...many) }).toEqual({
      first: 200,
      second: 422,
    });
  });

  it('shows the figures of its site, and nothing about users', async () => {
    const { path } = await createShare();
    const { status, text, headers } = await open(`${path}?period=7d`);
    expect({ status, 'content-type': headers['content-type'] }).toEqual({
      status: 200,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(titleOf(text)).toContain(site);
    for (const shown of [
      'The agency',
      '/prices',
      'Google',
      'buy',
      '<span class="stat-label">Visitors</span><strong class="stat-value">2</strong>',
      '<span class="stat-label">Page views</span><strong class="stat-value">3</strong>',
    ])
      expect(unescaped(text)).toContain(shown);
    for (const hidden of ['ann@', 'ben@', 'secret-plan', '/other', '<script'])
      expect(text).not.toContain(hidden);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers['content-security-policy']).not.toContain('script-src');
    expect({
      includes: text.includes('<meta name="robots" content="noindex, nofollow">'),
      'set-cookie': headers['set-cookie'],
    }).toEqual({ includes: true, 'set-cookie': undefined });
  });

  it('filters by properties of visits, but not by what would identify a user', async () => {
    const { path } = await createShare();
    const visitors = async (filter: string) =>
      /Visitors<\/span><strong class="stat-value">(\d+)/.exec(
        (await open(`${path}?filter=${encodeURIComponent(filter)}`)).text,
      )?.[1];
    expect({
      first: await visitors('source:is:Google'),
      second: await visitors('page:is:/prices'),
      third: await visitors('device:is:Fridge'),
    }).toEqual({ first: '1', second: '1', third: '0' });
    for (const filter of [
      'user_id:is:ann@example.org',
      'user\\_id:is:ann@example.org',
      'props.plan:is:secret-plan',
      'event:is:buy',
      'title:contains:x',
      'hostname:is:example.org',
      'x',
    ]) {
      const refused = await open(
        `${path}?filter=source:is:Google&filter=${encodeURIComponent(filter)}`,
      );
      expect({
        filter,
        status: refused.status,
        includes: refused.text.includes('class="stat'),
      }).toEqual({ filter, status: 422, includes: false });
    }
    expect((await open(`${path}?period=custom&from=x`)).status).toBe(422);
    const figures = async (url: string) => (await open(url)).text.replace(/<time.*?<\/time>/g, '');
    expect(
      await figures(
        `${path}?site_id=${other}&bots=true&limit=1000&user_id=ann@example.org&props=plan`,
      ),
    ).toBe(await figures(path));
  });

  it('that is unknown, expired, revoked or malformed gives the same 404', async () => {
    const unknown = await open(`/share/${'a'.repeat(43)}`);
    expect(unknown.status).toBe(404);
    const body = unknown.text;
    const expiring = await createShare({ expires_at: new Date(Date.now() + hour).toISOString() });
    const revoked = await createShare({ password: 'correct horse' });
    expect({
      expiringStatus: (await open(expiring.path)).status,
      revokedStatus: (await open(revoked.path)).status,
    }).toEqual({ expiringStatus: 200, revokedStatus: 200 });
    expect((await client.ask('DELETE', `${sharesOf()}/${revoked.id}`, asAdmin)).status).toBe(204);
    offset = hour + 1;
    for (const path of [
      expiring.path,
      revoked.path,
      '/share/x',
      `/share/${'%20'.repeat(43)}`,
      '/share/%00',
      `/share/${'a'.repeat(128)}`,
    ]) {
      const got = await open(path);
      expect({ path, status: got.status, text: got.text }).toEqual({
        path,
        status: 404,
        text: body,
      });
    }
    expect((await enter(revoked.path, 'correct horse')).status).toBe(404);
  });

  it('is shown once and stored as a hash; the log holds neither it nor a password', async () => {
    const { path, url, id } = await createShare({ password: 'correct horse battery' });
    await enter(path, 'wrong password');
    await cookieOf(path, 'correct horse battery');
    const slug = path.slice('/share/'.length);
    const shown = async () => {
      const answer = await client.ask('GET', sharesOf(), asAdmin);
      return {
        text: answer.text,
        share: (answer.body.data as { id: string; last_used_at: string | null }[]).find(
          (each) => each.id === id,
        ),
      };
    };
    // Written in the background, after the response.
    await expect.poll(async () => (await shown()).share?.last_used_at).not.toBeNull();
    const list = await shown();
    expect(list.share).toEqual({
      id,
      site_id: site,
      name: 'The agency',
      has_password: true,
      expires_at: null,
      created_by: 'env',
      created_at: expect.any(String) as string,
      last_used_at: expect.any(String) as string,
    });
    const stored = [...(await sqlContent(client.app)).values()].join('\n');
    for (const secret of [slug, url, 'correct horse', 'wrong password'])
      expect([stored, list.text, client.app.log()].map((text) => text.includes(secret))).toEqual([
        false,
        false,
        false,
      ]);
  });
});

describe('a password', () => {
  it('is required before anything is shown; its cookie is for this link alone', async () => {
    const { path } = await createShare({ password: 'correct horse' });
    const prompt = await open(path);
    expect({
      status: prompt.status,
      isForm: isForm(prompt.text),
      includes: prompt.text.includes(site),
      'referrer-policy': prompt.headers['referrer-policy'],
    }).toEqual({ status: 200, isForm: true, includes: false, 'referrer-policy': 'same-origin' });
    const wrong = await enter(path, 'Correct horse');
    expect({
      status: wrong.status,
      isForm: isForm(wrong.text),
      'set-cookie': wrong.headers['set-cookie'],
      includes: wrong.text.includes(site),
    }).toEqual({ status: 403, isForm: true, 'set-cookie': undefined, includes: false });
    const cookie = await cookieOf(path, 'correct horse');
    expect(cookie).toMatch(
      new RegExp(
        `^svc_share=\\d+\\.[\\w-]{43}; Path=${path}; ` +
          'Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$',
      ),
    );
    expect((await open(path, value(cookie))).text).toContain(site);
    offset = 12 * hour + 60_000;
    expect(isForm((await open(path, value(cookie))).text)).toBe(true);
  });

  it('refuses cookies of other links, forged ones, and those of an earlier password', async () => {
    const [mine, theirs] = [
      await createShare({ password: 'correct horse' }),
      await createShare({ password: 'correct horse' }),
    ];
    const cookie = value(await cookieOf(mine.path, 'correct horse'));
    expect(isForm((await open(mine.path, cookie)).text)).toBe(false);
    const [, expiry = '', mac = ''] = /^svc_share=(\d+)\.(.*)$/.exec(cookie) ?? [];
    const forged = [
      `svc_share=${Number(expiry) + 1000}.${mac}`,
      `svc_share=${expiry}.${'A'.repeat(43)}`,
      `svc_share=${expiry}.`,
      'svc_share=',
      `svc_share=${'9'.repeat(15)}.${mac}`,
      `svc_session=${mac}`,
    ];
    for (const each of forged)
      expect({ each, isForm: isForm((await open(mine.path, each)).text) }).toEqual({
        each,
        isForm: true,
      });
    expect(isForm((await open(theirs.path, cookie)).text)).toBe(true);
    const { db } = client.app.stores;
    const { password_hash: hash } = await db
      .selectFrom('analytics_shares')
      .select('password_hash')
      .where('id', '=', theirs.id)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('analytics_shares')
      .set({ password_hash: hash })
      .where('id', '=', mine.id)
      .execute();
    expect(isForm((await open(mine.path, cookie)).text)).toBe(true);
  });

  it('is not accepted from a page of another origin', async () => {
    const { path } = await createShare({ password: 'correct horse' });
    const foreign = await enter(path, 'correct horse', { origin: 'https://evil.example' });
    expect({ status: foreign.status, 'set-cookie': foreign.headers['set-cookie'] }).toEqual({
      status: 403,
      'set-cookie': undefined,
    });
  });

  it('gives a cookie that is not a credential elsewhere', async () => {
    const { path } = await createShare({ password: 'correct horse' });
    const cookie = value(await cookieOf(path, 'correct horse'));
    for (const url of [
      `/analytics/dashboard?site_id=${site}`,
      '/analytics/sites',
      sharesOf(),
      '/api/v1/audit',
      '/api/auth/me',
    ]) {
      expect({ url, status: (await client.ask('GET', url, { cookie })).status }).toEqual({
        url,
        status: 401,
      });
    }
    expect((await client.ask('POST', '/analytics/export/events', { cookie }, {})).status).toBe(401);
  });
});

describe('the shares API', () => {
  it('lets only admins create, list and revoke links', async () => {
    const reader = await client.keyWith('analytics:read');
    const { id } = await createShare();
    for (const [headers, status] of [
      [{}, 401],
      [reader, 403],
    ] as const) {
      expect((await client.ask('GET', sharesOf(), headers)).status).toBe(status);
      expect((await client.ask('POST', sharesOf(), headers, { name: 'x' })).status).toBe(status);
      expect((await client.ask('DELETE', `${sharesOf()}/${id}`, headers)).status).toBe(status);
    }
  });

  it('writes one audit entry for each change', async () => {
    const { id } = await createShare();
    for (const status of [204, 204])
      expect((await client.ask('DELETE', `${sharesOf()}/${id}`, asAdmin)).status).toBe(status);
    const { body } = await client.ask('GET', `/api/v1/audit?target_id=${id}`, asAdmin);
    expect(
      (body.data as { action: string; details: object; actor: object }[]).map(
        ({ action, details, actor }) => [action, details, actor],
      ),
    ).toEqual([
      ['analytics.share_revoked', { site_id: site }, { kind: 'api_key', id: 'env' }],
      [
        'analytics.share_created',
        { site_id: site, has_password: false },
        { kind: 'api_key', id: 'env' },
      ],
    ]);
  });

  it('refuses unknown sites and ids, invalid bodies and more than 50 links', async () => {
    const { id } = await createShare();
    const missing = await client.ask('DELETE', `${sharesOf(other)}/${id}`, asAdmin);
    expect({ status: missing.status, code: missing.body.code }).toEqual({
      status: 404,
      code: 'analytics.share_not_found',
    });
    expect((await client.ask('DELETE', `${sharesOf()}/${randomUUID()}`, asAdmin)).status).toBe(404);
    for (const method of ['GET', 'POST'] as const) {
      const answer = await client.ask(
        method,
        sharesOf('no-such-site'),
        asAdmin,
        method === 'POST' ? { name: 'x' } : undefined,
      );
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: 'analytics.site_unknown',
      });
    }
    for (const body of [
      {},
      { name: '' },
      { name: 'x', password: 'hunter2' },
      { name: 'x', expires_at: '2020-01-01T00:00:00Z' },
      { name: 'x', expires_at: '9999-12-31T23:59:59-14:00' },
      { name: '\ud800' },
      { name: 'x', more: 1 },
      { name: 'a\nb' },
    ]) {
      const answer = await client.ask('POST', sharesOf(), asAdmin, body);
      expect({
        body,
        status: answer.status,
        includesHunter2: answer.text.includes('hunter2'),
      }).toEqual({ body, status: 422, includesHunter2: false });
    }
    const made = await Promise.all(
      Array.from({ length: 52 }, () => client.ask('POST', sharesOf(other), asAdmin, { name: 'x' })),
    );
    expect({
      first: made.filter(({ status }) => status === 201).length,
      second: made.filter(({ body }) => body.code === 'analytics.too_many_shares').length,
    }).toEqual({ first: 50, second: 2 });
  });
});
