import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { stubRoutes } from '../../../src/areas/stubs/routes.ts';
import type { StubRoutesOptions } from '../../../src/areas/stubs/routes.ts';
import { openGeoip } from '../../../src/platform/geoip.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const bodyMethods = ['PUT', 'POST', 'PATCH'];
const seven = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;

/** The stub routes of the interface, with exactly the methods that they answer. */
const table: [path: string, methods: readonly string[]][] = [
  ['/cmyk/api/', seven],
  ['/workflows/api/v1/auth/dev-access', seven],
  ['/workflows/api/v1/auth/dev-mode', seven],
  ['/workflows/api/v1/auth/dev-status', seven],
  ['/min/core/zipcodedeliverability/', ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']],
  ['/geoip-test/', ['GET']],
];

const open = (environment: StubRoutesOptions['environment'] = 'development', env: Record<string, string> = {}): Promise<FastifyInstance> =>
  withPublicRoutes(createTestHttp(env), (routes) => {
    routes.register(stubRoutes, { geoip: openGeoip(), environment, version: '0.1.0' });
  });

async function ask(app: FastifyInstance, options: InjectOptions) {
  const answer = await app.inject(options);
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.body === '' ? {} : answer.json<Record<string, unknown>>() };
}

describe.each(table)('%s', (path, methods) => {
  const noSlash = path.replace(/\/$/, '');

  it.each(methods.filter((method) => !['HEAD', 'OPTIONS'].includes(method)))('%s › 200 JSON, with and without slash', async (method) => {
    const app = await open();
    const answer = await ask(app, { method: method, url: noSlash });
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    if (!path.startsWith('/geoip')) expect(answer.body.method).toBe(method);
    expect((await ask(app, { method: method, url: `${noSlash}/` })).text).toBe(answer.text);
  });

  it.runIf(methods.includes('GET'))('HEAD › 200 without a body', async () => {
    const answer = await (await open()).inject({ method: 'HEAD', url: path });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
  });

  it.runIf(methods.includes('OPTIONS'))('OPTIONS › 200, and Allow names the seven methods', async () => {
    const { status, headers } = await ask(await open(), { method: 'OPTIONS', url: path });
    expect(status).toBe(200);
    expect(String(headers.allow).split(', ').sort()).toEqual([...seven].sort());
  });

  it.each(methods.filter((method) => bodyMethods.includes(method)))('%s › takes any JSON, and nothing', async (method) => {
    const app = await open();
    for (const payload of ['{"a":[1,{"b":null}]}', '[1,2]', '"text"', '5', 'null', '']) {
      const answer = await ask(app, { method: method, url: path, headers: { 'content-type': 'application/json' }, payload });
      expect(answer.status).toBe(200);
    }
    expect((await ask(app, { method: method, url: path, headers: { 'content-type': 'application/json' }, payload: '{' })).status).toBe(422);
    const large = JSON.stringify('x'.repeat(17 * 1024));
    expect((await ask(app, { method: method, url: path, headers: { 'content-type': 'application/json' }, payload: large })).status).toBe(413);
  });

  it('405 › tells the methods it answers', async () => {
    const app = await open();
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'].filter((name) => !methods.includes(name))) {
      const answer = await ask(app, { method: method, url: path });
      expect(answer.status).toBe(405);
      expect(String(answer.headers.allow)).toContain('GET');
    }
  });
});

describe('the development reports', () => {
  const paths = table.map(([path]) => path).filter((path) => path.includes('/dev-'));

  it.each(paths)('%s is enabled in development, for requests from this machine', async (url) => {
    const app = await open('development');
    expect((await ask(app, { url })).body).toMatchObject({ enabled: true, environment: 'development', changed: false });
    expect((await ask(app, { url, remoteAddress: '203.0.113.5' })).body).toMatchObject({ enabled: false });
  });

  it.each(paths)('%s is off outside development, whatever the method', async (url) => {
    for (const environment of ['production', 'test'] as const) {
      const app = await open(environment);
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
        expect((await ask(app, { method, url })).body).toMatchObject({ enabled: false, environment, changed: false });
      }
    }
  });

  it('are not fooled by a forwarded address from a trusted proxy', async () => {
    const app = await open('development', { TRUST_PROXY: '203.0.113.0/24' });
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    expect((await ask(app, { url: paths[0]!, remoteAddress: '203.0.113.5', headers })).body).toMatchObject({ enabled: false });
  });
});

describe('/min/core/zipcodedeliverability/', () => {
  it('keeps the format of a code apart from whether it exists and is served, which it does not know', async () => {
    const app = await open();
    const check = async (query: string) => (await ask(app, { url: `/min/core/zipcodedeliverability/?${query}` })).body;
    expect(await check('zip=94107')).toMatchObject({ postal_code: '94107', country: 'US', valid_format: true, known: null, deliverable: null, services: [] });
    expect(await check('zip=9410')).toMatchObject({ valid_format: false, deliverable: null });
    expect(await check('zip=K1A%200B1&country=ca')).toMatchObject({ country: 'CA', valid_format: true });
    expect(await check('zip=1010&country=AT')).toMatchObject({ country: 'AT', valid_format: null });
    expect(await check('')).toMatchObject({ postal_code: null, valid_format: null });
  });

  it('422 › refuses a country that is no code', async () => {
    expect((await ask(await open(), { url: '/min/core/zipcodedeliverability/?country=USA' })).status).toBe(422);
  });
});

describe('/geoip-test/', () => {
  it('tells the country of an address', async () => {
    const app = await open();
    const lookUp = async (ip: string) => (await ask(app, { url: `/geoip-test/?ip=${ip}` })).body;
    expect(await lookUp('193.99.144.80')).toEqual({
      ip: '193.99.144.80', version: 4, country: 'Germany', country_iso: 'DE', country_eu: true, bogon: false, source: 'iptoasn.com (PDDL)',
    });
    expect(await lookUp('2001:4860:4860::8888')).toMatchObject({ version: 6, country_iso: 'US', country_eu: false, bogon: false });
    expect(await lookUp('::ffff:193.99.144.80')).toMatchObject({ ip: '193.99.144.80', version: 4, country_iso: 'DE' });
  });

  it('calls private, loopback and documentation addresses bogon, without a country', async () => {
    const app = await open();
    for (const ip of ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '192.0.2.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '255.255.255.255', '::1', 'fe80::1', 'fd00::1', '2001:db8::1', '::ffff:10.0.0.1']) {
      expect((await ask(app, { url: `/geoip-test/?ip=${ip}` })).body).toMatchObject({ bogon: true, country: null, country_iso: null, country_eu: null });
    }
  });

  it('takes the address of the client, forwarded only by a trusted proxy', async () => {
    const headers = { 'x-forwarded-for': '193.99.144.80' };
    expect((await ask(await open(), { url: '/geoip-test/', headers })).body).toMatchObject({ ip: '127.0.0.1', bogon: true });
    const behind = await open('development', { TRUST_PROXY: '127.0.0.1' });
    expect((await ask(behind, { url: '/geoip-test/', headers })).body).toMatchObject({ ip: '193.99.144.80', country_iso: 'DE' });
  });

  it('422 › refuses what is no address', async () => {
    for (const ip of ['nope', '1.2.3', '1.2.3.4.5']) expect((await ask(await open(), { url: `/geoip-test/?ip=${ip}` })).status).toBe(422);
  });
});
