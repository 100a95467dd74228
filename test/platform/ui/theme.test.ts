import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

const style = (headers: Record<string, string> = {}) =>
  app.http.inject({ url: '/theme.css', headers });
const choose = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url: '/theme',
    payload: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  });

describe('the theme', () => {
  it.each([
    [undefined, 'light dark'],
    ['theme=light', 'light'],
    ['theme=dark', 'dark'],
    ['a=b; theme=dark', 'dark'],
    ['theme=red', 'light dark'],
  ])('of the cookie %s is the colour scheme “%s”', async (cookie, scheme) => {
    const { statusCode, headers, body } = await style(cookie === undefined ? {} : { cookie });
    expect({
      statusCode,
      'content-type': headers['content-type'],
      'cache-control': headers['cache-control'],
    }).toEqual({
      statusCode: 200,
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(String(headers.vary).toLowerCase()).toContain('cookie');
    expect(body).toMatch(new RegExp(`^@media not print\\{:root\\{color-scheme:${scheme}[;}]`));
  });

  it('has an entity tag for each scheme', async () => {
    const { etag } = (await style()).headers;
    expect((await style({ 'if-none-match': String(etag) })).statusCode).toBe(304);
    expect((await style({ 'if-none-match': String(etag), cookie: 'theme=dark' })).statusCode).toBe(
      200,
    );
  });

  it('is chosen by a form, which leads back to its page', async () => {
    const { statusCode, headers } = await choose({ theme: 'dark', return_to: '/status?a=b#c' });
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 303,
      location: '/status?a=b#c',
    });
    const cookie = String(headers['set-cookie']);
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
    const refused = await choose({ theme: 'dark' }, { 'sec-fetch-site': 'cross-site' });
    expect(refused.statusCode).toBe(403);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    const wrong = await choose({ theme: 'red' });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.headers).not.toHaveProperty('set-cookie');
  });

  it.each(['/', '/login', '/status', '/developer/'])(
    'is the last style sheet of %s',
    async (url) => {
      const { body } = await app.http.inject({ url });
      const sheets = [...body.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
      expect(sheets.at(-1)?.[1]).toBe('/theme.css');
      const preload = '<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" ';
      expect(body).toContain(`${preload}href="/assets/inter.`);
    },
  );
});
