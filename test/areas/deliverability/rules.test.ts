import { afterEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { CheckView } from '../../../src/areas/deliverability/schemas.ts';
import type { ZoneView } from '../../../src/areas/deliverability/zones/schemas.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

const short = '/min/core/zipcodedeliverability/';
const zonesPath = '/api/v1/deliverability/zones';
const services = [{ code: 'standard', min_days: 1, max_days: 2 }];

const app = await sharedApp();
const admin = new TestClient(app).as(asAdmin);
afterEach(() => app.stores.db.deleteFrom('delivery_zones').execute());

interface Stored {
  detail: string;
  zone: ZoneView;
}

async function stored(method: 'POST' | 'PATCH', url: string, body: object): Promise<Stored> {
  const response = await admin.send<Stored>(method, url, body);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
}

/** What the check answers for codes in the USA: served, not served or undecided (null). */
async function served(...codes: string[]) {
  const answers: Record<string, boolean | null> = {};
  for (const code of codes)
    answers[code] = (await admin.get<CheckView>(`${short}?zip=${code}`)).body.deliverable;
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
    expect((await admin.delete(`${short}?id=${zone.id}`)).status).toBe(200);
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
      expect(zone.rule, JSON.stringify(body)).toBe(false);
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

  it('hostile: refuses anything but a ZIP code, and changes nothing', async () => {
    const { zone } = await stored('POST', short, { zip: '10001' });
    const at = `${short}?id=${zone.id}`;
    for (const zip of ['', '1', '100011', 'ABCDE', "1' or 1=1", 5, null, ['10001']])
      expect((await admin.patch(at, { zip })).status, String(zip)).toBe(422);
    expect((await admin.patch(at, { zip: '94107', unknown: 1 })).status).toBe(422);
    expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
  });

  it('hostile: a rule never becomes one about the whole country', async () => {
    const { zone } = await stored('POST', short, { zip: '10001' });
    for (const url of [`${short}?id=${zone.id}`, `${zonesPath}/${zone.id}`])
      expect((await admin.patch(url, { codes: [] })).status, url).toBe(422);
    expect((await admin.post(short, { name: 'All', rule: true })).status).toBe(422);
    expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
  });
});

it('a rule is still one after an export and an import', async () => {
  await stored('POST', short, { zip: '10001' });
  const { text } = await admin.get(`${zonesPath}/export`);
  const csv = { headers: { 'content-type': 'text/csv' } };
  const imported = await admin.post(`${zonesPath}/import?replace=true`, text, csv);
  expect(imported.body).toEqual({ created: 0, changed: 1, deleted: 0, total: 1 });
  expect(await served('10001', '94107')).toEqual({ '10001': false, '94107': null });
});

it('hostile: a rule needs an admin', async () => {
  expect((await new TestClient(app).post(short, { zip: '10001' })).status).toBe(401);
  expect(await served('10001')).toEqual({ '10001': null });
});
