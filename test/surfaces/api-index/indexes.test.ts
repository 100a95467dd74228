import { describe, expect } from 'vitest';
import { routeTable } from '../../../src/platform/http/scopes.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';

const seven = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;
const base = 'https://svc.example';

const app = await sharedApp('named');
const client = new TestClient(app);

interface Area {
  name: string;
  summary: string;
  entry: { method: string; path: string };
  operations: number;
  docs: string;
}
const areasOf = async (url: string) => (await client.get<{ areas: Area[] }>(url)).body.areas;

describe.each(['/api/', '/api/v1/'])('%s', (path) => {
  it('lists areas with a reference that exists and an entry that is answered', async () => {
    const areas = await areasOf(path);
    expect(areas.length).toBeGreaterThan(3);
    for (const { name, summary, entry, operations, docs } of areas) {
      expect([name, summary]).not.toContain('');
      expect(operations).toBeGreaterThan(0);
      expect(docs.startsWith(`${base}/developer/reference/`)).toBe(true);
      expect((await client.get(docs.slice(base.length))).status, docs).toBe(200);
      if (entry.method !== 'GET' || entry.path.includes('{')) continue;
      expect((await client.get(entry.path)).status, entry.path).not.toBe(404);
    }
  }, 120_000);

  it('is the same with and without a slash, can be cached, and reads nothing', async () => {
    const { headers, text } = await client.get(path);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=600',
    });
    const ifChanged = { 'if-none-match': String(headers.etag) };
    const again = await client.get(path.replace(/\/$/, ''), { headers: ifChanged });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await client.get(`${path}?path=/etc/passwd&areas=__proto__`)).text).toBe(text);
    expect((await client.post(path)).status).toBe(405);
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
  for (const { entry } of first) expect(entry.path.startsWith('/api/v1/')).toBe(true);
  const names = first.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['geoip', 'web']));
  expect(names).not.toContain('analytics');
});

describe('/cmyk/api/', () => {
  it('lists the endpoints of cmyk as the route table has them', async () => {
    const { body } = await client.get<{
      endpoints: { method: string; path: string; summary: string }[];
    }>('/cmyk/api/');
    const { endpoints, ...rest } = body;
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
      const { status } = await client.send(method === 'POST' ? 'POST' : 'GET', path);
      expect([404, 405], path).not.toContain(status);
    }
    expect((await client.get('/cmyk/docs/')).status).toBe(200);
  });

  it.each(seven)('answers %s with any body, which changes nothing', async (method) => {
    const hasBody = !['GET', 'HEAD'].includes(method);
    const headers = { 'content-type': 'application/json' };
    const answer = hasBody
      ? await client.send(method, '/cmyk/api/', '{"endpoints":[]', { headers })
      : await client.send(method, '/cmyk/api/');
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    if (method === 'HEAD') expect(answer.text).toBe('');
    else expect(answer.body).toMatchObject({ service: 'cmyk', method });
    if (method === 'OPTIONS')
      expect(String(answer.headers.allow).split(', ').sort()).toEqual([...seven].sort());
  });
});
