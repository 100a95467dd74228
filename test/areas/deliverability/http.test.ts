import type { InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CheckView, ZoneView } from '../../../src/areas/deliverability/schemas.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';

const zonesPath = '/api/v1/deliverability/zones';
const short = '/min/core/zipcodedeliverability/';
const now = Date.UTC(2030, 0, 30, 23);
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ clock: { now: () => now }, isEmbedded: true });
}, 60_000);
afterAll(() => app.close());
afterEach(() => app.stores.db.deleteFrom('delivery_zones').execute());

type Json = Record<string, unknown>;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the body is
async function ask<Body = Json>(
  method: InjectOptions['method'],
  url: string,
  payload?: object,
  headers: Record<string, string> = asAdmin,
) {
  const response = await app.http.inject({
    method: method ?? 'GET',
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  const body: Body = response.json();
  return { status: response.statusCode, headers: response.headers, text: response.body, body };
}

const check = async (query: string) =>
  (await ask<CheckView>('GET', `/api/v1/deliverability?${query}`, undefined, {})).body;
const standard = {
  code: 'standard',
  min_days: 2,
  max_days: 5,
  price: '4.99',
  cod: true,
  max_weight_g: 30_000,
};
const express = {
  code: 'express',
  min_days: 1,
  max_days: 1,
  price: '12',
  cod: false,
  max_weight_g: 5000,
};
const bay = {
  name: 'Bay Area',
  country: 'US',
  ranges: [{ from: '94000', to: '94999' }],
  currency: 'USD',
  services: [standard, express],
};
const create = async (body: object): Promise<ZoneView> => {
  const { status, body: zone, text } = await ask<ZoneView>('POST', zonesPath, body);
  expect({ status, text }).toEqual({ status: 200, text });
  return zone;
};
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
    expect(await check('postal_code=9410')).toMatchObject({
      normalized: null,
      valid_format: false,
      known: null,
      deliverable: false,
      reason: 'invalid_format',
    });
    expect(await check('postal_code=sw1a1aa&country=gb')).toMatchObject({
      normalized: 'SW1A 1AA',
      country: 'GB',
      valid_format: true,
      known: null,
      deliverable: null,
    });
    expect(await check('postal_code=00000&country=AE')).toMatchObject({
      valid_format: null,
      known: null,
      deliverable: null,
      normalized: null,
    });
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
    expect(await check('postal_code=10001')).toMatchObject({
      known: true,
      deliverable: false,
      reason: 'not_served',
      zone: null,
    });
    expect(await check('postal_code=k1a0b1&country=CA')).toMatchObject({
      normalized: 'K1A 0B1',
      known: true,
      deliverable: false,
      reason: 'not_served',
      place: { region: 'Ontario' },
    });
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
    expect((await check('zip=94000')).services.map(({ deliverable }) => deliverable)).toEqual([
      false,
      false,
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
    const of = async (query: string) => {
      const {
        deliverable,
        reason,
        services,
        estimated_delivery: estimate,
      } = await check(`zip=94107&${query}`);
      return [
        deliverable,
        reason,
        services.map((each) => each.deliverable),
        estimate?.earliest ?? null,
      ];
    };
    expect(await of('weight_g=6000')).toEqual([true, null, [true, false], '2030-02-01']);
    expect(await of('cod=true')).toEqual([true, null, [true, false], '2030-02-01']);
    expect(await of('weight_g=30001')).toEqual([false, 'too_heavy', [false, false], null]);
    await create({ ...bay, name: 'Express alone', priority: 1, services: [express] });
    expect(await of('cod=true')).toEqual([false, 'no_cod', [false], null]);
    await create({
      ...bay,
      name: 'Apart',
      priority: 2,
      services: [express, { ...standard, max_weight_g: 100 }],
    });
    expect(await of('cod=true&weight_g=200')).toEqual([false, 'no_service', [false, false], null]);
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
  ])('422 › “%s”', async (query) => {
    const { status, body } = await ask('GET', `/api/v1/deliverability?${query}`, undefined, {});
    expect({ status, isArray: Array.isArray(body.detail) }).toEqual({ status: 422, isArray: true });
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
      const { status, body } = await ask<CheckView>(
        'GET',
        `/api/v1/deliverability?country=${country}&postal_code=${code}`,
        undefined,
        {},
      );
      expect([200, 422]).toContain(status);
      if (status === 200 && code !== '94107%0a')
        expect({ country, deliverable: body.deliverable }).not.toEqual({
          country,
          deliverable: true,
        });
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
    expect((await ask('GET', `${zonesPath}/${zone.id}`)).body).toEqual(zone);
    const { body: changed } = await ask<ZoneView>('PATCH', `${zonesPath}/${zone.id}`, {
      priority: 5,
      prefixes: ['95'],
    });
    expect(changed).toEqual({ ...zone, priority: 5, prefixes: ['95'] });
    expect((await check('zip=95014')).deliverable).toBe(true);
    const { body: replaced } = await ask<ZoneView>('PUT', `${zonesPath}/${zone.id}`, {
      name: 'Alps',
      country: 'AT',
    });
    expect(replaced).toMatchObject({
      id: zone.id,
      name: 'Alps',
      country: 'AT',
      priority: 0,
      ranges: [],
      services: [],
    });
    expect({
      reason: (await check('zip=95014')).reason,
      total: (await ask('GET', zonesPath)).body.total,
    }).toEqual({ reason: 'not_served', total: 1 });
    expect((await ask('DELETE', `${zonesPath}/${zone.id}`)).body).toEqual({
      deleted: true,
      id: zone.id,
    });
    for (const method of ['GET', 'DELETE'] as const)
      expect((await ask(method, `${zonesPath}/${zone.id}`)).body.code).toBe(
        'deliverability.zone_not_found',
      );
    const { body } = await ask<{ data: { action: string; target: { id: string } | null }[] }>(
      'GET',
      '/api/v1/audit?action=deliverability.*',
    );
    expect(
      body.data
        .filter(({ target }) => target?.id === zone.id)
        .map(({ action }) => action)
        .sort(),
    ).toEqual(
      ['zone_changed', 'zone_changed', 'zone_created', 'zone_deleted'].map(
        (action) => `deliverability.${action}`,
      ),
    );
  });

  it('are paginated', async () => {
    for (const name of ['A', 'B', 'C']) await create({ name, country: 'DE' });
    await create({ name: 'A', country: 'AT' });
    const names: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask<{ data: ZoneView[]; next_cursor: string | null; total: number }>(
        'GET',
        `${zonesPath}?country=de&limit=2${cursor}`,
      );
      expect(body.total).toBe(3);
      names.push(...body.data.map(({ name }) => name));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(names.sort()).toEqual(['A', 'B', 'C']);
  });

  it('have unique names within a country, even when created concurrently', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', zonesPath, { name: 'One', country: 'DE' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const other = await create({ name: 'Other', country: 'DE' });
    expect((await ask('PATCH', `${zonesPath}/${other.id}`, { name: 'One' })).body.code).toBe(
      'deliverability.zone_exists',
    );
  });

  it.each<[string, object, (string | number)[]]>([
    ['a code of another country', { codes: ['SW1A 1AA'] }, ['codes', 0]],
    ['half a range', { ranges: [{ from: '94000' }] }, ['ranges', 0, 'to']],
    ['a range backwards', { ranges: [{ from: '95', to: '94' }] }, ['ranges', 0]],
    ['a price without currency', { currency: null, services: [standard] }, ['currency']],
    [
      'a price that is none',
      { services: [{ ...standard, price: '4,99' }] },
      ['services', 0, 'price'],
    ],
    ['a service twice', { services: [standard, standard] }, ['services']],
    ['days backwards', { services: [{ ...standard, min_days: 9 }] }, ['services']],
    ['a formula for a name', { name: '=cmd()' }, ['name']],
    ['two lines for a name', { name: 'a\r\nb' }, ['name']],
    ['a member that is not known', { zone: 1 }, ['zone']],
    ['too many codes', { codes: Array(5001).fill('94107') }, ['codes']],
    ['odd characters', { prefixes: ['9%'] }, ['prefixes', 0]],
    ['a huge priority', { priority: 1e9 }, ['priority']],
  ])('422 › %s, with its location, and nothing is stored', async (_name, change, place) => {
    const { status, body } = await ask<{ detail: { loc: unknown[] }[] }>('POST', zonesPath, {
      ...bay,
      ...change,
    });
    expect({ status, loc: body.detail[0]?.loc }).toEqual({ status: 422, loc: ['body', ...place] });
    expect(await zoneCount()).toBe(0);
  });

  it('are accessible to admins only', async () => {
    const { id } = await create(bay);
    const key = (
      await ask<{ key: string }>('POST', '/api/v1/api-keys', {
        name: 'reader',
        scopes: ['analytics:read'],
      })
    ).body.key;
    const calls: [InjectOptions['method'], string, object?][] = [
      ['GET', zonesPath],
      ['POST', zonesPath, bay],
      ['GET', `${zonesPath}/${id}`],
      ['PUT', `${zonesPath}/${id}`, bay],
      ['PATCH', `${zonesPath}/${id}`, {}],
      ['DELETE', `${zonesPath}/${id}`],
      ['POST', `${zonesPath}/bulk`, { zones: [bay] }],
      ['POST', `${zonesPath}/import`, {}],
      ['GET', `${zonesPath}/export`],
      ['POST', short, bay],
      ['PUT', `${short}?id=${id}`, bay],
      ['PATCH', `${short}?id=${id}`, {}],
      ['DELETE', `${short}?id=${id}`],
    ];
    for (const [method, url, payload] of calls) {
      expect({ method, url, status: (await ask(method, url, payload, {})).status }).toEqual({
        method,
        url,
        status: 401,
      });
      expect({
        method,
        url,
        status: (await ask(method, url, payload, { authorization: `Bearer ${key}` })).status,
      }).toEqual({ method, url, status: 403 });
    }
    expect((await ask('GET', zonesPath)).body.total).toBe(1);
  });
});

describe('many zones', () => {
  const bulk = (zones: object[], replace?: boolean) =>
    ask('POST', `${zonesPath}/bulk`, { zones, ...(replace === undefined ? {} : { replace }) });
  const csvHeaders = { ...asAdmin, 'content-type': 'text/csv' };
  const importCsv = async (payload: string, query = '') => {
    const response = await app.http.inject({
      method: 'POST',
      url: `${zonesPath}/import${query}`,
      headers: csvHeaders,
      payload,
    });
    return {
      status: response.statusCode,
      body: response.json<Json & { detail: { loc: unknown[]; msg: string }[] }>(),
    };
  };
  const exported = async () =>
    (await app.http.inject({ url: `${zonesPath}/export`, headers: asAdmin })).body;

  it('are rejected if the CSV is not UTF-8, and nothing changes', async () => {
    const payload = Buffer.from('name,country,codes\r\nM\u00fcnchen,DE,80331\r\n', 'latin1');
    const response = await app.http.inject({
      method: 'POST',
      url: `${zonesPath}/import`,
      headers: csvHeaders,
      payload,
    });
    expect({ status: response.statusCode, body: response.json<unknown>() }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'], msg: 'Value error, is not UTF-8' }] },
    });
    expect(await zoneCount()).toBe(0);
  });

  it('are created or replaced by country and name, idempotently', async () => {
    expect((await bulk([bay, { name: 'B', country: 'DE' }])).body).toEqual({
      created: 2,
      changed: 0,
      deleted: 0,
      total: 2,
    });
    const before = await exported();
    expect((await bulk([bay, { name: 'B', country: 'DE' }])).body).toEqual({
      created: 0,
      changed: 2,
      deleted: 0,
      total: 2,
    });
    expect(await exported()).toBe(before);
    expect((await bulk([{ name: 'C', country: 'DE' }], true)).body).toEqual({
      created: 1,
      changed: 0,
      deleted: 2,
      total: 1,
    });
    expect((await check('zip=94107')).zone).toBeNull();
  });

  it('are all stored, or none', async () => {
    const { status, body } = await bulk([
      bay,
      { name: 'B', country: 'DE', codes: ['1'] },
      { name: 'B', country: 'DE' },
    ]);
    expect({ status, detail: (body.detail as { loc: unknown[] }[]).map(({ loc }) => loc) }).toEqual(
      {
        status: 422,
        detail: [
          ['body', 'zones', 1, 'codes', 0],
          ['body', 'zones', 2, 'name'],
        ],
      },
    );
    expect(await zoneCount()).toBe(0);
  });

  it('have at most 50,000 areas in one request, and list at most 100 errors', async () => {
    const zone = (name: string, code: string) => ({
      name,
      country: 'US',
      codes: Array.from({ length: 5000 }, () => code),
    });
    const many = await bulk(Array.from({ length: 11 }, (_, at) => zone(`Z${at}`, '94107')));
    expect({
      status: many.status,
      detail: (many.body.detail as { loc: unknown[] }[]).map(({ loc }) => loc),
    }).toEqual({ status: 422, detail: [['body']] });
    const wrong = await bulk(Array.from({ length: 10 }, (_, at) => zone(`Z${at}`, 'SW1A')));
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
        services: [{ code: 'same_day', min_days: 0, max_days: 0, cod: true }],
      },
      { name: 'Whole', country: 'AE' },
    ]);
    const text = await exported();
    expect(text.split('\r\n')[0]).toMatch(
      /^name,country,priority,currency,codes,ranges,prefixes,standard_min_days,/,
    );
    const before = (await ask<{ data: ZoneView[] }>('GET', zonesPath)).body.data.map(
      ({ id: _id, ...rest }) => rest,
    );
    await app.stores.db.deleteFrom('delivery_zones').execute();
    expect((await importCsv(`\uFEFF${text}`)).body).toEqual({
      created: 3,
      changed: 0,
      deleted: 0,
      total: 3,
    });
    const after = (await ask<{ data: ZoneView[] }>('GET', zonesPath)).body.data.map(
      ({ id: _id, ...rest }) => rest,
    );
    expect(after.sort((a, b) => a.name.localeCompare(b.name))).toEqual(
      before.sort((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it('422 › name the line of an error in the CSV, and nothing is stored', async () => {
    const header = 'name,country,codes,standard_min_days,standard_max_days\n';
    const { status, body } = await importCsv(
      `${header}A,US,94107;10001,1,2\nB,US,SW1A 1AA,1,2\nC,USA,,x,\n`,
    );
    expect(status).toBe(422);
    expect(new Set(body.detail.map(({ loc }) => loc[1]))).toEqual(new Set([4]));
    const again = await importCsv(`${header}A,US,94107;10001,1,2\nB,US,SW1A 1AA,1,2\n`);
    expect(again.body.detail.map(({ loc }) => loc)).toEqual([['body', 3, 'codes', 0]]);
    for (const text of [
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
    ])
      expect({ text: text.slice(0, 40), status: (await importCsv(text)).status }).toEqual({
        text: text.slice(0, 40),
        status: 422,
      });
    expect(await zoneCount()).toBe(0);
    expect((await importCsv(`${header}A,US,94107;10001,1,2\n`)).body).toMatchObject({ created: 1 });
  });
});

describe('/min/core/zipcodedeliverability/', () => {
  it('GET checks publicly, and responds even without a code', async () => {
    expect((await ask('GET', short, undefined, {})).body).toMatchObject({
      method: 'GET',
      postal_code: null,
      valid_format: null,
      known: null,
      deliverable: null,
      services: [],
      reason: 'no_postal_code',
    });
    expect((await ask('GET', `${short}?zip=94107`, undefined, {})).body).toMatchObject({
      method: 'GET',
      postal_code: '94107',
      valid_format: true,
      known: true,
      deliverable: null,
      reason: 'no_zones',
    });
    expect((await ask('GET', `${short}?zip=9410`, undefined, {})).body).toMatchObject({
      valid_format: false,
    });
    expect((await ask('GET', `${short}?country=USA`, undefined, {})).status).toBe(422);
  });

  it('POST, PUT, PATCH and DELETE of a rule always answer with a JSON object', async () => {
    const { body } = await ask<{ method: string; stored: boolean; zone: ZoneView }>('POST', short, {
      zip: '94107',
      services: [{ code: 'standard', min_days: 1, max_days: 2 }],
    });
    expect(body).toMatchObject({
      method: 'POST',
      stored: true,
      zone: { name: '94107', country: 'US', codes: ['94107'] },
    });
    const at = `${short}?id=${body.zone.id}`;
    expect((await check('zip=94107')).deliverable).toBe(true);
    expect((await ask('PATCH', at, { priority: 7 })).body).toMatchObject({
      method: 'PATCH',
      stored: true,
      zone: { priority: 7, codes: ['94107'] },
    });
    expect((await ask('PUT', at, { zip: '10001' })).body).toMatchObject({
      method: 'PUT',
      stored: true,
      zone: { priority: 0, codes: ['10001'] },
    });
    expect((await ask('DELETE', at)).body).toEqual({
      method: 'DELETE',
      deleted: true,
      id: body.zone.id,
    });
    expect((await ask('POST', short, {})).status).toBe(422);
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await ask(method, short, {})).status).toBe(422);
  });
});
