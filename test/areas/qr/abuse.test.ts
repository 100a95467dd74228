import { describe, expect, it } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { qrClient, target } from './support.ts';

const app = await freshApp({
  env: { BASE_URL: 'https://svc.example', SITE_LIMIT: '2' },
});
const qr = qrClient(app);

const evil = encodeURIComponent('https://evil.example/');

describe('a short link', () => {
  it.each([`url=${evil}`, `redirect_uri=${evil}`, `//${evil}`, `@${evil}`, `next=${evil}&qr=1`])(
    'leads to the admin’s target even with the query %s, which only follows it',
    async (query) => {
      const { code } = await qr.create();
      expect(await qr.client.get(`/q/${code}?${query}`)).toMatchObject({
        status: 302,
        headers: { location: `${target}?${query.replace('&qr=1', '')}` },
      });
    },
  );

  it.each(['/q//evil.example', '/q/%2f%2fevil.example', '/q/..%2f..%2fevil.example'])(
    'never leads to the host in a path such as %s',
    async (path) => {
      const { status, headers, text } = await qr.client.get(path);
      expect(status).toBe(404);
      expect(headers).not.toHaveProperty('location');
      expect(text).not.toContain('href="//');
    },
  );

  it('never leads to the host in the Host header', async () => {
    const { code } = await qr.create();
    const { headers } = await qr.client.get(`/q/${code}`, { headers: { host: 'evil.example' } });
    expect(JSON.stringify(headers)).not.toContain('evil.example');
  });

  it('that is guessed is unknown, and the attempt is not stored', async () => {
    const stranger = qr.client.from('198.51.100.30');
    for (let at = 0; at < 40; at += 1)
      expect((await stranger.get(`/q/guess${at}`)).status).toBe(404);
    expect(await qr.eventsOf('guess1')).toEqual([]);
  });

  it('takes the country from the connection, not from X-Forwarded-For', async () => {
    const rules = [{ country: 'DE', url: 'https://example.com/de' }];
    const { code } = await qr.create({ rules });
    const spoofed = { 'x-forwarded-for': '85.214.132.117' };
    expect(await qr.leadsTo(code, spoofed, '198.51.100.60')).toBe(target);
  });
});

describe('a QR code', () => {
  it('is refused for a new site when the list of sites is full; others still count', async () => {
    const { code } = await qr.create();
    for (const [site, status] of [
      ['flood-1.example', 200],
      ['flood-2.example', 422],
      ['flood-3.example', 422],
    ] as const) {
      const made = await qr.codes.post('', { name: 'Spring', url: target, site_id: site });
      expect(made.status).toBe(status);
    }
    await qr.scan(code, {}, '198.51.100.70');
    expect(await qr.eventsOf(code)).toHaveLength(1);
  });
});
