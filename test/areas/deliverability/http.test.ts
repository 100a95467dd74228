import { afterEach, describe, expect, it } from 'vitest';
import type { CheckView } from '../../../src/areas/deliverability/schemas.ts';
import type { ZoneView } from '../../../src/areas/deliverability/zones/schemas.ts';
import { atOnce, oneOf } from '../../support/abuse-tables.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

const short = '/min/core/zipcodedeliverability/';
const now = Date.UTC(2030, 0, 30, 23);
const app = await freshApp({ clock: { now: () => now }, isEmbedded: true });
const visitor = new TestClient(app);
const admin = visitor.as(asAdmin);
const zones = admin.at('/api/v1/deliverability/zones');
afterEach(() => app.stores.db.deleteFrom('delivery_zones').execute());

const check = async (query: string) =>
  (await visitor.get<CheckView>(`/api/v1/deliverability?${query}`)).body;
const days = (min: number, max: number) => ({ min_days: min, max_days: max });
const standard = {
  code: 'standard',
  ...days(2, 5),
  price: '4.99',
  cod: true,
  max_weight_g: 30_000,
};
const express = { code: 'express', ...days(1, 1), price: '12', cod: false, max_weight_g: 5000 };
const bay = {
  name: 'Bay Area',
  country: 'US',
  ranges: [{ from: '94000', to: '94999' }],
  currency: 'USD',
  services: [standard, express],
};
const create = async (body: object): Promise<ZoneView> => {
  const response = await zones.post<ZoneView>('', body);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
};
interface ZoneList {
  data: ZoneView[];
  next_cursor: string | null;
  total: number;
}
const zoneCount = async () =>
  (await app.stores.db.selectFrom('delivery_zones').selectAll().execute()).length;

describe('a check', () => {
  it('separates three facts: well-formed, exists, served', async () => {
    expect(await check('zip=94107')).toEqual({
      postal_code: '94107',
      normalized: '94107',
      country: 'US',
      valid_format: true,
      known: true,
      deliverable: null,
      place: { city: 'San Francisco', region: 'CA', latitude: 37.7621, longitude: -122.3971 },
      zone: null,
      services: [],
      estimated_delivery: null,
      reason: 'no_zones',
      detail:
        'No delivery zones are configured yet. An admin can add them at ' +
        '/api/v1/deliverability/zones.',
    });
  });

  it.each([
    ['9410', null, false, null, false],
    ['sw1a1aa&country=gb', 'SW1A 1AA', true, null, null],
    ['00000&country=AE', null, null, null, null],
  ])(
    'without zones says of %s that it is %j, well-formed: %j, known: %j, served: %j',
    async (query, normalized, valid_format, known, deliverable) => {
      const found = await check(`postal_code=${query}`);
      expect(found).toMatchObject({ normalized, valid_format, known, deliverable });
    },
  );

  it.each([
    ['9410', null, null, 'invalid_format'],
    ['10001', '10001', true, 'not_served'],
    ['k1a0b1&country=CA', 'K1A 0B1', true, 'not_served'],
  ])('refuses %s outside of all zones', async (query, normalized, known, reason) => {
    await create(bay);
    const found = await check(`postal_code=${query}`);
    expect(found).toMatchObject({ normalized, known, reason, deliverable: false, zone: null });
  });

  it('says when and how a served code is delivered to', async () => {
    const { id } = await create(bay);
    expect(await check('postal_code=94107-1234')).toMatchObject({
      normalized: '94107-1234',
      known: true,
      deliverable: true,
      zone: { id, name: 'Bay Area' },
      reason: null,
      estimated_delivery: { earliest: '2030-01-31', latest: '2030-02-04' },
      services: [
        { ...standard, currency: 'USD', deliverable: true },
        { ...express, currency: 'USD', deliverable: true },
      ],
    });
    const ottawa = await check('postal_code=k1a0b1&country=CA');
    expect(ottawa.place).toMatchObject({ region: 'Ontario' });
  });

  it('a code that does not exist is not served, unless a zone lists that code', async () => {
    await create(bay);
    expect(await check('zip=94000')).toMatchObject({
      valid_format: true,
      known: false,
      place: null,
      deliverable: false,
      reason: 'unknown_code',
      estimated_delivery: null,
    });
    expect((await check('zip=94000')).services).toMatchObject([
      { deliverable: false },
      { deliverable: false },
    ]);
    await create({ ...bay, name: 'New', ranges: [], codes: ['94000'] });
    expect(await check('zip=94000')).toMatchObject({
      known: false,
      deliverable: true,
      zone: { name: 'New' },
    });
  });

  it('weight and payment on delivery apply to each service separately', async () => {
    await create(bay);
    const expectServed = async (query: string, services: boolean[], expected: object) =>
      expect(await check(`zip=94107&${query}`)).toMatchObject({
        ...expected,
        services: services.map((deliverable) => ({ deliverable })),
      });
    const later = { earliest: '2030-02-01' };
    const byStandard = { deliverable: true, reason: null, estimated_delivery: later };
    const refused = { deliverable: false, estimated_delivery: null };
    await expectServed('weight_g=6000', [true, false], byStandard);
    await expectServed('cod=true', [true, false], byStandard);
    await expectServed('weight_g=30001', [false, false], { ...refused, reason: 'too_heavy' });
    await create({ ...bay, name: 'Express alone', priority: 1, services: [express] });
    await expectServed('cod=true', [false], { ...refused, reason: 'no_cod' });
    const services = [express, { ...standard, max_weight_g: 100 }];
    await create({ ...bay, name: 'Apart', priority: 2, services });
    const query = 'cod=true&weight_g=200';
    await expectServed(query, [false, false], { ...refused, reason: 'no_service' });
  });

  it('a zone without services excludes codes that a wider one serves', async () => {
    await create({ ...bay, ranges: [] });
    expect((await check('zip=10001')).deliverable).toBe(true);
    const { id } = await create({ name: 'Not here', country: 'US', prefixes: ['100'] });
    expect(await check('zip=10001')).toMatchObject({
      deliverable: false,
      reason: 'not_served',
      zone: { id, name: 'Not here' },
      services: [],
    });
    expect((await check('zip=94107')).deliverable).toBe(true);
  });

  it.each([
    '',
    'postal_code=',
    'zip=',
    'postal_code=94107&country=USA',
    'postal_code=94107&weight_g=0',
    'postal_code=94107&weight_g=1e99',
    'postal_code=94107&cod=maybe',
    `postal_code=${'9'.repeat(17)}`,
  ])('is refused with the query “%s”', async (query) => {
    const response = await visitor.get(`/api/v1/deliverability?${query}`);
    expect(response).toMatchObject({ status: 422, body: { detail: expect.any(Array) as unknown } });
  });

  it.each([
    '%00',
    '%ED%A0%80',
    "';drop table delivery_zones;--",
    '%25',
    '_____',
    '94107%0a',
    '🚀',
    'ꓸ',
  ])('never fails on any code: %s', async (code) => {
    await create({ ...bay, ranges: [] });
    for (const country of ['US', 'GB', 'AE', 'ZZ']) {
      const url = `/api/v1/deliverability?country=${country}&postal_code=${code}`;
      const { status, body } = await visitor.get<CheckView>(url);
      expect([200, 422]).toContain(status);
      if (status === 200 && code !== '94107%0a') expect(body.deliverable, country).not.toBe(true);
    }
  });
});

it('zones compete by priority, then by length of the code, then by age', async () => {
  for (const zone of [
    { name: 'Z', prefixes: ['94'] },
    { name: 'A', prefixes: ['94'] },
    { name: 'Range', ranges: [{ from: '940', to: '942' }] },
    { name: 'Low', codes: ['94107'], priority: -1 },
  ])
    await create({ ...zone, country: 'US' });
  const winner = async () => (await check('zip=94107')).zone?.name;
  expect(await winner()).toBe('A');
  await create({ name: 'Prefix', country: 'US', prefixes: ['9410'] });
  expect(await winner()).toBe('Prefix');
  await create({ name: 'Code', country: 'US', codes: ['94107'] });
  expect(await winner()).toBe('Code');
  await create({ name: 'Whole', country: 'US', priority: 1 });
  expect(await winner()).toBe('Whole');
});

describe('zones', () => {
  it('are created, listed, changed and deleted, and the audit log records it', async () => {
    const zone = await create({ ...bay, country: 'us' });
    expect(zone).toEqual({
      id: zone.id,
      ...bay,
      priority: 0,
      codes: [],
      prefixes: [],
      rule: false,
      created_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
    });
    const one = zones.at(`/api/v1/deliverability/zones/${zone.id}`);
    expect((await one.get('')).body).toEqual(zone);
    const changed = await one.patch('', { priority: 5, prefixes: ['95'] });
    expect(changed.body).toEqual({ ...zone, priority: 5, prefixes: ['95'] });
    expect((await check('zip=95014')).deliverable).toBe(true);
    const replaced = await one.put('', { name: 'Alps', country: 'AT' });
    expect(replaced.body).toMatchObject({
      id: zone.id,
      name: 'Alps',
      country: 'AT',
      priority: 0,
      ranges: [],
      services: [],
    });
    expect((await check('zip=95014')).reason).toBe('not_served');
    expect((await zones.get('')).body).toMatchObject({ total: 1 });
    expect((await one.delete('')).body).toEqual({ deleted: true, id: zone.id });
    for (const method of ['GET', 'DELETE'] as const)
      expect(await one.send(method, '')).toBeProblem(404, 'deliverability.zone_not_found');
    const { body } = await admin.get<{ data: { action: string; target: { id: string } | null }[] }>(
      '/api/v1/audit?action=deliverability.*',
    );
    const actions = body.data.filter(({ target }) => target?.id === zone.id);
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'deliverability.zone_changed',
      'deliverability.zone_changed',
      'deliverability.zone_created',
      'deliverability.zone_deleted',
    ]);
  });

  it('are paginated', async () => {
    for (const name of ['A', 'B', 'C']) await create({ name, country: 'DE' });
    await create({ name: 'A', country: 'AT' });
    const names: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await zones.get<ZoneList>(`?country=de&limit=2${cursor}`);
      expect(body.total).toBe(3);
      names.push(...body.data.map(({ name }) => name));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(names.sort()).toEqual(['A', 'B', 'C']);
  });

  it('have unique names within a country, even when created concurrently', async () => {
    const add = () => zones.post('', { name: 'One', country: 'DE' });
    expect(await atOnce(5, add)).toEqual(oneOf(5, 200, 409));
    const other = await create({ name: 'Other', country: 'DE' });
    expect(await zones.patch(`/${other.id}`, { name: 'One' })).toBeProblem(
      409,
      'deliverability.zone_exists',
    );
  });

  it.each<[string, object, string]>([
    ['a code of another country', { codes: ['SW1A 1AA'] }, 'codes.0'],
    ['half a range', { ranges: [{ from: '94000' }] }, 'ranges.0.to'],
    ['a range backwards', { ranges: [{ from: '95', to: '94' }] }, 'ranges.0'],
    ['a price without currency', { currency: null, services: [standard] }, 'currency'],
    ['an invalid price', { services: [{ ...standard, price: '4,99' }] }, 'services.0.price'],
    ['a service twice', { services: [standard, standard] }, 'services'],
    ['days backwards', { services: [{ ...standard, min_days: 9 }] }, 'services'],
    ['a formula for a name', { name: '=cmd()' }, 'name'],
    ['two lines for a name', { name: 'a\r\nb' }, 'name'],
    ['a member that is not known', { zone: 1 }, 'zone'],
    ['too many codes', { codes: Array(5001).fill('94107') }, 'codes'],
    ['odd characters', { prefixes: ['9%'] }, 'prefixes.0'],
    ['a huge priority', { priority: 1e9 }, 'priority'],
  ])('are refused with %s, with its location, and nothing is stored', async (_name, change, at) => {
    expect(await zones.post('', { ...bay, ...change })).toBeInvalid(`body.${at}`);
    expect(await zoneCount()).toBe(0);
  });
});

describe('many zones', () => {
  const bulk = (many: object[], others: object = {}) =>
    zones.post('/bulk', { zones: many, ...others });
  const importCsv = (payload: string | Buffer) =>
    zones.post<{ detail: { loc: unknown[] }[] }>('/import', payload, {
      headers: { 'content-type': 'text/csv' },
    });
  const exported = async () => (await zones.get('/export')).text;
  const counts = (created: number, changed: number, deleted: number, total: number) => ({
    created,
    changed,
    deleted,
    total,
  });

  it('are rejected if the CSV is not UTF-8, and nothing changes', async () => {
    const payload = Buffer.from('name,country,codes\r\nM\u00fcnchen,DE,80331\r\n', 'latin1');
    const response = await importCsv(payload);
    expect(response).toBeInvalid('body');
    expect(response.body).toMatchObject({ detail: [{ msg: 'Value error, is not UTF-8' }] });
    expect(await zoneCount()).toBe(0);
  });

  it('are created or replaced by country and name, idempotently', async () => {
    const two = [bay, { name: 'B', country: 'DE' }];
    expect((await bulk(two)).body).toEqual(counts(2, 0, 0, 2));
    const before = await exported();
    expect((await bulk(two)).body).toEqual(counts(0, 2, 0, 2));
    expect(await exported()).toBe(before);
    const replaced = await bulk([{ name: 'C', country: 'DE' }], { replace: true });
    expect(replaced.body).toEqual(counts(1, 0, 2, 1));
    expect((await check('zip=94107')).zone).toBeNull();
  });

  it('are all stored, or none', async () => {
    const twice = { name: 'B', country: 'DE' };
    expect(await bulk([bay, { ...twice, codes: ['1'] }, twice])).toBeInvalid(
      'body.zones.1.codes.0',
      'body.zones.2.name',
    );
    expect(await zoneCount()).toBe(0);
  });

  it('have at most 50,000 areas in one request, and list at most 100 errors', async () => {
    const large = (count: number, code: string) =>
      Array.from({ length: count }, (_, at) => ({
        name: `Z${at}`,
        country: 'US',
        codes: Array.from({ length: 5000 }, () => code),
      }));
    expect(await bulk(large(11, '94107'))).toBeInvalid('body');
    const wrong = await bulk(large(10, 'SW1A'));
    const mistakes = (wrong.body.detail as object[]).length;
    expect(wrong.status).toBe(422);
    expect(mistakes).toBeGreaterThan(50);
    expect(mistakes).toBeLessThanOrEqual(100);
    expect(await zoneCount()).toBe(0);
  });

  it('are the same after an export and an import as CSV', async () => {
    await bulk([
      bay,
      {
        name: 'Quoted "name", with, commas',
        country: 'GB',
        priority: -3,
        codes: ['SW1A 1AA', 'EC1A'],
        prefixes: ['S', 'SW1 1'],
        ranges: [{ from: 'E1', to: 'E20' }],
        services: [{ code: 'same_day', ...days(0, 0), cod: true }],
      },
      { name: 'Whole', country: 'AE' },
    ]);
    const listed = async () =>
      (await zones.get<ZoneList>('')).body.data
        .map(({ id: _id, ...rest }) => rest)
        .sort((a, b) => a.name.localeCompare(b.name));
    const text = await exported();
    expect(text.split('\r\n')[0]).toMatch(
      /^name,country,priority,currency,codes,ranges,prefixes,standard_min_days,/,
    );
    const before = await listed();
    await app.stores.db.deleteFrom('delivery_zones').execute();
    expect((await importCsv(`\uFEFF${text}`)).body).toEqual(counts(3, 0, 0, 3));
    expect(await listed()).toEqual(before);
  });

  const header = 'name,country,codes,standard_min_days,standard_max_days\n';

  it('are imported from CSV with other separators and names in another case', async () => {
    const file = 'sep=\t\r\nName\t Country \tCODES\t\r\nA\tUS\t94107;10001\t\r\n\t\t\t\r\n';
    expect((await importCsv(file)).body).toEqual(counts(1, 0, 0, 1));
    expect((await check('zip=94107')).zone).toMatchObject({ name: 'A' });
  });

  it('are refused with the line of an error in the CSV, and nothing is stored', async () => {
    const lines = `${header}A,US,94107;10001,1,2\nB,US,SW1A 1AA,1,2\n`;
    const { status, body } = await importCsv(`${lines}C,USA,,x,\n`);
    expect(status).toBe(422);
    expect(new Set(body.detail.map(({ loc }) => loc[1]))).toEqual(new Set([4]));
    expect(await importCsv(lines)).toBeInvalid('body.3.codes.0');
    expect(await zoneCount()).toBe(0);
    expect((await importCsv(`${header}A,US,94107;10001,1,2\n`)).body).toMatchObject({ created: 1 });
  });

  it.each([
    '',
    'name,country\n',
    'name,country,colour\nA,US,red\n',
    'name,country\n"A,US\n',
    'name,country\nA\n',
    '\0',
    '[]',
    `name${','.repeat(100_000)}`,
    'name,country,__proto__\nA,US,x\n',
    'name,country,name\nA,US,B\n',
    'name,country,ranges\nA,US,10000..20000..30000\n',
  ])('are refused as the CSV %.40j, and nothing is stored', async (text) => {
    expect((await importCsv(text)).status).toBe(422);
    expect(await zoneCount()).toBe(0);
  });
});

describe('/min/core/zipcodedeliverability/', () => {
  it('GET checks publicly, and responds even without a code', async () => {
    expect((await visitor.get(short)).body).toMatchObject({
      method: 'GET',
      postal_code: null,
      valid_format: null,
      known: null,
      deliverable: null,
      services: [],
      reason: 'no_postal_code',
    });
    expect((await visitor.get(`${short}?zip=94107`)).body).toMatchObject({
      method: 'GET',
      postal_code: '94107',
      valid_format: true,
      known: true,
      deliverable: null,
      reason: 'no_zones',
    });
    expect((await visitor.get(`${short}?zip=9410`)).body).toMatchObject({ valid_format: false });
    expect((await visitor.get(`${short}?country=USA`)).status).toBe(422);
  });

  it('POST, PUT, PATCH and DELETE of a rule always answer with a JSON object', async () => {
    const services = [{ code: 'standard', ...days(1, 2) }];
    const { body } = await admin.post<{ zone: ZoneView }>(short, { zip: '94107', services });
    expect(body).toMatchObject({
      method: 'POST',
      stored: true,
      zone: { name: '94107', country: 'US', codes: ['94107'] },
    });
    const { id } = body.zone;
    const at = `${short}?id=${id}`;
    expect((await check('zip=94107')).deliverable).toBe(true);
    expect((await admin.patch(at, { priority: 7 })).body).toMatchObject({
      method: 'PATCH',
      stored: true,
      zone: { priority: 7, codes: ['94107'] },
    });
    expect((await admin.put(at, { zip: '10001' })).body).toMatchObject({
      method: 'PUT',
      stored: true,
      zone: { priority: 0, codes: ['10001'] },
    });
    expect((await admin.delete(at)).body).toEqual({ method: 'DELETE', deleted: true, id });
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect((await admin.send(method, short, {})).status).toBe(422);
  });
});
