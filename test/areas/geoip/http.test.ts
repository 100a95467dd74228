import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geoipOperations } from '../../../src/areas/geoip/operations.ts';
import { createAddressFacts } from '../../../src/areas/geoip/service.ts';
import { addressNumber, canonicalAddress } from '../../../src/lib/net/ip.ts';
import { openGeoip } from '../../../src/areas/geoip/country-database.ts';
import { createTestHttp, withOperations } from '../../support/http.ts';

function open(env: Record<string, string> = {}): Promise<FastifyInstance> {
  const addressFacts = createAddressFacts({ geoip: openGeoip() });
  return withOperations(createTestHttp(env), { addressFacts }, geoipOperations);
}

const app = await open();
const lookUp = async (ip: string) => (await app.inject(`/api/v1/geoip/${ip}`)).json<object>();

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
    const headers = { 'user-agent': 'curl/8.5.0 (x)' };
    const answer = await app.inject({ url: '/api/v1/geoip/193.99.144.80', headers });
    expect(answer.json()).toEqual({
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
  });

  it.each([
    '/geoip-test?ip=193.99.144.80',
    '/geoip-test/?ip=193.99.144.80',
    '/api/v1/geoip/193.99.144.80/',
  ])('is looked up at %s, and the answer is not cached', async (url) => {
    const answer = await app.inject(url);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ country_iso: 'DE', ip_decimal: 3244527696 });
  });

  it('in IPv6 has its number as text, and an IPv4-mapped one is IPv4', async () => {
    expect(await lookUp('2001:4860:4860:0:0:0:0:8888')).toMatchObject({
      ip: '2001:4860:4860::8888',
      ip_decimal: '42541956123769884636017138956568135816',
      version: 6,
      country_iso: 'US',
      country_eu: false,
      bogon: false,
    });
    const mapped = { version: 4, ip_decimal: 3244527696, country_iso: 'DE' };
    for (const ip of ['::ffff:193.99.144.80', '::FFFF:c163:9050', '0:0:0:0:0:ffff:c163:9050'])
      expect(await lookUp(ip)).toMatchObject({ ip: '193.99.144.80', ...mapped });
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
    const country = { country: null, country_iso: null, country_eu: null };
    expect(await lookUp(ip)).toMatchObject({ bogon: true, ...country, ...unknown });
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
  ])('is refused as %s, and never ends in 500', async (ip) => {
    for (const url of [`/api/v1/geoip/${ip}`, `/geoip-test/?ip=${ip}`]) {
      const answer = await app.inject(url);
      expect(answer.statusCode, url).toBe(422);
      expect(answer.json()).toMatchObject({ detail: expect.any(Array) as unknown });
    }
  });
});

describe('the client’s own address', () => {
  it.each(['/geoip-test/', '/api/v1/geoip', '/api/v1/geoip/'])(
    'is taken at %s from forwarding headers of trusted proxies only',
    async (url) => {
      const headers = { 'x-forwarded-for': '193.99.144.80' };
      const behind = await open({ TRUST_PROXY: '127.0.0.1' });
      const forwarded = await behind.inject({ url, headers });
      expect(forwarded.json()).toMatchObject({ ip: '193.99.144.80', country_iso: 'DE' });
      const alone = await app.inject({ url, headers });
      expect(alone.json()).toMatchObject({ ip: '127.0.0.1', bogon: true });
      const mapped = await app.inject({ url, remoteAddress: '::ffff:193.99.144.80' });
      expect(mapped.json()).toMatchObject({ ip: '193.99.144.80', version: 4 });
    },
  );

  it.each([
    ['', null],
    ['Wget', { product: 'Wget', version: null, raw_value: 'Wget' }],
    [
      `a/1 ${'x'.repeat(2000)}`,
      { product: 'a', version: '1', raw_value: `a/1 ${'x'.repeat(508)}` },
    ],
  ])('comes with the User-Agent %.9j, truncated when it is long', async (value, expected) => {
    const answer = await app.inject({ url: '/api/v1/geoip', headers: { 'user-agent': value } });
    expect(answer.json<{ user_agent: unknown }>().user_agent).toEqual(expected);
  });

  it('is available by GET only', async () => {
    const answer = await app.inject({ method: 'POST', url: '/geoip-test/' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toContain('GET');
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
