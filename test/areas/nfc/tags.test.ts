import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { type Cleared, clearedOn } from '../../support/devices.ts';
import { hexKey, type NfcClient, nfcClient, randomUid } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

const minuteMs = 60_000;
let app: FreshApp;
let client: NfcClient;
let fresh: Cleared;
let stale: Cleared;
let offset = -10 * minuteMs;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await freshApp({
    isEmbedded: true,
    clock,
    env: { BASE_URL: 'https://svc.example', DEVICE_BINDING: 'none' },
  });
  client = nfcClient(app);
  stale = await clearedOn(app, { email: 'stale@example.com' }, { now: clock.now });
  offset = 0;
  fresh = await clearedOn(app, { email: 'fresh@example.com' }, { now: clock.now });
}, 120_000);
afterAll(() => app.close());

const base = { name: 'Door', chip: 'ntag424', mode: 'sun', action: 'json' };
const longCode = 'x'.repeat(32);
const browserOf = ({ browser }: Cleared) => ({
  call: (path: string, options: object = {}) =>
    browser.call(`/api/v1/nfc${path}`, {
      headers: { host: 'svc.example', origin: 'https://svc.example' },
      ...options,
    }),
});

describe('a tag', () => {
  it('is for admins only', async () => {
    const { id } = await client.create(base);
    for (const url of ['/tags', `/tags/${id}`, `/tags/${id}/ndef`, `/tags/${id}/encoding`, '/keys'])
      expect((await app.http.inject(`/api/v1/nfc${url}`)).statusCode).toBe(401);
  });

  it('gets a code that is easy to read, and defaults that fit its chip', async () => {
    const tag = await client.create(base);
    expect(tag.code).toMatch(/^[2-9a-hjkmnp-tw-z]{8}$/);
    expect(tag).toMatchObject({
      url: `https://svc.example/n/${tag.code}`,
      encryption: 'aes',
      picc_data: 'encrypted',
      mirrored: 'uid_and_counter',
      file_data: 'none',
      mac_input: 'nothing',
      key_source: 'derived',
      key_version: 1,
      taps: 0,
      last_counter: null,
      active: true,
    });
    const sealed = await client.create({ ...base, chip: 'ntag424_tt' });
    expect(sealed).toMatchObject({
      file_data: 'encrypted',
      file_data_length: 16,
      tamper_status: true,
      mac_input: 'file_data',
    });
  });

  it('never shows, logs or audits given keys', async () => {
    const [meta, file] = [hexKey(), hexKey()];
    const keys = { key_source: 'given', meta_key: meta, file_key: file };
    const created = await client.admin('POST', '/tags', { ...base, ...keys });
    expect(created.statusCode).toBe(200);
    const { id } = created.json();
    const shown = await client.admin('GET', `/tags/${id}`);
    const exported = await client.admin('GET', '/tags/export?format=csv');
    const sheet = await client.admin('GET', `/tags/${id}/encoding`);
    const { audit_events: events, nfc_tags: rows } = {
      audit_events: await app.stores.db.selectFrom('audit_events').selectAll().execute(),
      nfc_tags: await app.stores.db.selectFrom('nfc_tags').selectAll().execute(),
    };
    const seen = [created.body, shown.body, exported.body, sheet.body, app.log()].join('');
    const all = seen + JSON.stringify([events, rows]);
    for (const secret of [meta, file, meta.toLowerCase(), file.toLowerCase()])
      expect(all).not.toContain(secret);
    expect(seen).not.toMatch(/"(?:meta|file)_key"/);
  });

  it('echoes no key that is refused', async () => {
    const secret = `${hexKey().slice(1)}X`;
    const answer = await client.admin('POST', '/tags', {
      ...base,
      key_source: 'given',
      meta_key: secret,
      file_key: secret,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).not.toContain(secret.slice(0, 20));
    expect(app.log()).not.toContain(secret.slice(0, 20));
  });

  it.each([
    ['mode', { chip: 'ntag213' }],
    ['mode', { mode: 'mirror' }],
    ['encryption', { chip: 'ntag213', mode: 'plain', encryption: 'aes' }],
    ['file_key', { key_source: 'given', meta_key: hexKey() }],
    ['meta_key', { key_source: 'given', file_key: hexKey() }],
    ['file_key', { file_key: hexKey() }],
    ['uid', { mirrored: 'counter' }],
    ['mirrored', { mirrored: 'uid', file_data: 'encrypted' }],
    ['file_data_length', { file_data: 'encrypted', file_data_length: 20 }],
    ['chip', { encryption: 'lrp', file_data: 'encrypted', file_data_length: 64, code: longCode }],
    ['file_data_length', { chip: 'ntag424_tt', file_data: 'plain', file_data_length: 1 }],
    ['tamper_status', { tamper_status: true }],
    ['mac_input', { file_data: 'plain', mac_input: 'nothing' }],
    ['target', { action: 'redirect' }],
    ['target', { action: 'token', target: 'http://example.com/' }],
    ['action', { action: 'token', mirrored: 'uid', target: 'https://example.com/' }],
    ['target', { target: 'javascript:alert(1)' }],
    ['target', { target: 'https://user:secret@example.com/' }],
    ['target', { target: 'http://127.0.0.1/' }],
    ['target', { target: 'http://[::1]/' }],
    ['target', { target: 'http://169.254.169.254/latest/meta-data' }],
    ['target', { target: 'http://localhost:3000/' }],
    ['target', { target: 'https://svc.example/n/other' }],
    ['target', { target: 'https://svc.example/q/other' }],
    ['uid', { uid: '04AABB' }],
    ['code', { code: 'a/b' }],
  ])('is refused with the wrong %s: %j', async (field, body) => {
    const before = (await client.admin('GET', '/tags?limit=100')).json().data.length;
    const answer = await client.admin('POST', '/tags', { ...base, ...body });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ loc: ['body', field] }]);
    expect((await client.admin('GET', '/tags?limit=100')).json().data.length).toBe(before);
  });

  it('shares neither its code nor its UID with another one', async () => {
    const uid = randomUid();
    await client.create({ ...base, code: 'shared-1', uid });
    const [sameCode, sameUid] = [
      await client.admin('POST', '/tags', { ...base, code: 'shared-1' }),
      await client.admin('POST', '/tags', { ...base, uid: uid.toLowerCase() }),
    ];
    expect({ status: sameCode.statusCode, code: sameCode.json().code }).toEqual({
      status: 409,
      code: 'nfc.code_taken',
    });
    expect({ status: sameUid.statusCode, code: sameUid.json().code }).toEqual({
      status: 409,
      code: 'nfc.uid_taken',
    });
  });

  it('changes its target, but not to one that its action cannot have', async () => {
    const { id } = await client.create({
      ...base,
      action: 'redirect',
      target: 'https://example.com/',
    });
    const change = (body: object) => client.admin('PATCH', `/tags/${id}`, body);
    expect((await change({ target: 'https://example.org/' })).json()).toMatchObject({
      target: 'https://example.org/',
      action: 'redirect',
    });
    expect((await change({ target: null })).statusCode).toBe(422);
    expect((await change({ target: 'http://10.0.0.1/' })).statusCode).toBe(422);
    expect((await change({ chip: 'ntag213' })).statusCode).toBe(422);
    expect((await change({ target: null, action: 'page', page_text: 'Hi' })).statusCode).toBe(200);
  });

  it('is imported from CSV, all rows or none', async () => {
    const send = (rows: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/nfc/tags/import',
        headers: { ...asAdmin, 'content-type': 'text/csv' },
        payload: `name,chip,mode,target\n${rows}`,
      });
    const wrong = await send('A,ntag213,plain,https://a.example.com/\nB,ntag213,sun,\n');
    expect(wrong.statusCode).toBe(422);
    const done = await send('CsvA,ntag213,plain,https://a.example.com/\nCsvB,ntag216,mirror,\n');
    expect(done.json()).toMatchObject({ succeeded: 2 });
    const { data } = (await client.admin('GET', '/tags?q=csv')).json();
    expect(data.map(({ name }) => name).sort()).toEqual(['CsvA', 'CsvB']);
  });
});

describe('what is written to a chip', () => {
  it('comes as JSON and as bytes', async () => {
    const tag = await client.create({ ...base, chip: 'ntag213', mode: 'mirror' });
    const json = (await client.admin('GET', `/tags/${tag.id}/ndef`)).json();
    expect(json).toMatchObject({
      records: [{ type: 'uri', uri: `${tag.url}?m=00000000000000x000000` }],
      capacity: 144,
    });
    const bytes = await client.request({
      url: `/api/v1/nfc/tags/${tag.id}/ndef`,
      headers: { ...asAdmin, accept: 'application/octet-stream' },
    });
    expect(bytes.headers['content-type']).toBe('application/octet-stream');
    expect(bytes.rawPayload.toString('hex').toUpperCase()).toBe(json.memory);
    expect(json.memory).toMatch(/^03..D101..5504.*FE$/);
    const forced = await client.admin('GET', `/tags/${tag.id}/ndef?format=bytes`);
    expect(forced.rawPayload.equals(bytes.rawPayload)).toBe(true);
  });

  it('has settings for the chip, without keys', async () => {
    const sun = await client.create(base);
    const mirror = await client.create({ ...base, chip: 'ntag216', mode: 'mirror' });
    const sheet = (await client.admin('GET', `/tags/${sun.id}/encoding`)).json();
    expect(sheet.file_settings?.change_file_settings).toMatch(/^4000E0C1F121[\dA-F]{18}$/);
    expect(sheet.keys).toBeNull();
    expect((await client.admin('GET', `/tags/${mirror.id}/encoding`)).json()).toMatchObject({
      file_settings: null,
      mirror_settings: { configuration_page: 0xe3 },
      keys: null,
    });
  });

  it('has keys only for a person who has just signed in, and the audit log says so', async () => {
    const { id } = await client.create({ ...base, uid: randomUid() });
    const path = `/tags/${id}/encoding?keys=true`;
    const byKey = await client.admin('GET', path);
    expect({ status: byKey.statusCode, code: byKey.json().code }).toEqual({
      status: 403,
      code: 'nfc.person_required',
    });
    const late = await browserOf(stale).call(path);
    expect({ status: late.status, code: late.body.code }).toEqual({
      status: 401,
      code: 'auth.step_up_required',
    });
    const shown = () =>
      app.stores.db
        .selectFrom('audit_events')
        .select(['actor_id', 'details'])
        .where('action', '=', 'nfc.keys_shown')
        .where('target_id', '=', id)
        .execute();
    expect(await shown()).toEqual([]);
    const { status, body } = await browserOf(fresh).call(path);
    expect(status).toBe(200);
    expect(body.keys).toMatchObject({ version: 1 });
    expect(
      Object.values(body.keys ?? {}).filter((each) => /^[\dA-F]{32}$/.test(String(each))),
    ).toHaveLength(3);
    expect((await shown()).map(({ actor_id: by }) => by)).toEqual([fresh.browser.self.userId]);
  });

  it('has the file key of the UID that is given, while the tag has none', async () => {
    const { id } = await client.create(base);
    const keysFor = async (query: string) =>
      (await browserOf(fresh).call(`/tags/${id}/encoding?keys=true${query}`)).body.keys;
    const [uid, other] = [randomUid(), randomUid()];
    expect(await keysFor('')).toMatchObject({ file: null, application: null });
    const keys = await keysFor(`&uid=${uid}`);
    expect(await keysFor(`&uid=${other}`)).not.toEqual(keys);
    expect((await client.show(id)).uid).toBeNull();
  });
});

describe('the master key', () => {
  const chipOf = async (id: string, uid: string) => {
    const { body } = await browserOf(fresh).call(`/tags/${id}/encoding?keys=true`);
    const { meta, file } = body.keys as { meta: string; file: string };
    return {
      uid,
      metaKey: Buffer.from(meta, 'hex'),
      fileKey: Buffer.from(file, 'hex'),
    };
  };

  it('is rotated only by a person who has just signed in, or by an API key', async () => {
    const { data: before } = (await client.admin('GET', '/keys')).json();
    const late = await browserOf(stale).call('/keys/rotate', { method: 'POST' });
    expect({ status: late.status, code: late.body.code }).toEqual({
      status: 401,
      code: 'auth.step_up_required',
    });
    const { data } = (await client.admin('POST', '/keys/rotate')).json();
    expect(data.length).toBe(before.length + 1);
    expect(data[0]?.version).toBe(before.length + 1);
  });

  it('gets a version of its own by each of several rotations at once', async () => {
    const { data: before } = (await client.admin('GET', '/keys')).json();
    await Promise.all(Array.from({ length: 5 }, () => client.admin('POST', '/keys/rotate')));
    const { data } = (await client.admin('GET', '/keys')).json();
    expect(data.length).toBe(before.length + 5);
    const rows = await app.stores.db.selectFrom('nfc_master_keys').selectAll().execute();
    expect(new Set(rows.map(({ sealed_key: key }) => key)).size).toBe(rows.length);
    expect(rows.every(({ sealed_key: key }) => key.startsWith('v1.'))).toBe(true);
  });

  it('verifies a tag with its version, until the tag is re-encoded', async () => {
    const uid = randomUid();
    const tag = await client.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    expect((await client.tap(tag.code, tapQuery(chip, 10))).statusCode).toBe(200);
    await client.admin('POST', '/keys/rotate');
    expect((await client.tap(tag.code, tapQuery(chip, 11))).statusCode).toBe(200);

    const reencoded = await client.admin('POST', `/tags/${tag.id}/reencode`, {});
    expect(reencoded.statusCode).toBe(200);
    expect(reencoded.json().key_version).toBeGreaterThan(tag.key_version ?? 0);
    expect(reencoded.json().last_counter).toBeNull();
    expect((await client.tap(tag.code, tapQuery(chip, 12))).statusCode).toBe(403);
    const newChip = await chipOf(tag.id, uid);
    expect(newChip.fileKey.equals(chip.fileKey)).toBe(false);
    expect(newChip.metaKey.equals(chip.metaKey)).toBe(false);
    expect((await client.tap(tag.code, tapQuery(newChip, 1))).statusCode).toBe(200);
  });

  it('must be a new one to start the counter of a tapped tag again', async () => {
    const uid = randomUid();
    const tag = await client.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    expect((await client.admin('POST', `/tags/${tag.id}/reencode`, {})).statusCode).toBe(200);
    await client.tap(tag.code, tapQuery(chip, 10));
    const answer = await client.admin('POST', `/tags/${tag.id}/reencode`, {});
    expect({ status: answer.statusCode, code: answer.json().code }).toEqual({
      status: 409,
      code: 'nfc.keys_unchanged',
    });
    expect((await client.tap(tag.code, tapQuery(chip, 10))).statusCode).toBe(403);

    const given = await client.createSun();
    await client.tap(given.code, given.at(3));
    const same = {
      meta_key: Buffer.from(given.chip.metaKey).toString('hex'),
      file_key: Buffer.from(given.chip.fileKey).toString('hex'),
    };
    const again = await client.admin('POST', `/tags/${given.id}/reencode`, same);
    expect({ status: again.statusCode, code: again.json().code }).toEqual({
      status: 409,
      code: 'nfc.keys_unchanged',
    });
    expect((await client.tap(given.code, given.at(3))).statusCode).toBe(403);
  });

  it('is given to a replaced chip, with other settings, but not with a taken UID', async () => {
    const [uid, newUid, taken] = [randomUid(), randomUid(), randomUid()];
    await client.create({ ...base, uid: taken });
    const tag = await client.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    await client.tap(tag.code, tapQuery(chip, 10));
    await client.admin('POST', '/keys/rotate');
    const reencode = (body: object) => client.admin('POST', `/tags/${tag.id}/reencode`, body);
    const refused = await reencode({ uid: taken });
    expect({ status: refused.statusCode, code: refused.json().code }).toEqual({
      status: 409,
      code: 'nfc.uid_taken',
    });
    expect((await client.tap(tag.code, tapQuery(chip, 11))).statusCode).toBe(200);
    const done = await reencode({ uid: newUid, picc_data: 'plain', file_data: 'plain' });
    expect(done.json()).toMatchObject({
      uid: newUid,
      picc_data: 'plain',
      file_data_length: 16,
      mac_input: 'file_data',
      last_counter: null,
    });
    const newChip = {
      ...(await chipOf(tag.id, newUid)),
      isPlain: true,
      data: 'x'.repeat(16),
      isDataPlain: true,
      macInput: 'file_data' as const,
    };
    expect((await client.tap(tag.code, tapQuery(newChip, 1))).statusCode).toBe(200);
    expect((await reencode({ file_data: 'encrypted', mirrored: 'uid' })).statusCode).toBe(422);
    const plain = await client.create({ chip: 'ntag213', mode: 'plain', action: 'json' });
    const notSun = await client.admin('POST', `/tags/${plain.id}/reencode`, {});
    expect({ status: notSun.statusCode, code: notSun.json().code }).toEqual({
      status: 409,
      code: 'nfc.not_sun',
    });
  });
});
