import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { loadWebScript } from '../../../src/platform/ui/web-script.ts';
import { type TestApp, webFolder } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });

describe('/global-message-handler.js', () => {
  it('is a script for pages of any site, cached for five minutes', async () => {
    const answer = await get('/global-message-handler.js');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  it('answers 304 when the ETag matches', async () => {
    const {
      headers: { etag },
    } = await get('/global-message-handler.js');
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get('/global-message-handler.js', { 'if-none-match': String(etag) });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
    expect(
      (await get('/global-message-handler.js', { 'if-none-match': '"other"' })).statusCode,
    ).toBe(200);
  });

  it('is cached for a year only at the URL with its version', async () => {
    const { text, version } = await loadWebScript(webFolder, 'global-message-handler.js');
    const answer = await get(`/global-message-handler.js?v=${version}`);
    expect({ 'cache-control': answer.headers['cache-control'], body: answer.body }).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      body: text,
    });
    for (const query of ['v=', 'v=0123456789ab', `v=other&v=${version}`, `w=${version}`]) {
      const { statusCode, headers } = await get(`/global-message-handler.js?${query}`);
      expect({ query, statusCode, 'cache-control': headers['cache-control'] }).toEqual({
        query,
        statusCode: 200,
        'cache-control': 'public, max-age=300',
      });
    }
  });

  it('is documented with a script tag whose integrity hash is correct', async () => {
    const { paths } = (await get('/api/openapi.json')).json<{
      paths: Record<string, { get: { description: string } }>;
    }>();
    const { src, integrity } =
      /src="(?<src>[^"]+)" integrity="(?<integrity>[^"]+)" crossorigin="anonymous"/.exec(
        paths['/global-message-handler.js']?.get.description ?? '',
      )?.groups ?? {};
    const { pathname, search } = new URL(src ?? '');
    const { body, headers } = await get(pathname + search);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(body).digest('base64')}`);
    expect(headers['cache-control']).toContain('immutable');
  });

  it(`is at most 2.5 KB gzipped`, async () => {
    const { body } = await get('/global-message-handler.js');
    const size = gzipSync(body, { level: 9 }).length;
    process.stdout.write(`global-message-handler.js: ${body.length} bytes, ${size} gzipped\n`);
    expect(size).toBeLessThanOrEqual(2500);
  });

  it('fails the startup with a hint when it is missing', async () => {
    await expect(
      loadWebScript(new URL('file:///nowhere/'), 'global-message-handler.js'),
    ).rejects.toThrow(
      'The script global-message-handler.js is not in file:///nowhere/: run npm run build.',
    );
  });
});
