import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient } from '../../support/client.ts';
import { loadWebScript } from '../../../src/platform/ui/web-script.ts';
import { webFolder } from '../../support/app.ts';

const app = await sharedApp();

const url = '/global-message-handler.js';
const get = (query = '', headers: Record<string, string> = {}) =>
  new TestClient(app).get(url + query, { headers });

describe('/global-message-handler.js', () => {
  it('is a script for pages of any site, cached for five minutes', async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
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
    const { etag } = (await get()).headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get('', { 'if-none-match': String(etag) });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await get('', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is cached for a year only at the URL with its version', async () => {
    const { text, version } = await loadWebScript(webFolder, 'global-message-handler.js');
    const answer = await get(`?v=${version}`);
    expect(answer.text).toBe(text);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const query of ['v=', 'v=0123456789ab', `v=other&v=${version}`, `w=${version}`]) {
      const { status, headers } = await get(`?${query}`);
      expect(status, query).toBe(200);
      expect(headers['cache-control'], query).toBe('public, max-age=300');
    }
  });

  it('is documented with a script tag whose integrity hash is correct', async () => {
    const { body } = await new TestClient(app).get<{
      paths: Record<string, { get: { description: string } }>;
    }>('/api/openapi.json');
    const { src, integrity } =
      /src="(?<src>[^"]+)" integrity="(?<integrity>[^"]+)" crossorigin="anonymous"/.exec(
        body.paths[url]?.get.description ?? '',
      )?.groups ?? {};
    const { search } = new URL(src ?? '');
    expect(src).toContain(url);
    const { text, headers } = await get(search);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(text).digest('base64')}`);
    expect(headers['cache-control']).toContain('immutable');
  });

  it(`is at most 2.5 KB gzipped`, async () => {
    const { text } = await get();
    const size = gzipSync(text, { level: 9 }).length;
    process.stdout.write(`global-message-handler.js: ${text.length} bytes, ${size} gzipped\n`);
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
