import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, browser, type TestApp } from '../../support/app.ts';
import { createQrTests, target } from './support.ts';

const base = 'https://svc.example';
const dayMs = 86_400_000;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Mobile Safari/537.36';

let app: TestApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
const { request, call, create, get, scan, eventsOf } = createQrTests(() => app);
beforeAll(async () => {
  app = await sharedApp('named', { clock });
}, 60_000);
beforeEach(() => {
  offset = 0;
});

const leadsTo = async (...given: Parameters<typeof scan>) => {
  const { statusCode, headers } = await scan(...given);
  return statusCode === 302 ? headers.location : statusCode;
};
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

describe('a scan', () => {
  it('leads to the target once it is on disk as an event of the site', async () => {
    const { id, code, short_url: short, text, scans } = await create({ site_id: 'shop.example' });
    expect({ short, text, scans }).toEqual({
      short: `${base}/q/${code}`,
      text: `${base}/q/${code}?qr=1`,
      scans: 0,
    });
    const answer = await scan(code, { referer: 'https://chat.example/' });
    expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
      status: 302,
      location: target,
    });
    expect(answer.headers['cache-control']).toContain('no-store');
    const events = await eventsOf(code);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      site_id: 'shop.example',
      event: 'qr_scan',
      pathname: `/q/${code}`,
      bot: false,
    });
    const seen = await get(id);
    expect(seen.scans).toBe(1);
    expect(Date.parse(seen.last_scanned_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is told apart from a click on the short link', async () => {
    const { id, code } = await create();
    const click = { url: `/q/${code}`, headers: { 'user-agent': browser } };
    expect((await request(click)).statusCode).toBe(302);
    await scan(code);
    expect((await eventsOf(code)).map(({ event }) => event).sort()).toEqual(['qr_link', 'qr_scan']);
    expect((await get(id)).scans).toBe(1);
  });

  it('by a bot or a link preview is stored, and does not count', async () => {
    const { id, code } = await create();
    for (const agent of ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0'])
      expect(await leadsTo(code, { 'user-agent': agent })).toBe(target);
    expect((await eventsOf(code)).map(({ bot }) => bot)).toEqual([true, true, true]);
    expect((await get(id)).scans).toBe(0);
  });

  it('that only fetches ahead leaves no event', async () => {
    const { code } = await create();
    expect(await leadsTo(code, { 'sec-purpose': 'prefetch;prerender' })).toBe(target);
    const head = await request({ method: 'HEAD', url: `/q/${code}?qr=1` });
    expect({ status: head.statusCode, location: head.headers.location, body: head.body }).toEqual({
      status: 302,
      location: target,
      body: '',
    });
    expect(await eventsOf(code)).toEqual([]);
  });

  it('of a code in capitals works', async () => {
    const { code } = await create();
    expect(await leadsTo(code.toUpperCase())).toBe(target);
  });

  it('has the campaign, in the target and in the figures', async () => {
    const url = `${target}?utm_source=shelf&a=1#top`;
    const { code } = await create({ url, utm_source: 'poster', utm_campaign: 'spring sale' });
    expect(await leadsTo(code)).toBe(`${target}?utm_source=shelf&a=1&utm_campaign=spring+sale#top`);
    expect((await eventsOf(code))[0]).toMatchObject({
      utm_source: 'poster',
      utm_campaign: 'spring sale',
    });
  });
});

describe('a target', () => {
  it('can change after printing, at once, and come back', async () => {
    const { id, code, text } = await create();
    expect(await leadsTo(code)).toBe(target);
    const changed = await call('PATCH', `/${id}`, { url: 'https://example.com/summer' });
    expect(changed.json().text).toBe(text);
    expect(await leadsTo(code)).toBe('https://example.com/summer');
    const former = (await call('GET', `/${id}/targets`)).json().data;
    expect(former).toMatchObject([{ url: target, rules: [] }]);
    expect((await call('POST', `/${id}/restore`)).json().url).toBe(target);
    expect(await leadsTo(code)).toBe(target);
    await call('PATCH', `/${id}`, { url: 'https://example.com/winter' });
    await call('POST', `/${id}/restore`, { target_id: former[0]?.id });
    expect(await leadsTo(code)).toBe(target);
    expect((await call('GET', `/${id}/targets`)).json().data).toHaveLength(4);
    const other = await create();
    const foreign = await call('POST', `/${other.id}/restore`, { target_id: former[0]?.id });
    expect({ status: foreign.statusCode, code: foreign.json().code }).toEqual({
      status: 404,
      code: 'qr.target_not_found',
    });
  });

  it('depends on device, country and language, by the first rule that fits', async () => {
    const { code } = await create({
      rules: [
        { device: 'ios', language: 'de', url: 'https://example.com/ios-de' },
        { device: 'ios', url: 'https://example.com/ios' },
        { country: 'DE', url: 'https://example.com/germany' },
        { language: 'pt-br', url: 'https://example.com/brazil' },
      ],
    });
    const german = '85.214.132.117';
    const german_ios = { 'user-agent': iphone, 'accept-language': 'en;q=0.5, de-AT' };
    expect(await leadsTo(code, german_ios)).toBe('https://example.com/ios-de');
    expect(await leadsTo(code, { 'user-agent': iphone })).toBe('https://example.com/ios');
    expect(await leadsTo(code, { 'user-agent': android }, german)).toBe(
      'https://example.com/germany',
    );
    expect(await leadsTo(code, { 'accept-language': 'pt-BR,pt;q=0.9' })).toBe(
      'https://example.com/brazil',
    );
    expect(await leadsTo(code, { 'accept-language': 'pt' })).toBe(target);
  });
});

describe('a code that does not work', () => {
  it('is a page for browsers and a problem for programs', async () => {
    const page = await scan('nowhere');
    expect(page.statusCode).toBe(404);
    expect(page.headers['content-type']).toContain('text/html');
    const api = await scan('nowhere', { accept: 'application/json' });
    expect(api.json().code).toBe('qr.unknown');
  });

  it('is paused, not there yet, or expired', async () => {
    const paused = await create({ active: false });
    const later = await create({ starts_at: inDays(1), expires_at: inDays(2) });
    expect({ pausedStatus: paused.status, laterStatus: later.status }).toEqual({
      pausedStatus: 'paused',
      laterStatus: 'scheduled',
    });
    const codeOf = async (code: string) =>
      (await scan(code, { accept: 'application/json' })).json().code;
    expect(await codeOf(paused.code)).toBe('qr.paused');
    expect(await codeOf(later.code)).toBe('qr.not_yet');
    const early = await scan(later.code);
    expect({
      status: early.statusCode,
      'retry-after': Date.parse(String(early.headers['retry-after'])),
    }).toEqual({ status: 403, 'retry-after': expect.closeTo(Date.now() + dayMs, -5) as number });
    offset = dayMs + 60_000;
    expect(await leadsTo(later.code)).toBe(target);
    offset = 2 * dayMs + 60_000;
    expect(await codeOf(later.code)).toBe('qr.expired');
    expect((await get(later.id)).status).toBe('expired');
    await call('PATCH', `/${later.id}`, { expired_url: 'https://example.com/sorry' });
    expect(await leadsTo(later.code)).toBe('https://example.com/sorry');
    expect((await eventsOf(later.code)).map(({ props }) => props)).toEqual([
      { result: 'target' },
      { result: 'expired_url' },
    ]);
  });

  it('is deleted', async () => {
    const { id, code } = await create();
    await scan(code);
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(200);
    expect(await leadsTo(code)).toBe(404);
  });
});

describe('a scan limit', () => {
  it('lets through exactly as many of 200 scans at once', async () => {
    const { id, code } = await create({ scan_limit: 50 });
    const all = await Promise.all(Array.from({ length: 200 }, () => leadsTo(code)));
    expect(all.filter((found) => found === target)).toHaveLength(50);
    expect(all.filter((found) => found === 410)).toHaveLength(150);
    const seen = await get(id);
    expect({ scans_used: seen.scans_used, status: seen.status }).toEqual({
      scans_used: 50,
      status: 'used_up',
    });
    await app.applied();
    expect((await get(id)).scans).toBe(50);
  });

  it('is neither used up nor passed by programs', async () => {
    const { id, code } = await create({ scan_limit: 1 });
    for (const headers of [{ 'user-agent': 'WhatsApp/2.23' }, { 'sec-purpose': 'prefetch' }]) {
      const answer = await scan(code, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.body).not.toContain('example.com/spring');
    }
    expect((await get(id)).scans_used).toBe(0);
    expect(await leadsTo(code)).toBe(target);
    expect(await leadsTo(code)).toBe(410);
    await call('PATCH', `/${id}`, { scan_limit: 2 });
    expect(await leadsTo(code)).toBe(target);
  });
});

describe('a password', () => {
  const enter = (code: string, password: string, remoteAddress = '198.51.100.8') =>
    request({
      method: 'POST',
      url: `/q/${code}?qr=1`,
      headers: {
        'user-agent': browser,
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ password }).toString(),
      remoteAddress,
    });

  it('leads on only once it is right, and is never shown', async () => {
    const created = await create({ password: 'open sesame' });
    expect(created.has_password).toBe(true);
    expect(JSON.stringify(created)).not.toContain('sesame');
    const { code } = created;
    const form = await scan(code);
    expect(form.statusCode).toBe(200);
    expect(form.body).toContain(`action="/q/${code}?qr=1"`);
    expect(form.body).not.toContain(target);
    const wrong = await enter(code, 'open');
    expect({ status: wrong.statusCode, refresh: wrong.headers.refresh }).toEqual({
      status: 403,
      refresh: undefined,
    });
    expect(wrong.body).not.toContain(target);
    expect(await eventsOf(code)).toEqual([]);
    const right = await enter(code, 'open sesame');
    expect({ status: right.statusCode, refresh: right.headers.refresh }).toEqual({
      status: 200,
      refresh: `0;url=${target}`,
    });
    expect((await eventsOf(code)).map(({ event }) => event)).toEqual(['qr_scan']);
    expect(app.log()).not.toContain('sesame');
  });

  it('can be guessed ten times from one address', async () => {
    const { code } = await create({ password: 'open sesame' });
    for (let tries = 0; tries < 10; tries += 1)
      expect((await enter(code, 'wrong', '198.51.100.9')).statusCode).toBe(403);
    const locked = await enter(code, 'open sesame', '198.51.100.9');
    expect({
      status: locked.statusCode,
      'retry-after': Number(locked.headers['retry-after']),
    }).toEqual({ status: 429, 'retry-after': expect.closeTo(900, -1) as number });
    expect((await enter(code, 'open sesame', '198.51.100.10')).statusCode).toBe(200);
    // Twelve hashes, each of which is slow on purpose.
  }, 60_000);

  it('can be removed', async () => {
    const { id, code } = await create({ password: 'open sesame' });
    await call('PATCH', `/${id}`, { password: null });
    expect(await leadsTo(code)).toBe(target);
  });
});

describe('the figures of a code', () => {
  it('tell when, where and with what it was scanned, without bots', async () => {
    const { id, code } = await create({ site_id: 'figures.example' });
    const other = await create({ site_id: 'figures.example' });
    await scan(code, { 'user-agent': iphone, 'accept-language': 'de' }, '85.214.132.117');
    await scan(code, { 'user-agent': iphone, 'accept-language': 'de' }, '85.214.132.117');
    await scan(code, { 'user-agent': android }, '198.51.100.7');
    await scan(code, { 'user-agent': 'WhatsApp/2.23' });
    await scan(other.code);
    await app.applied();
    const stats = (await call('GET', `/${id}/stats?period=24h`)).json();
    expect(stats).toMatchObject({ scans: 3, people: 2, bots: 1, filter: `tag:is:${code}` });
    expect(stats.countries).toContainEqual({ value: 'DE', people: 1, visits: 1 });
    expect(stats.operating_systems.map(({ value }) => value).sort()).toEqual(['Android', 'iOS']);
    expect(stats.series.reduce((sum, { scans }) => sum + scans, 0)).toBe(3);
    const listed = (await call('GET', '?site_id=figures.example&sort=created_at')).json();
    expect(listed.data.map(({ scans }) => scans)).toEqual([3, 1]);
    expect((await call('GET', `/${id}/stats?foo=1`)).statusCode).toBe(422);
  });
});

describe('only admins', () => {
  it('see and change codes', async () => {
    const { id } = await create();
    for (const [method, url] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const)
      expect((await call(method, url, method === 'GET' ? undefined : {}, {})).statusCode).toBe(401);
    expect((await call('GET', `/${id}`, undefined, asAdmin)).statusCode).toBe(200);
  });
});
