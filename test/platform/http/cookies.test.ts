import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  clearedCookieHeader,
  cookieValues,
  loadCookies,
  setCookieHeader,
} from '../../../src/platform/http/cookies.ts';
import { codeOf, sourceFiles } from '../../contract/source-files.ts';

const http = fastify();
http.get('/events', ({ cookies }: { cookies?: unknown }) => ({ parsed: cookies !== undefined }));
await loadCookies(http);

describe('the values of a cookie', () => {
  it('are all values sent under its name, in order', () => {
    expect(cookieValues('a=1; b=2; a=3;a=4', 'a')).toEqual(['1', '3', '4']);
    expect(cookieValues('a=; a', 'a')).toEqual(['']);
    expect(cookieValues('ba=1; a.b=2; A=3', 'a')).toEqual([]);
    expect(cookieValues('', 'a')).toEqual([]);
    expect(cookieValues(undefined, 'a')).toEqual([]);
  });

  it('are unchanged except for surrounding spaces and tabs', () => {
    expect(cookieValues('a=%41; a=%; a="x y"; a=b=c=', 'a')).toEqual(['%41', '%', '"x y"', 'b=c=']);
    expect(cookieValues(';; \ta=\t 1 \t;', 'a')).toEqual(['1']);
    expect(cookieValues('a =1', 'a')).toEqual([]);
    expect(cookieValues('\u00a0a=1; \ufeffa=2', 'a')).toEqual([]);
  });

  it('do not include inherited members of objects', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(cookieValues(`x=${name}`, name)).toEqual([]);
    expect(cookieValues('__proto__=1', '__proto__')).toEqual(['1']);
  });
});

describe('a Set-Cookie header', () => {
  const expiresAt = Date.UTC(2026, 10, 23, 8);

  it('has the attributes that every cookie shares', () => {
    expect(setCookieHeader('a', 'v.w-x_y', { isHttps: true, expiresAt })).toBe(
      'a=v.w-x_y; Path=/; Expires=Mon, 23 Nov 2026 08:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    );
    expect(setCookieHeader('a', 'v', { isHttps: false, maxAgeSeconds: 60, path: '/share/x' })).toBe(
      'a=v; Max-Age=60; Path=/share/x; HttpOnly; SameSite=Lax',
    );
    expect(clearedCookieHeader('__Host-a', true)).toBe(
      '__Host-a=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });

  it('cannot be injected into', () => {
    expect(setCookieHeader('a', 'v; Domain=evil.example\r\nx: y', { isHttps: true })).toBe(
      'a=v%3B%20Domain%3Devil.example%0D%0Ax%3A%20y; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(() =>
      setCookieHeader('a', 'v', { isHttps: true, path: '/; Domain=evil.example' }),
    ).toThrow(TypeError);
    expect(() => setCookieHeader('a;b', 'v', { isHttps: true })).toThrow(TypeError);
  });

  it('is written in one source file only', () => {
    const writers = sourceFiles()
      .filter(({ text }) => /HttpOnly|SameSite|Max-Age=|httpOnly:/.test(codeOf(text)))
      .map(({ path }) => path);
    expect(writers).toEqual(['platform/http/cookies.ts']);
  });
});

it('cookies are not parsed for routes that do not read any', async () => {
  const answer = await http.inject({ url: '/events', headers: { cookie: 'a=1; b=2' } });
  expect(answer.json()).toEqual({ parsed: false });
  expect(http.hasRequestDecorator('cookies')).toBe(false);
});
