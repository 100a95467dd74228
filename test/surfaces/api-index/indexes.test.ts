import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeTable } from '../../../src/platform/http/scopes.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';

const seven = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;
const base = 'https://svc.example';

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: base } });
}, 60_000);
afterAll(() => app.close());

interface Area {
  name: string;
  summary: string;
  entry: { method: string; path: string };
  operations: number;
  docs: string;
}

const areasOf = async (url: string) => (await app.http.inject(url)).json<{ areas: Area[] }>().areas;

describe.each(['/api/', '/api/v1/'])('%s', (path) => {
  it('lists areas with a reference that exists and an entry that is answered', async () => {
    const areas = await areasOf(path);
    expect(areas.length).toBeGreaterThan(3);
    for (const { name, summary, entry, operations, docs } of areas) {
      expect([name, summary]).not.toContain('');
      expect(operations).toBeGreaterThan(0);
      expect(docs.startsWith(`${base}/developer/reference/`)).toBe(true);
      const page = await app.http.inject(docs.slice(base.length));
      expect({ docs, status: page.statusCode }).toEqual({ docs, status: 200 });
      if (entry.method !== 'GET' || entry.path.includes('{')) continue;
      const answer = await app.http.inject(entry.path);
      expect({ path: entry.path, status: answer.statusCode }).not.toEqual({
        path: entry.path,
        status: 404,
      });
    }
  }, 120_000);

  it('is the same with and without a slash, can be cached, and reads nothing', async () => {
    const first = await app.http.inject(path);
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=600',
    });
    const again = await app.http.inject({
      url: path.replace(/\/$/, ''),
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
    const odd = await app.http.inject(`${path}?path=/etc/passwd&areas=__proto__`);
    expect(odd.body).toBe(first.body);
    expect((await app.http.inject({ method: 'POST', url: path })).statusCode).toBe(405);
  });
});

it('/api/ has every documented area; /api/v1/ has those below it only', async () => {
  const tags = new Set(
    routeTable(app.http)
      .filter(({ isHidden, tags: all }) => !isHidden && !all.includes('pages'))
      .flatMap(({ tags: [tag = ''] }) => tag),
  );
  expect((await areasOf('/api/')).map(({ name }) => name).sort()).toEqual([...tags].sort());
  const first = await areasOf('/api/v1/');
  expect(first.map(({ entry }) => entry.path.startsWith('/api/v1/'))).not.toContain(false);
  expect(first.map(({ name }) => name)).toEqual(expect.arrayContaining(['geoip', 'web']));
  expect(first.map(({ name }) => name)).not.toContain('analytics');
});

describe('/cmyk/api/', () => {
  it('lists the endpoints of cmyk as the route table has them', async () => {
    const { endpoints, ...rest } = (await app.http.inject('/cmyk/api/')).json<{
      endpoints: { method: string; path: string; summary: string }[];
    }>();
    expect(rest).toEqual({
      service: 'cmyk',
      version: expect.any(String) as string,
      method: 'GET',
      docs: '/cmyk/docs/',
    });
    const expected = routeTable(app.http)
      .map(({ method, url }) => `${method} ${url}`)
      .filter((route) => / \/api\/(auth\/cmyk|cmyk)\b/.test(route));
    expect(expected).toContain('POST /api/cmyk/auth/otp/send');
    expect(expected).toContain('POST /api/auth/cmyk/phone');
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
    for (const { method, path, summary } of endpoints) {
      expect(summary).not.toBe('');
      const answer = await app.http.inject({
        method: method === 'POST' ? 'POST' : 'GET',
        url: path,
      });
      expect({ path, includes: [404, 405].includes(answer.statusCode) }).toEqual({
        path,
        includes: false,
      });
    }
    expect((await app.http.inject('/cmyk/docs/')).statusCode).toBe(200);
  });

  it.each(seven)('hostile: %s with any body changes nothing', async (method) => {
    const answer = await app.http.inject({
      method,
      url: '/cmyk/api/',
      ...(['GET', 'HEAD'].includes(method)
        ? {}
        : { payload: '{"endpoints":[]', headers: { 'content-type': 'application/json' } }),
    });
    expect({ status: answer.statusCode, 'cache-control': answer.headers['cache-control'] }).toEqual(
      { status: 200, 'cache-control': 'no-store' },
    );
    if (method === 'HEAD') expect(answer.body).toBe('');
    else expect(answer.json()).toMatchObject({ service: 'cmyk', method });
    if (method === 'OPTIONS')
      expect(String(answer.headers.allow).split(', ').sort()).toEqual([...seven].sort());
  });
});
