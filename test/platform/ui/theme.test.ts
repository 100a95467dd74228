import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient } from '../../support/client.ts';

const client = new TestClient(await sharedApp());

const style = (headers: Record<string, string> = {}) => client.get('/theme.css', { headers });
const choose = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  client.form('/theme', form, { headers });

describe('the theme', () => {
  it.each([
    [undefined, 'light dark'],
    ['theme=light', 'light'],
    ['theme=dark', 'dark'],
    ['a=b; theme=dark', 'dark'],
    ['theme=red', 'light dark'],
  ])('of the cookie %s is the colour scheme “%s”', async (cookie, scheme) => {
    const sheet = await style(cookie === undefined ? {} : { cookie });
    expect(sheet).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
    });
    expect(String(sheet.headers.vary).toLowerCase()).toContain('cookie');
    expect(sheet.text).toMatch(
      new RegExp(`^@media not print\\{:root\\{color-scheme:${scheme}[;}]`),
    );
  });

  it('has an entity tag for each scheme', async () => {
    const known = { 'if-none-match': String((await style()).headers.etag) };
    expect((await style(known)).status).toBe(304);
    expect((await style({ ...known, cookie: 'theme=dark' })).status).toBe(200);
  });

  it('is chosen by a form, which leads back to its page', async () => {
    const chosen = await choose({ theme: 'dark', return_to: '/status?a=b#c' });
    expect(chosen).toMatchObject({ status: 303, headers: { location: '/status?a=b#c' } });
    const cookie = String(chosen.headers['set-cookie']);
    expect(cookie).toMatch(/^theme=dark;/);
    for (const part of ['Max-Age=31536000', 'Path=/', 'SameSite=Lax'])
      expect(cookie).toContain(part);
  });

  it('of the system removes the cookie', async () => {
    const { headers } = await choose({ theme: 'system' });
    expect(headers.location).toBe('/');
    expect(String(headers['set-cookie'])).toMatch(/^theme=;.*Max-Age=0/);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %s',
    async (target) => {
      expect((await choose({ theme: 'light', return_to: target })).headers.location).toBe('/');
    },
  );

  it('is not changed by another site, nor to another value', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const refused = await choose({ theme: 'dark' }, foreign);
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    const wrong = await choose({ theme: 'red' });
    expect(wrong.status).toBe(422);
    expect(wrong.headers).not.toHaveProperty('set-cookie');
  });

  it.each(['/', '/login', '/status', '/developer/'])(
    'is the last style sheet of %s',
    async (url) => {
      const { text } = await client.get(url);
      const sheets = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
      expect(sheets.at(-1)?.[1]).toBe('/theme.css');
      const preload = '<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" ';
      expect(text).toContain(`${preload}href="/assets/inter.`);
    },
  );
});
