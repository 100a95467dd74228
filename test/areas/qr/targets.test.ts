import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createCodeLookup } from '../../../src/areas/qr/scans/lookup.ts';
import { createScanLimit } from '../../../src/areas/qr/scans/scan-limit.ts';
import { createScans } from '../../../src/areas/qr/scans/service.ts';
import type { QrCodeView } from '../../../src/areas/qr/schemas.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { browser } from '../../support/app.ts';
import { qrClient } from './support.ts';

const app = await sharedApp('named');
const qr = qrClient(app);

const readable = 'https://müller.example/日本?q=müller&x=M%FCller';
const stored = 'https://xn--mller-kva.example/%E6%97%A5%E6%9C%AC?q=m%C3%BCller&x=M%FCller';

describe('a target in letters of any script', () => {
  it('is stored as browsers send it, and scans get there', async () => {
    const { code, url } = await qr.create({ url: readable });
    expect(url).toBe(stored);
    expect(await qr.leadsTo(code)).toBe(stored);
  });

  it('works in rules, after the end, behind a password and in a static picture', async () => {
    const rules = [{ device: 'other', url: readable }];
    const ruled = await qr.create({ rules });
    expect(ruled.rules).toEqual([{ device: 'other', url: stored }]);
    expect(await qr.leadsTo(ruled.code)).toBe(stored);
    const past = new Date(Date.now() - 60_000).toISOString();
    const expired = await qr.create({ expires_at: past, expired_url: readable });
    expect(expired.expired_url).toBe(stored);
    expect(await qr.leadsTo(expired.code)).toBe(stored);
    const locked = await qr.create({ url: readable, password: 'open sesame' });
    expect(await qr.enterPassword(locked.code, 'open sesame')).toMatchObject({
      status: 200,
      headers: { refresh: `0;url=${stored}` },
      text: expect.stringContaining('müller.example') as string,
    });
    expect((await qr.create({ url: readable, dynamic: false })).text).toBe(stored);
  });

  it('works when it was stored before targets were normalized', async () => {
    const { id, code } = await qr.create({ rules: [{ device: 'ios', url: 'https://a.example/' }] });
    const rules = JSON.stringify([{ device: 'other', language: 'de', url: readable }]);
    await app.stores.db
      .updateTable('qr_codes')
      .set({ url: readable, rules })
      .where('id', '=', id)
      .execute();
    expect(await qr.leadsTo(code)).toBe(stored);
    expect(await qr.leadsTo(code, { 'accept-language': 'de' })).toBe(stored);
  });

  it('comes from a file and from a former target as well', async () => {
    const uploaded = await qr.uploadCsv(`name,url\nTisch,${readable}\n`);
    const { id: batch } = await qr.finished(uploaded.body.id);
    const { body } = await qr.codes.get<{ data: QrCodeView[] }>(`?batch_id=${batch}`);
    expect(body.data.map(({ url }) => url)).toEqual([stored]);
  });
});

describe('a scan that fails', () => {
  it('is no scan for the limit', async () => {
    const { id, code } = await qr.create({ scan_limit: 1 });
    const { db } = app.stores;
    const clock = { now: () => Date.now() };
    const { bus } = app.services;
    const lookup = createCodeLookup({ db, logger: pino({ enabled: false }), clock, bus });
    let isBroken = true;
    const scans = createScans({
      lookup,
      scanLimit: createScanLimit(db),
      record: () => (isBroken ? Promise.reject(new Error('disk full')) : Promise.resolve()),
      passwords: { isCorrect: () => Promise.resolve(true) },
      attempts: { begin: () => Promise.resolve(0), clear: () => Promise.resolve() },
      clock,
      geoip: { country: () => undefined },
    });
    const request = { method: 'GET', headers: { 'user-agent': browser }, ip: '198.51.100.7' };
    const scan = () => scans.open(request, code, { isScan: true, query: '' });
    await expect(scan()).rejects.toThrow('disk full');
    expect(await qr.show(id)).toMatchObject({ scans_used: 0, status: 'active' });
    isBroken = false;
    expect(await scan()).toMatchObject({ kind: 'redirect' });
    await expect(scan()).rejects.toThrow('has reached its scan limit');
    expect((await qr.show(id)).scans_used).toBe(1);
  });
});

describe('the campaign of a code', () => {
  it.each([
    ['https://alt.example/s.php?q=M%FCller&x=1', 'q=M%FCller&x=1&utm_source=p'],
    ['https://b.example/f?d=a%20b~c&flag&X-Sig=1', 'd=a%20b~c&flag&X-Sig=1&utm_source=p'],
    ['https://c.example/?a=1;b=2', 'a=1;b=2&utm_source=p'],
    ['https://d.example/?', 'utm_source=p'],
    ['https://e.example/?a#b?c', 'a&utm_source=p#b?c'],
    ['https://f.example/?utm_source=own', 'utm_source=own'],
  ])('leaves the text of %s as it is', async (url, query) => {
    const { code } = await qr.create({ url, utm_source: 'p' });
    const leadsTo = String(await qr.leadsTo(code));
    expect(leadsTo.slice(leadsTo.indexOf('?') + 1)).toBe(query);
  });
});

describe('the query of a short link', () => {
  const open = async (code: string, query: string) =>
    (await qr.client.get(`/q/${code}${query}`, { headers: { 'user-agent': browser } })).headers
      .location;

  it.each([
    ['https://a.example/', '?utm_source=a&gclid=b', 'https://a.example/?utm_source=a&gclid=b'],
    ['https://a.example/?', '?a=%FC%20~;b&&c', 'https://a.example/?a=%FC%20~;b&c'],
    ['https://a.example/?x=1#top', '?x=2&y=3&y=4', 'https://a.example/?x=1&y=3&y=4#top'],
    ['https://a.example/', '?qr=1&%71r=2&password=x&z=1', 'https://a.example/?z=1'],
    ['https://a.example/', '?qr=1', 'https://a.example/'],
    ['https://a.example/', '?', 'https://a.example/'],
  ])('is added to the target %s: %s', async (url, query, expected) => {
    const { code, forward_query: isForwarded } = await qr.create({ url });
    expect(isForwarded).toBe(true);
    expect(await open(code, query)).toBe(expected);
  });

  it('does not replace the campaign of the code', async () => {
    const { code } = await qr.create({ url: 'https://a.example/', utm_source: 'poster' });
    expect(await open(code, '?utm_source=a&utm_medium=b')).toBe(
      'https://a.example/?utm_source=poster&utm_medium=b',
    );
  });

  it('gets past the password, to rules and to the target after the end', async () => {
    const { id, code } = await qr.create({ url: 'https://a.example/', password: 'open sesame' });
    const form = await qr.client.page(`/q/${code}?qr=1&gclid=b`);
    const action = /action="([^"]+)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(action).toBe(`/q/${code}?qr=1&gclid=b`);
    const entered = await qr.client.form(action, { password: 'open sesame' });
    expect(entered.headers.refresh).toBe('0;url=https://a.example/?gclid=b');
    await qr.codes.patch(`/${id}`, {
      password: null,
      rules: [{ device: 'other', url: 'https://b.example/?c' }],
    });
    expect(await open(code, '?gclid=b')).toBe('https://b.example/?c&gclid=b');
    const past = new Date(Date.now() - 60_000).toISOString();
    await qr.codes.patch(`/${id}`, { expires_at: past, expired_url: 'https://c.example/' });
    expect(await open(code, '?gclid=b')).toBe('https://c.example/?gclid=b');
  });

  it('stays behind when the code says so', async () => {
    const { id, code } = await qr.create({ url: 'https://a.example/', forward_query: false });
    expect(await open(code, '?gclid=b')).toBe('https://a.example/');
    expect((await qr.codes.patch(`/${id}`, { forward_query: true })).status).toBe(200);
    expect(await open(code, '?gclid=b')).toBe('https://a.example/?gclid=b');
    const uploaded = await qr.uploadCsv('name,url,forward_query\nA,https://a.example/,false\n');
    await qr.finished(uploaded.body.id);
    const { body } = await qr.codes.get<{ data: QrCodeView[] }>(`?batch_id=${uploaded.body.id}`);
    expect(body.data.map(({ forward_query: isForwarded }) => isForwarded)).toEqual([false]);
  });

  it('is passed on up to 2,048 characters, in whole parameters', async () => {
    const { code } = await qr.create({ url: 'https://a.example/' });
    const long = 'x'.repeat(1500);
    expect(await open(code, `?a=${long}&b=${long}&c=1`)).toBe(`https://a.example/?a=${long}&c=1`);
  });
});
