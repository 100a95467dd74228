import { beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { FormerTargetView } from '../../../src/areas/qr/codes/schemas.ts';
import type { StatsView } from '../../../src/areas/qr/codes/schemas.ts';
import { dayMs, minuteMs } from '../../../src/lib/durations.ts';
import { browser } from '../../support/app.ts';
import { type Codes, qrClient, target } from './support.ts';

const base = 'https://svc.example';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Mobile Safari/537.36';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('named', { clock });
const qr = qrClient(app);
beforeEach(() => {
  offset = 0;
});

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

describe('a scan', () => {
  it('leads to the target once it is on disk as an event of the site', async () => {
    const { id, code, ...created } = await qr.create({ site_id: 'shop.example' });
    expect(created).toMatchObject({
      short_url: `${base}/q/${code}`,
      text: `${base}/q/${code}?qr=1`,
      scans: 0,
    });
    const answer = await qr.scan(code, { referer: 'https://chat.example/' });
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: target, 'cache-control': expect.stringContaining('no-store') as string },
    });
    const events = await qr.eventsOf(code);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      site_id: 'shop.example',
      event: 'qr_scan',
      pathname: `/q/${code}`,
      bot: false,
    });
    const seen = await qr.show(id);
    expect(seen.scans).toBe(1);
    expect(Date.parse(seen.last_scanned_at ?? '')).toBeGreaterThan(Date.now() - minuteMs);
  });

  it('is distinguished from a click on the short link', async () => {
    const { id, code } = await qr.create();
    const click = await qr.client.get(`/q/${code}`, { headers: { 'user-agent': browser } });
    expect(click.status).toBe(302);
    await qr.scan(code);
    const events = (await qr.eventsOf(code)).map(({ event }) => event);
    expect(events.sort()).toEqual(['qr_link', 'qr_scan']);
    expect((await qr.show(id)).scans).toBe(1);
  });

  it('by a bot or a link preview is stored, and does not count', async () => {
    const { id, code } = await qr.create();
    for (const agent of ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0'])
      expect(await qr.leadsTo(code, { 'user-agent': agent })).toBe(target);
    expect((await qr.eventsOf(code)).map(({ bot }) => bot)).toEqual([true, true, true]);
    expect((await qr.show(id)).scans).toBe(0);
  });

  it('that only fetches ahead leaves no event', async () => {
    const { code } = await qr.create();
    expect(await qr.leadsTo(code, { 'sec-purpose': 'prefetch;prerender' })).toBe(target);
    expect(await qr.client.send('HEAD', `/q/${code}?qr=1`)).toMatchObject({
      status: 302,
      headers: { location: target },
      text: '',
    });
    expect(await qr.eventsOf(code)).toEqual([]);
  });

  it('of a code in capitals works', async () => {
    const { code } = await qr.create();
    expect(await qr.leadsTo(code.toUpperCase())).toBe(target);
  });

  it('has the campaign, in the target and in the figures', async () => {
    const url = `${target}?utm_source=shelf&a=1#top`;
    const { code } = await qr.create({ url, utm_source: 'poster', utm_campaign: 'spring sale' });
    expect(await qr.leadsTo(code)).toBe(
      `${target}?utm_source=shelf&a=1&utm_campaign=spring+sale#top`,
    );
    const campaign = { utm_source: 'poster', utm_campaign: 'spring sale' };
    expect((await qr.eventsOf(code))[0]).toMatchObject(campaign);
  });
});

describe('the target of a code', () => {
  it('can change after printing, at once, and come back', async () => {
    const { id, code, text } = await qr.create();
    expect(await qr.leadsTo(code)).toBe(target);
    const changed = await qr.codes.patch(`/${id}`, { url: 'https://example.com/summer' });
    expect(changed.body.text).toBe(text);
    expect(await qr.leadsTo(code)).toBe('https://example.com/summer');
    const targetsOf = async () =>
      (await qr.codes.get<{ data: FormerTargetView[] }>(`/${id}/targets`)).body.data;
    const former = await targetsOf();
    expect(former).toMatchObject([{ url: target, rules: [] }]);
    expect((await qr.codes.post(`/${id}/restore`)).body.url).toBe(target);
    expect(await qr.leadsTo(code)).toBe(target);
    await qr.codes.patch(`/${id}`, { url: 'https://example.com/winter' });
    await qr.codes.post(`/${id}/restore`, { target_id: former[0]?.id });
    expect(await qr.leadsTo(code)).toBe(target);
    expect(await targetsOf()).toHaveLength(4);
    const other = await qr.create();
    const foreign = await qr.codes.post(`/${other.id}/restore`, { target_id: former[0]?.id });
    expect(foreign).toBeProblem(404, 'qr.target_not_found');
  });

  it('depends on device, country and language, by the first rule that fits', async () => {
    const { code } = await qr.create({
      rules: [
        { device: 'ios', language: 'de', url: 'https://example.com/ios-de' },
        { device: 'ios', url: 'https://example.com/ios' },
        { country: 'DE', url: 'https://example.com/germany' },
        { language: 'pt-br', url: 'https://example.com/brazil' },
      ],
    });
    const german = '85.214.132.117';
    const german_ios = { 'user-agent': iphone, 'accept-language': 'en;q=0.5, de-AT' };
    expect(await qr.leadsTo(code, german_ios)).toBe('https://example.com/ios-de');
    expect(await qr.leadsTo(code, { 'user-agent': iphone })).toBe('https://example.com/ios');
    expect(await qr.leadsTo(code, { 'user-agent': android }, german)).toBe(
      'https://example.com/germany',
    );
    expect(await qr.leadsTo(code, { 'accept-language': 'pt-BR,pt;q=0.9' })).toBe(
      'https://example.com/brazil',
    );
    expect(await qr.leadsTo(code, { 'accept-language': 'pt' })).toBe(target);
  });
});

/** What a program sees that opens the link of a code. */
const seenByProgram = (code: string) => qr.client.get(`/q/${code}?qr=1`);

describe('a code that does not work', () => {
  it('is a page for browsers and a problem for programs', async () => {
    expect(await qr.scan('nowhere')).toMatchObject({
      status: 404,
      headers: { 'content-type': expect.stringContaining('text/html') as string },
    });
    expect(await seenByProgram('nowhere')).toBeProblem(404, 'qr.unknown');
  });

  it('is paused', async () => {
    const { code, status } = await qr.create({ active: false });
    expect(status).toBe('paused');
    expect((await seenByProgram(code)).body.code).toBe('qr.paused');
  });

  it('has not begun, or is over and may lead elsewhere then', async () => {
    const { id, code, status } = await qr.create({ starts_at: inDays(1), expires_at: inDays(2) });
    expect(status).toBe('scheduled');
    const early = await seenByProgram(code);
    expect(early).toBeProblem(403, 'qr.not_yet');
    expect(Date.parse(String(early.headers['retry-after']))).toBeCloseTo(Date.now() + dayMs, -5);
    const { starts_at: startsAt, retry_after: seconds, detail } = early.body;
    expect(detail).toContain(startsAt);
    expect(seconds).toBeGreaterThan(86_000);
    const page = await qr.scan(code);
    expect(page.status).toBe(403);
    expect(page.text).toContain('<h1>This code isn’t active yet</h1>');
    expect(page.text).toMatch(/It will work from \w+ \d+, \d{4}/);
    expect(page.text).not.toContain('the given time');
    offset = dayMs + minuteMs;
    expect(await qr.leadsTo(code)).toBe(target);
    offset = 2 * dayMs + minuteMs;
    expect((await seenByProgram(code)).body.code).toBe('qr.expired');
    expect((await qr.show(id)).status).toBe('expired');
    await qr.codes.patch(`/${id}`, { expired_url: 'https://example.com/sorry' });
    expect(await qr.leadsTo(code)).toBe('https://example.com/sorry');
    expect((await qr.eventsOf(code)).map(({ props }) => props)).toEqual([
      { result: 'target' },
      { result: 'expired_url' },
    ]);
  });

  it('is deleted', async () => {
    const { id, code } = await qr.create();
    await qr.scan(code);
    expect((await qr.codes.delete(`/${id}`)).status).toBe(200);
    expect(await qr.leadsTo(code)).toBe(404);
  });
});

describe('a scan limit', () => {
  it('lets through exactly as many of 200 scans at once', async () => {
    const { id, code } = await qr.create({ scan_limit: 50 });
    const all = await Promise.all(Array.from({ length: 200 }, () => qr.leadsTo(code)));
    expect(all.filter((found) => found === target)).toHaveLength(50);
    expect(all.filter((found) => found === 410)).toHaveLength(150);
    expect(await qr.show(id)).toMatchObject({ scans_used: 50, status: 'used_up' });
    await app.applied();
    expect((await qr.show(id)).scans).toBe(50);
  });

  it('is neither used up nor passed by programs', async () => {
    const { id, code } = await qr.create({ scan_limit: 1 });
    for (const headers of [
      { 'user-agent': 'WhatsApp/2.23' },
      { 'user-agent': 'facebookexternalhit/1.1' },
      { 'user-agent': '' },
      { 'sec-purpose': 'prefetch' },
      { purpose: 'preview' },
      { 'x-moz': 'prefetch' },
    ]) {
      const { status, text } = await qr.scan(code, headers);
      expect(status).toBe(200);
      expect(text).not.toContain('example.com/spring');
    }
    expect((await qr.show(id)).scans_used).toBe(0);
    expect(await qr.leadsTo(code)).toBe(target);
    expect(await qr.leadsTo(code)).toBe(410);
    await qr.codes.patch(`/${id}`, { scan_limit: 2 });
    expect(await qr.leadsTo(code)).toBe(target);
  });
});

describe('what visitors see of a code that leads nowhere', () => {
  it('is one card in their words, with the owner’s brand, not that of the platform', async () => {
    const paused = await qr.create({ active: false });
    const expired = await qr.create({ expires_at: inDays(-1) });
    const early = await qr.create({ starts_at: '2199-12-24T00:00:00Z' });
    const limited = await qr.create({ scan_limit: 1 });
    const closed = await qr.create({ password: 'open sesame' });
    expect(await qr.leadsTo(limited.code)).toBe(target);
    for (const [code, status, heading, sentence] of [
      [paused.code, 410, 'This code is paused', 'Please try again later.'],
      [expired.code, 410, 'This code has expired', 'limited time'],
      [limited.code, 410, 'This code has been used up', 'limited number of times'],
      [early.code, 403, 'This code isn’t active yet', 'It will work from December 24, 2199.'],
      ['nowhere', 404, 'We can’t find this code', 'check it for typos'],
      [closed.code, 200, 'Enter the password', 'ask the person who gave you this code'],
    ] as const) {
      const page = await qr.scan(code);
      expect(page.status).toBe(status);
      expect(page.text).toContain(`<h1>${heading}</h1>`);
      expect(page.text).toContain(sentence);
      expect(page.text).toContain('class="visitor-brand"');
      expect(page.text).not.toMatch(/<nav|<a |Request refused|Not allowed/);
    }
  });
});

describe('the password of a code', () => {
  it('redirects only once it is right, and is never shown', async () => {
    const created = await qr.create({ password: 'open sesame' });
    expect(created.has_password).toBe(true);
    expect(JSON.stringify(created)).not.toContain('sesame');
    const { code } = created;
    const form = await qr.scan(code);
    expect(form.status).toBe(200);
    expect(form.text).toContain(`action="/q/${code}?qr=1"`);
    expect(form.text).not.toContain(target);
    const wrong = await qr.enterPassword(code, 'open');
    expect(wrong).toMatchObject({ status: 403 });
    expect(wrong.headers).not.toHaveProperty('refresh');
    expect(wrong.text).not.toContain(target);
    expect(await qr.eventsOf(code)).toEqual([]);
    expect(await qr.enterPassword(code, 'open sesame')).toMatchObject({
      status: 200,
      headers: { refresh: `0;url=${target}` },
    });
    expect((await qr.eventsOf(code)).map(({ event }) => event)).toEqual(['qr_scan']);
    expect(app.log()).not.toContain('sesame');
  });

  it('can be guessed ten times from one address', async () => {
    const { code } = await qr.create({ password: 'open sesame' });
    for (let tries = 0; tries < 10; tries += 1)
      expect((await qr.enterPassword(code, 'wrong', '198.51.100.9')).status).toBe(403);
    const locked = await qr.enterPassword(code, 'open sesame', '198.51.100.9');
    expect(locked.status).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeCloseTo(900, -1);
    expect((await qr.enterPassword(code, 'open sesame', '198.51.100.10')).status).toBe(200);
    // Twelve hashes, each of which is slow on purpose.
  }, 60_000);

  it('can be removed', async () => {
    const { id, code } = await qr.create({ password: 'open sesame' });
    await qr.codes.patch(`/${id}`, { password: null });
    expect(await qr.leadsTo(code)).toBe(target);
  });
});

describe('the figures of a code', () => {
  it('tell when, where and with what it was scanned, without bots', async () => {
    const { id, code } = await qr.create({ site_id: 'figures.example' });
    const other = await qr.create({ site_id: 'figures.example' });
    await qr.scan(code, { 'user-agent': iphone, 'accept-language': 'de' }, '85.214.132.117');
    await qr.scan(code, { 'user-agent': iphone, 'accept-language': 'de' }, '85.214.132.117');
    await qr.scan(code, { 'user-agent': android }, '198.51.100.7');
    await qr.scan(code, { 'user-agent': 'WhatsApp/2.23' });
    await qr.scan(other.code);
    await app.applied();
    const { body: stats } = await qr.codes.get<StatsView>(`/${id}/stats?period=24h`);
    expect(stats).toMatchObject({ scans: 3, people: 2, bots: 1, filter: `tag:is:${code}` });
    expect(stats.countries).toContainEqual({ value: 'DE', people: 1, visits: 1 });
    expect(stats.operating_systems.map(({ value }) => value).sort()).toEqual(['Android', 'iOS']);
    expect(stats.series.reduce((sum, { scans }) => sum + scans, 0)).toBe(3);
    const listed = await qr.codes.get<Codes>('?site_id=figures.example&sort=created_at');
    expect(listed.body.data.map(({ scans }) => scans)).toEqual([3, 1]);
    expect(stats.rules).toEqual([]);
    expect((await qr.codes.get(`/${id}/stats?foo=1`)).status).toBe(422);
  });

  it('counts the scans of a code with rules by the rule that chose the target', async () => {
    const { id, code } = await qr.create({
      site_id: 'rules.example',
      rules: [
        { device: 'ios', country: 'DE', url: 'https://example.com/ios' },
        { language: 'nl', url: 'https://example.com/nl' },
      ],
    });
    await qr.scan(code, { 'accept-language': 'nl-NL' });
    await qr.scan(code, { 'accept-language': 'nl' }, '198.51.100.21');
    await qr.scan(code, { 'accept-language': 'en' });
    await qr.scan(code, { 'user-agent': 'WhatsApp/2.23', 'accept-language': 'nl' });
    await app.applied();
    const { body } = await qr.codes.get<StatsView>(`/${id}/stats?period=24h`);
    expect(body.rules).toEqual([
      { rule: { language: 'nl' }, scans: 2 },
      { rule: null, scans: 1 },
    ]);
  });
});
