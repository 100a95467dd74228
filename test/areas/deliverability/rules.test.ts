import type { InjectOptions } from 'fastify';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { CheckView, ZoneView } from '../../../src/areas/deliverability/schemas.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';

const short = '/min/core/zipcodedeliverability/';
const zonesPath = '/api/v1/deliverability/zones';
const services = [{ code: 'standard', min_days: 1, max_days: 2 }];

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
}, 60_000);
afterEach(() => app.stores.db.deleteFrom('delivery_zones').execute());

interface Stored {
  detail: string;
  zone: ZoneView;
}

async function send(method: InjectOptions['method'], url: string, payload: object) {
  const answer = await app.http.inject({
    method: method ?? 'POST',
    url,
    payload,
    headers: asAdmin,
  });
  return { status: answer.statusCode, body: answer.json<Stored>() };
}
async function stored(method: InjectOptions['method'], url: string, payload: object) {
  const { status, body } = await send(method, url, payload);
  expect({ status, body }).toEqual({ status: 200, body });
  return body;
}
/** What the check answers for codes in the USA: served, not served or undecided (null). */
async function served(...codes: string[]) {
  const answers: Record<string, boolean | null> = {};
  for (const code of codes)
    answers[code] = (await app.http.inject(`${short}?zip=${code}`)).json<CheckView>().deliverable;
  return answers;
}

describe('a rule about one ZIP code', () => {
  it('decides about that code only, on an installation without zones', async () => {
    const { detail, zone } = await stored('POST', short, { zip: '10001' });
    expect(zone).toMatchObject({ name: '10001', codes: ['10001'], services: [], rule: true });
    expect(detail).toBe(
      'Parcels to 10001 are not delivered, because there are no services. Other codes are ' +
        'answered as before.',
    );
    expect(await served('10001', '94107', '10002')).toEqual({
      '10001': false,
      '94107': null,
      '10002': null,
    });
    await stored('POST', short, { zip: '94107', services });
    expect(await served('10001', '94107', '10002')).toEqual({
      '10001': false,
      '94107': true,
      '10002': null,
    });
  });

  it('is an exception to zones, which keep their meaning', async () => {
    await stored('POST', short, { zip: '94107' });
    await stored('POST', short, { zip: '10001', services });
    await stored('POST', zonesPath, { name: 'West', country: 'US', prefixes: ['94'], services });
    expect(await served('94107', '94103', '10001', '10002')).toEqual({
      '94107': false,
      '94103': true,
      '10001': true,
      '10002': false,
    });
  });

  it('leaves other codes as they were when it is deleted', async () => {
    const { zone } = await stored('POST', short, { zip: '10001' });
    const answer = await app.http.inject({
      method: 'DELETE',
      url: `${short}?id=${zone.id}`,
      headers: asAdmin,
    });
    expect(answer.statusCode).toBe(200);
    expect(await served('10001', '94107')).toEqual({ '10001': null, '94107': null });
  });

  it('is a zone with codes, ranges or prefixes, or if the body says so', async () => {
    for (const [at, body] of [
      { zip: '10001', prefixes: ['941'] },
      { zip: '10001', codes: ['94107'] },
      { zip: '10001', rule: false },
      { name: 'All', services },
    ].entries()) {
      const { zone, detail } = await stored('POST', short, { ...body, name: `Zone ${at}` });
      expect({ body, rule: zone.rule }).toEqual({ body, rule: false });
      expect(detail).toContain('Codes outside of every zone are not served.');
    }
  });
});

describe('PATCH', () => {
  it('takes zip: it replaces the code of a rule, and its name', async () => {
    const { zone } = await stored('POST', short, { zip: '10001', services });
    const changed = await stored('PATCH', `${short}?id=${zone.id}`, { zip: '94107' });
    expect(changed.zone).toMatchObject({
      id: zone.id,
      name: '94107',
      codes: ['94107'],
      rule: true,
      services: [{ code: 'standard' }],
    });
    expect(await served('10001', '94107')).toEqual({ '10001': null, '94107': true });
  });

  it('keeps a name that somebody chose', async () => {
    const { zone } = await stored('POST', short, { zip: '10001', name: 'Office' });
    const { zone: changed } = await stored('PATCH', `${short}?id=${zone.id}`, { zip: '94107' });
    expect(changed).toMatchObject({ name: 'Office', codes: ['94107'] });
  });

  it('adds zip to the codes of a zone, once', async () => {
    const { zone } = await stored('POST', short, { name: 'West', prefixes: ['94'], services });
    const at = `${short}?id=${zone.id}`;
    for (let count = 0; count < 2; count += 1) {
      const { zone: changed } = await stored('PATCH', at, { zip: '10001' });
      expect(changed).toMatchObject({ name: 'West', codes: ['10001'], rule: false });
    }
  });

  it('hostile: refuses what is no ZIP code, and changes nothing', async () => {
    const { zone } = await stored('POST', short, { zip: '10001' });
    const at = `${short}?id=${zone.id}`;
    for (const zip of ['', '1', '100011', 'ABCDE', "1' or 1=1", 5, null, ['10001']]) {
      const { status } = await send('PATCH', at, { zip });
      expect({ zip, status }).toEqual({ zip, status: 422 });
    }
    expect((await send('PATCH', at, { zip: '94107', unknown: 1 })).status).toBe(422);
    expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
  });

  it('hostile: a rule never becomes one about the whole country', async () => {
    const { zone } = await stored('POST', short, { zip: '10001' });
    for (const url of [`${short}?id=${zone.id}`, `${zonesPath}/${zone.id}`])
      expect({ url, status: (await send('PATCH', url, { codes: [] })).status }).toEqual({
        url,
        status: 422,
      });
    expect((await send('POST', short, { name: 'All', rule: true })).status).toBe(422);
    expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
  });
});

it('a rule is still one after an export and an import', async () => {
  await stored('POST', short, { zip: '10001' });
  const { body: csv } = await app.http.inject({ url: `${zonesPath}/export`, headers: asAdmin });
  const imported = await app.http.inject({
    method: 'POST',
    url: `${zonesPath}/import?replace=true`,
    headers: { ...asAdmin, 'content-type': 'text/csv' },
    payload: csv,
  });
  expect(imported.json()).toEqual({ created: 0, changed: 1, deleted: 0, total: 1 });
  expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
});

it('hostile: a rule needs an admin', async () => {
  const answer = await app.http.inject({ method: 'POST', url: short, payload: { zip: '10001' } });
  expect(answer.statusCode).toBe(401);
  expect(await served('10001')).toEqual({ '10001': null });
});
