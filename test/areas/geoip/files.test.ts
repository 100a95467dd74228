import type { FastifyInstance } from 'fastify';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { composeGeoip } from '../../../src/areas/geoip/compose.ts';
import { geoipOperations } from '../../../src/areas/geoip/operations.ts';
import { parseConfig } from '../../../src/config.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { createTestHttp, type TestHttp, withOperations } from '../../support/http.ts';
import { mmdb, uint } from '../../support/mmdb.ts';
import { callTool } from '../../surfaces/mcp/client.ts';

const london = {
  city: { geoname_id: uint(2643743), names: { de: 'London', en: 'London' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
  location: {
    accuracy_radius: uint(20),
    latitude: 51.5142,
    longitude: -0.0931,
    time_zone: 'Europe/London',
  },
  postal: { code: 'EC2V' },
  subdivisions: [
    { iso_code: 'ENG', names: { en: 'England' } },
    { iso_code: 'WSM', names: { en: 'Westminster' } },
  ],
};
/** DB-IP's free edition: no codes of regions, no postal codes, no time zones. */
const frankfurt = {
  city: { names: { en: 'Frankfurt am Main' } },
  country: { iso_code: 'DE', is_in_european_union: true, names: { en: 'Germany' } },
  location: { latitude: 50.1109, longitude: 8.68213 },
  subdivisions: [{ names: { en: 'Hesse' } }],
};
const hostile = {
  city: { names: 'not a map' },
  country: { iso_code: '<b>' },
  location: { latitude: 1000, longitude: true, time_zone: { a: 1 } },
  postal: [],
  subdivisions: { 0: 'x' },
};
const network = (number: number, name: string) => ({
  autonomous_system_number: uint(number),
  autonomous_system_organization: name,
});

const cities = { '81.2.69.0/24': london, '193.99.144.0/24': frankfurt, '8.8.8.0/24': hostile };
const networks = {
  '81.2.69.0/24': network(20712, 'Andrews & Arnold Ltd'),
  '8.8.8.0/24': { autonomous_system_number: 'x', autonomous_system_organization: uint(1) },
};

const cityFile = mmdb(cities, { type: 'GeoLite2-City' });
const networkFile = mmdb(networks, { type: 'GeoLite2-ASN' });

const folder = await mkdtemp(join(tmpdir(), 'geoip-'));
await writeFile(join(folder, 'city.mmdb'), cityFile);
await writeFile(join(folder, 'asn.mmdb'), networkFile);
afterAll(() => rm(folder, { recursive: true }));

let now = 0;
const clock = { now: () => now };
const compose = ({ logger }: TestHttp, env: Record<string, string>) =>
  composeGeoip({ config: parseConfig({ NODE_ENV: 'test', ...env }), clock, logger });

async function open(env: Record<string, string>) {
  const http = createTestHttp();
  const composed = await compose(http, env);
  const app = await withOperations(http, composed, geoipOperations);
  return { app, http, ...composed };
}
const both = () => ({
  GEOIP_CITY_FILE: join(folder, 'city.mmdb'),
  GEOIP_ASN_FILE: join(folder, 'asn.mmdb'),
});

async function lookUp(app: FastifyInstance, ip: string) {
  const answer = await app.inject(`/api/v1/geoip/${ip}`);
  expect(answer).toMatchObject({ statusCode: 200 });
  return answer.json<Record<string, unknown>>();
}

it('with both files, an address has a place and a network', async () => {
  const { app } = await open(both());
  expect(await lookUp(app, '81.2.69.160')).toMatchObject({
    ip: '81.2.69.160',
    country: 'United Kingdom',
    country_iso: 'GB',
    country_eu: false,
    region_name: 'England',
    region_code: 'ENG',
    zip_code: 'EC2V',
    city: 'London',
    latitude: 51.5142,
    longitude: -0.0931,
    time_zone: 'Europe/London',
    asn: 'AS20712',
    asn_org: 'Andrews & Arnold Ltd',
    hostname: null,
    bogon: false,
    source: 'GeoLite2-City, GeoLite2-ASN',
  });
});

it('DB-IP’s layout leaves out what it does not have', async () => {
  const { app } = await open(both());
  expect(await lookUp(app, '::ffff:193.99.144.80')).toMatchObject({
    country_iso: 'DE',
    country_eu: true,
    region_name: 'Hesse',
    region_code: null,
    zip_code: null,
    city: 'Frankfurt am Main',
    time_zone: null,
    asn: null,
    source: 'GeoLite2-City',
  });
});

it('an address that the files lack keeps the country of the built-in data', async () => {
  const { app } = await open(both());
  expect(await lookUp(app, '1.1.1.1')).toMatchObject({
    country_iso: expect.stringMatching(/^[A-Z]{2}$/) as string,
    city: null,
    asn: null,
    source: 'iptoasn.com (PDDL)',
  });
  expect(await lookUp(app, '10.0.0.1')).toMatchObject({ bogon: true, country: null, city: null });
});

it('analytics and device security use the same country as the lookup', async () => {
  const { geoip } = await open(both());
  expect(geoip.country('81.2.69.160')).toBe('GB');
  expect(geoip.country('10.0.0.1')).toBeUndefined();
  expect(geoip.country('x')).toBeUndefined();
});

it('hostile: members of the wrong type are null, and never end in 500', async () => {
  const { app } = await open(both());
  const answer = await lookUp(app, '8.8.8.8');
  expect(answer).toMatchObject({
    country_iso: 'US',
    city: null,
    region_name: null,
    latitude: null,
    longitude: null,
    time_zone: null,
    zip_code: null,
    asn: null,
    asn_org: null,
  });
  expect(JSON.stringify(answer)).not.toContain('<b>');
});

it('hostile: an IPv6 address is not looked up in a file of IPv4', async () => {
  const file = join(folder, 'four.mmdb');
  await writeFile(file, mmdb({ '32.0.0.0/3': london }, { type: 'DBIP-City-Lite', version: 4 }));
  const { app } = await open({ GEOIP_CITY_FILE: file });
  expect(await lookUp(app, '33.1.1.1')).toMatchObject({ city: 'London' });
  expect(await lookUp(app, '2001:4860:4860::8888')).toMatchObject({ city: null });
});

it('MCP and REST of the whole service answer from the files', async () => {
  const app = await freshApp({ env: both() });
  try {
    expect(await lookUp(app.http, '81.2.69.160')).toMatchObject({ city: 'London' });
    const found = await callTool(app, 'lookup_ip', { ip: '81.2.69.160' }, asAdmin);
    expect(found).toMatchObject({
      structuredContent: { city: 'London', asn: 'AS20712', region_code: 'ENG' },
    });
  } finally {
    await app.close();
  }
}, 60_000);

it('hostile: the whole service does not start with a file that it cannot use', async () => {
  const env = { GEOIP_CITY_FILE: join(folder, 'none.mmdb') };
  await expect(freshApp({ env })).rejects.toThrow(/^GEOIP_CITY_FILE: the file .* does not exist/);
}, 60_000);

it.each([
  ['GEOIP_CITY_FILE', 'missing.mmdb', undefined, 'does not exist'],
  ['GEOIP_ASN_FILE', 'missing.mmdb', undefined, 'does not exist'],
  ['GEOIP_CITY_FILE', '.', undefined, 'cannot be read (EISDIR)'],
  ['GEOIP_CITY_FILE', 'empty.mmdb', Buffer.alloc(0), 'is damaged'],
  ['GEOIP_CITY_FILE', 'text.mmdb', Buffer.from('<html>429 Too Many Requests'), 'is damaged'],
  ['GEOIP_CITY_FILE', 'cut.mmdb', cityFile.subarray(300), 'is damaged'],
  ['GEOIP_CITY_FILE', 'swapped.mmdb', networkFile, 'another kind'],
  ['GEOIP_ASN_FILE', 'swapped2.mmdb', cityFile, 'another kind'],
])('hostile: %s=%s ends the start, and names the setting', async (setting, name, bytes, reason) => {
  const file = join(folder, name);
  if (bytes !== undefined) await writeFile(file, bytes);
  const error = await compose(createTestHttp(), { [setting]: file }).catch((thrown: unknown) =>
    String(thrown),
  );
  expect(error).toContain(`${setting}: the file ${file}`);
  expect(error).toContain(reason);
});

it('a replaced file is read again without a restart', async () => {
  const file = join(folder, 'weekly.mmdb');
  const write = async (bytes: Buffer) => {
    await writeFile(`${file}.new`, bytes);
    await rename(`${file}.new`, file);
  };
  await write(mmdb({ '81.2.69.0/24': london }, { type: 'GeoLite2-City' }));
  const { app, http, files } = await open({ GEOIP_CITY_FILE: file });
  const cityOf = async () => (await lookUp(app, '81.2.69.160')).city;
  /** A minute later, the next lookup starts the check. */
  const later = async () => {
    now += 60_000;
    await cityOf();
    await files.cities?.settled();
    return cityOf();
  };
  expect(await cityOf()).toBe('London');

  await write(mmdb({ '81.2.69.0/24': frankfurt }, { type: 'GeoLite2-City' }));
  expect(await cityOf()).toBe('London');
  expect(await later()).toBe('Frankfurt am Main');

  await write(Buffer.from('half a downlo'));
  expect(await later()).toBe('Frankfurt am Main');
  await rm(file);
  expect(await later()).toBe('Frankfurt am Main');
  const warnings = http.lines().filter(({ level }) => level === 'warn' || level === 40);
  expect(warnings).toMatchObject([
    { setting: 'GEOIP_CITY_FILE', reason: expect.stringContaining('damaged') as string },
    { setting: 'GEOIP_CITY_FILE', reason: 'does not exist' },
  ]);

  await write(mmdb({ '81.2.69.0/24': london }, { type: 'GeoLite2-City' }));
  expect(await later()).toBe('London');
});

it('is checked at most once a minute, however many lookups there are', async () => {
  const { app, files } = await open(both());
  const before = files.cities?.settled();
  for (let count = 0; count < 50; count += 1) await lookUp(app, '81.2.69.160');
  expect(files.cities?.settled()).toBe(before);
});
