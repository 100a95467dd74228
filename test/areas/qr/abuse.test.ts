import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { createQrTests, target } from './support.ts';

let app: FreshApp;
const { request, call, create, get, scan, eventsOf } = createQrTests(() => app);
beforeAll(async () => {
  app = await freshApp({
    env: { BASE_URL: 'https://svc.example', SITE_LIMIT: '2', RATE_LIMIT: 'on' },
  });
}, 60_000);
afterAll(() => app.close());

const png = { 'content-type': 'image/png' };
const uploadLogo = (payload: Buffer) =>
  request({ method: 'POST', url: '/api/v1/qr-logos', headers: { ...asAdmin, ...png }, payload });

describe('abuse of a code', () => {
  it('adds a target of its own to the short link: leads to the admin’s target', async () => {
    const { code } = await create();
    const evil = encodeURIComponent('https://evil.example/');
    for (const query of [`url=${evil}`, `next=${evil}&qr=1`, `redirect_uri=${evil}`, `//${evil}`]) {
      const { statusCode, headers } = await request({ url: `/q/${code}?${query}` });
      expect({ statusCode, location: headers.location }).toEqual({
        statusCode: 302,
        location: target,
      });
    }
  });

  it('puts another host into the path or the Host header: never in an answer', async () => {
    const { code } = await create();
    for (const url of ['/q//evil.example', '/q/%2f%2fevil.example', '/q/..%2f..%2fevil.example']) {
      const { statusCode, headers, body } = await request({ url });
      expect({ statusCode, location: headers.location }).toEqual({
        statusCode: 404,
        location: undefined,
      });
      expect(body).not.toContain('href="//');
    }
    const { headers } = await request({ url: `/q/${code}`, headers: { host: 'evil.example' } });
    expect(JSON.stringify(headers)).not.toContain('evil.example');
  });

  it('ends the Location header early: refused', async () => {
    for (const url of [`${target}\r\nset-cookie: a=b`, `${target}\n`, `${target}\u2028x`])
      expect((await call('POST', '', { name: 'Spring', url })).statusCode).toBe(422);
  });

  it('makes a chain of short links, or a loop: refused', async () => {
    const { id, short_url: own } = await create();
    for (const url of [own, own?.toUpperCase().replace('HTTPS', 'https'), `${own ?? ''}/../x`]) {
      const answer = await call('PATCH', `/${id}`, { url });
      expect(answer.statusCode).toBe(422);
    }
    expect((await get(id)).url).toBe(target);
  });

  it('guesses short links: all the same answer, and none of them is stored', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        request({ url: `/q/guess${at}`, remoteAddress: '198.51.100.30' }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
    expect(await eventsOf('guess1')).toEqual([]);
  });

  it('scans as often as it can from one address: 429, for that address alone', async () => {
    const { code } = await create();
    let last = 302;
    for (let sent = 0; sent < 1300 && last === 302; sent += 1)
      last = (await scan(code, {}, '198.51.100.40')).statusCode;
    expect(last).toBe(429);
    expect((await scan(code, {}, '198.51.100.41')).statusCode).toBe(302);
  }, 60_000);

  it('looks like a preview, or like nothing: does not use up the limit', async () => {
    const { id, code } = await create({ scan_limit: 1 });
    for (const headers of [
      { purpose: 'preview' },
      { 'x-moz': 'prefetch' },
      { 'user-agent': 'facebookexternalhit/1.1' },
      { 'user-agent': '' },
    ])
      expect((await scan(code, headers, '198.51.100.50')).headers.location).toBeUndefined();
    expect((await get(id)).scans_used).toBe(0);
  });

  it('claims to come from elsewhere with X-Forwarded-For: the connection counts', async () => {
    const rules = [{ country: 'DE', url: 'https://example.com/de' }];
    const { code } = await create({ rules });
    const spoofed = { 'x-forwarded-for': '85.214.132.117' };
    expect((await scan(code, spoofed, '198.51.100.60')).headers.location).toBe(target);
  });

  it('puts markup into a name and a target: shown as text, kept as it is', async () => {
    const name = '<script>alert(1)</script>';
    const { id } = await create({ name, url: 'https://example.com/?"><img>' });
    expect((await get(id)).name).toBe(name);
    const { body } = await request({
      url: `/api/v1/qr-codes/${id}/image.svg`,
      headers: { ...asAdmin },
    });
    expect(body).not.toContain('<script');
    expect(body).toContain('&lt;script');
  });

  it('asks for colors that hide the code: refused, with what to change', async () => {
    const style = { foreground: '#fefefe', background: '#ffffff' };
    const answer = await call('POST', '', { name: 'Spring', url: target, style });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('style');
  });

  it('uploads a bomb, an SVG, or a file with a false type as a logo: refused', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    expect((await uploadLogo(svg)).statusCode).toBe(415);
    expect((await uploadLogo(gzipSync(Buffer.alloc(1000)))).statusCode).toBe(415);
    const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const size = Buffer.from('0000ffff0000ffff0806000000', 'hex');
    expect((await uploadLogo(Buffer.concat([header, size]))).statusCode).toBe(422);
    expect((await uploadLogo(Buffer.alloc(9 * 1024 * 1024, 1))).statusCode).toBe(413);
  });

  it('makes the service draw what nobody could scan: refused before it is drawn', async () => {
    for (const query of [
      'text=',
      `text=${'x'.repeat(3000)}`,
      'text=a&size=100000',
      'text=a&margin=99',
    ])
      expect((await request({ url: `/api/v1/qr?${query}` })).statusCode).toBe(422);
  });

  it('fills the list of sites: 422, and existing codes still count', async () => {
    const { code } = await create();
    const before = (await eventsOf(code)).length;
    let refused = 0;
    for (const at of [1, 2, 3]) {
      const body = { name: 'Spring', url: target, site_id: `flood-${at}.example` };
      if ((await call('POST', '', body)).statusCode === 422) refused += 1;
    }
    expect(refused).toBe(2);
    await scan(code, {}, '198.51.100.70');
    expect(await eventsOf(code)).toHaveLength(before + 1);
  });

  it('reads or changes codes without the rights: 401, whatever the method', async () => {
    const { id } = await create();
    for (const [method, url] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/stats`],
      ['GET', `/${id}/image.svg`],
      ['GET', `/${id}/targets`],
    ] as const)
      expect((await call(method, url, method === 'GET' ? undefined : {}, {})).statusCode).toBe(401);
    expect((await get(id)).url).toBe(target);
  });
});
