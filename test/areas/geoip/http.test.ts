import type { FastifyInstance, InjectOptions } from 'fastify';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geoipRoutes } from '../../../src/areas/geoip/routes.ts';
import { createAddressFacts } from '../../../src/areas/geoip/service.ts';
import { addressNumber, canonicalAddress } from '../../../src/lib/net/ip.ts';
import { openGeoip } from '../../../src/areas/geoip/country-database.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const open = (env: Record<string, string> = {}): Promise<FastifyInstance> =>
  withPublicRoutes(
    createTestHttp(env),
    (routes) =>
      void routes.register(geoipRoutes, {
        addressFacts: createAddressFacts({ geoip: openGeoip() }),
      }),
  );

async function ask(app: FastifyInstance, options: InjectOptions) {
  const answer = await app.inject(options);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    body: answer.json<Record<string, unknown>>(),
  };
}

const unknown = {
  region_name: null,
  region_code: null,
  zip_code: null,
  city: null,
  latitude: null,
  longitude: null,
  time_zone: null,
  asn: null,
  asn_org: null,
  hostname: null,
};

describe('an address', () => {
  it('has a country, and null for unknown facts', async () => {
    const app = await open();
    const headers = { 'user-agent': 'curl/8.5.0 (x)' };
    expect((await ask(app, { url: '/api/v1/geoip/193.99.144.80', headers })).body).toEqual({
      ip: '193.99.144.80',
      ip_decimal: 3244527696,
      version: 4,
      country: 'Germany',
      country_iso: 'DE',
      country_eu: true,
      ...unknown,
      user_agent: { product: 'curl', version: '8.5.0', raw_value: 'curl/8.5.0 (x)' },
      bogon: false,
      source: 'iptoasn.com (PDDL)',
    });
    for (const url of [
      '/geoip-test?ip=193.99.144.80',
      '/geoip-test/?ip=193.99.144.80',
      '/api/v1/geoip/193.99.144.80/',
    ]) {
      const answer = await ask(app, { url, headers });
      expect({
        'cache-control': answer.headers['cache-control'],
        country_iso: answer.body.country_iso,
        ip_decimal: answer.body.ip_decimal,
      }).toEqual({ 'cache-control': 'no-store', country_iso: 'DE', ip_decimal: 3244527696 });
    }
  });

  it('in IPv6 has its number as text, and an IPv4-mapped one is IPv4', async () => {
    const app = await open();
    expect(
      (await ask(app, { url: '/api/v1/geoip/2001:4860:4860:0:0:0:0:8888' })).body,
    ).toMatchObject({
      ip: '2001:4860:4860::8888',
      ip_decimal: '42541956123769884636017138956568135816',
      version: 6,
      country_iso: 'US',
      country_eu: false,
      bogon: false,
    });
    for (const ip of ['::ffff:193.99.144.80', '::FFFF:c163:9050', '0:0:0:0:0:ffff:c163:9050']) {
      expect((await ask(app, { url: `/api/v1/geoip/${ip}` })).body).toMatchObject({
        ip: '193.99.144.80',
        version: 4,
        ip_decimal: 3244527696,
        country_iso: 'DE',
      });
    }
  });

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::ffff:7f00:1',
  ])('%s is a bogon without a country', async (ip) => {
    expect((await ask(await open(), { url: `/api/v1/geoip/${ip}` })).body).toMatchObject({
      bogon: true,
      country: null,
      country_iso: null,
      country_eu: null,
      ...unknown,
    });
  });

  it.each([
    'nope',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    'fe80::1%25eth0',
    '::1::',
    '1.2.3.4%00',
    '0x7f000001',
    '2130706433',
    'x'.repeat(99),
  ])('%s is invalid: 422, not 500', async (ip) => {
    const app = await open();
    for (const url of [`/api/v1/geoip/${ip}`, `/geoip-test/?ip=${ip}`]) {
      const answer = await ask(app, { url });
      expect({ url, status: answer.status, isArray: Array.isArray(answer.body.detail) }).toEqual({
        url,
        status: 422,
        isArray: true,
      });
    }
  });
});

describe('the client’s own address', () => {
  it('is taken from forwarding headers of trusted proxies only', async () => {
    const headers = { 'x-forwarded-for': '193.99.144.80' };
    const behind = await open({ TRUST_PROXY: '127.0.0.1' });
    const alone = await open();
    for (const url of ['/geoip-test/', '/api/v1/geoip', '/api/v1/geoip/']) {
      expect((await ask(alone, { url, headers })).body).toMatchObject({
        ip: '127.0.0.1',
        bogon: true,
      });
      expect((await ask(behind, { url, headers })).body).toMatchObject({
        ip: '193.99.144.80',
        country_iso: 'DE',
      });
      expect((await ask(alone, { url, remoteAddress: '::ffff:193.99.144.80' })).body).toMatchObject(
        { ip: '193.99.144.80', version: 4 },
      );
    }
  });

  it('comes with the User-Agent: truncated when it is long, null when it is missing', async () => {
    const app = await open();
    const agent = async (value: string) =>
      (await ask(app, { url: '/api/v1/geoip', headers: { 'user-agent': value } })).body.user_agent;
    expect(await agent('')).toBeNull();
    expect(await agent('Wget')).toEqual({ product: 'Wget', version: null, raw_value: 'Wget' });
    expect(await agent(`a/1 ${'x'.repeat(2000)}`)).toMatchObject({
      product: 'a',
      version: '1',
      raw_value: `a/1 ${'x'.repeat(508)}`,
    });
  });

  it('405 › is available by GET only', async () => {
    const answer = await ask(await open(), { method: 'POST', url: '/geoip-test/' });
    expect({ status: answer.status, allow: String(answer.headers.allow) }).toEqual({
      status: 405,
      allow: expect.stringContaining('GET') as string,
    });
  });
});

it('every address has one canonical text and one number', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const ip = canonicalAddress(text) ?? '';
      expect(canonicalAddress(ip)).toBe(ip);
      const expected = text.includes('.')
        ? undefined
        : new URL(`http://[${text}]`).hostname.slice(1, -1);
      if (expected !== undefined && !expected.startsWith('::ffff:')) expect(ip).toBe(expected);
      expect(addressNumber(ip) >> 128n).toBe(0n);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (number) => {
      const groups = Array.from({ length: 8 }, (_, at) =>
        ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
      ).join(':');
      const ip = canonicalAddress(groups) ?? '';
      if (!ip.includes('.')) expect(addressNumber(ip)).toBe(number);
    }),
    { numRuns: 500 },
  );
});
