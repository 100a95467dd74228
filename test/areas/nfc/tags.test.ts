import { describe, expect, it } from 'vitest';
import type { EncodingView, MasterKeyView, NfcTagView } from '../../../src/areas/nfc/schemas.ts';
import { minuteMs } from '../../../src/lib/durations.ts';
import { tableContent } from '../../support/abuse.ts';
import { freshApp } from '../../support/app.ts';
import { type Cleared, clearedOn } from '../../support/devices.ts';
import { hexKey, type List, nfcClient, randomUid } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

let offset = -10 * minuteMs;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({
  isEmbedded: true,
  clock,
  env: { BASE_URL: 'https://svc.example', DEVICE_BINDING: 'none' },
});
const nfc = nfcClient(app);
const stale = await clearedOn(app, { email: 'stale@example.com' }, { now: clock.now });
offset = 0;
const fresh = await clearedOn(app, { email: 'fresh@example.com' }, { now: clock.now });

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
  it('gets a code that is easy to read, and defaults that fit its chip', async () => {
    const tag = await nfc.create(base);
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
    const sealed = await nfc.create({ ...base, chip: 'ntag424_tt' });
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
    const created = await nfc.admin.post<NfcTagView>('/tags', { ...base, ...keys });
    expect(created.status).toBe(200);
    const { id } = created.body;
    const shown = await nfc.admin.get(`/tags/${id}`);
    const exported = await nfc.admin.get('/tags/export?format=csv');
    const sheet = await nfc.admin.get(`/tags/${id}/encoding`);
    const stored = [await tableContent(app, 'audit_events'), await tableContent(app, 'nfc_tags')];
    const seen = [created.text, shown.text, exported.text, sheet.text, app.log()].join('');
    const all = seen + stored.join('');
    for (const secret of [meta, file, meta.toLowerCase(), file.toLowerCase()])
      expect(all).not.toContain(secret);
    expect(seen).not.toMatch(/"(?:meta|file)_key"/);
  });

  it('echoes no key that is refused', async () => {
    const secret = `${hexKey().slice(1)}X`;
    const keys = { key_source: 'given', meta_key: secret, file_key: secret };
    const answer = await nfc.admin.post('/tags', { ...base, ...keys });
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain(secret.slice(0, 20));
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
    ['target', { target: 'http://127.0.0.1/' }],
    ['target', { target: 'https://svc.example/q/other' }],
    ['uid', { uid: '04AABB' }],
    ['code', { code: 'a/b' }],
  ])('is refused with the wrong %s: %j', async (field, body) => {
    const count = async () =>
      (await nfc.admin.get<List<NfcTagView>>('/tags?limit=100')).body.data.length;
    const before = await count();
    expect(await nfc.admin.post('/tags', { ...base, ...body })).toBeInvalid(`body.${field}`);
    expect(await count()).toBe(before);
  });

  it('shares neither its code nor its UID with another one', async () => {
    const uid = randomUid();
    await nfc.create({ ...base, code: 'shared-1', uid });
    const [sameCode, sameUid] = [
      await nfc.admin.post('/tags', { ...base, code: 'shared-1' }),
      await nfc.admin.post('/tags', { ...base, uid: uid.toLowerCase() }),
    ];
    expect(sameCode).toBeProblem(409, 'nfc.code_taken');
    expect(sameUid).toBeProblem(409, 'nfc.uid_taken');
  });

  it('changes its target, but not to one that its action cannot have', async () => {
    const redirect = { action: 'redirect', target: 'https://example.com/' };
    const { id } = await nfc.create({ ...base, ...redirect });
    const change = (body: object) => nfc.admin.patch(`/tags/${id}`, body);
    expect((await change({ target: 'https://example.org/' })).body).toMatchObject({
      target: 'https://example.org/',
      action: 'redirect',
    });
    expect((await change({ target: null })).status).toBe(422);
    expect((await change({ target: 'http://10.0.0.1/' })).status).toBe(422);
    expect((await change({ chip: 'ntag213' })).status).toBe(422);
    expect((await change({ target: null, action: 'page', page_text: 'Hi' })).status).toBe(200);
  });

  it('is imported from CSV, all rows or none', async () => {
    const send = (rows: string) =>
      nfc.admin.post('/tags/import', `name,chip,mode,target\n${rows}`, {
        headers: { 'content-type': 'text/csv' },
      });
    const wrong = await send('A,ntag213,plain,https://a.example.com/\nB,ntag213,sun,\n');
    expect(wrong.status).toBe(422);
    const done = await send('CsvA,ntag213,plain,https://a.example.com/\nCsvB,ntag216,mirror,\n');
    expect(done.body).toMatchObject({ succeeded: 2 });
    const { data } = (await nfc.admin.get<List<NfcTagView>>('/tags?q=csv')).body;
    expect(data.map(({ name }) => name).sort()).toEqual(['CsvA', 'CsvB']);
  });
});

describe('what is written to a chip', () => {
  it('comes as JSON and as bytes', async () => {
    const tag = await nfc.create({ ...base, chip: 'ntag213', mode: 'mirror' });
    const json = (await nfc.admin.get(`/tags/${tag.id}/ndef`)).body;
    expect(json).toMatchObject({
      records: [{ type: 'uri', uri: `${tag.url}?m=00000000000000x000000` }],
      capacity: 144,
    });
    const accept = { headers: { accept: 'application/octet-stream' } };
    const bytes = await nfc.admin.get(`/tags/${tag.id}/ndef`, accept);
    expect(bytes.headers['content-type']).toBe('application/octet-stream');
    expect(bytes.bytes.toString('hex').toUpperCase()).toBe(json.memory);
    expect(json.memory).toMatch(/^03..D101..5504.*FE$/);
    const forced = await nfc.admin.get(`/tags/${tag.id}/ndef?format=bytes`);
    expect(forced.bytes.equals(bytes.bytes)).toBe(true);
  });

  it('has settings for the chip, without keys', async () => {
    const sun = await nfc.create(base);
    const mirror = await nfc.create({ ...base, chip: 'ntag216', mode: 'mirror' });
    const sheet = (await nfc.admin.get<EncodingView>(`/tags/${sun.id}/encoding`)).body;
    expect(sheet.file_settings?.change_file_settings).toMatch(/^4000E0C1F121[\dA-F]{18}$/);
    expect(sheet.keys).toBeNull();
    expect((await nfc.admin.get(`/tags/${mirror.id}/encoding`)).body).toMatchObject({
      file_settings: null,
      mirror_settings: { configuration_page: 0xe3 },
      keys: null,
    });
  });

  it('has keys only for a person who has just signed in, and the audit log says so', async () => {
    const { id } = await nfc.create({ ...base, uid: randomUid() });
    const path = `/tags/${id}/encoding?keys=true`;
    const byKey = await nfc.admin.get(path);
    expect(byKey).toBeProblem(403, 'nfc.person_required');
    const late = await browserOf(stale).call(path);
    expect(late).toMatchObject({ status: 401, body: { code: 'auth.step_up_required' } });
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
    const { id } = await nfc.create(base);
    const keysFor = async (query: string) =>
      (await browserOf(fresh).call(`/tags/${id}/encoding?keys=true${query}`)).body.keys;
    const [uid, other] = [randomUid(), randomUid()];
    expect(await keysFor('')).toMatchObject({ file: null, application: null });
    const keys = await keysFor(`&uid=${uid}`);
    expect(await keysFor(`&uid=${other}`)).not.toEqual(keys);
    expect((await nfc.show(id)).uid).toBeNull();
  });
});

describe('the master key', () => {
  const chipOf = async (id: string, uid: string) => {
    const { body } = await browserOf(fresh).call(`/tags/${id}/encoding?keys=true`);
    const { meta, file } = body.keys as { meta: string; file: string };
    return { uid, metaKey: Buffer.from(meta, 'hex'), fileKey: Buffer.from(file, 'hex') };
  };

  it('is rotated only by a person who has just signed in, or by an API key', async () => {
    const { data: before } = (await nfc.admin.get<List<MasterKeyView>>('/keys')).body;
    const late = await browserOf(stale).call('/keys/rotate', { method: 'POST' });
    expect(late).toMatchObject({ status: 401, body: { code: 'auth.step_up_required' } });
    const { data } = (await nfc.admin.post<List<MasterKeyView>>('/keys/rotate')).body;
    expect(data.length).toBe(before.length + 1);
    expect(data[0]?.version).toBe(before.length + 1);
  });

  it('gets a version of its own by each of several rotations at once', async () => {
    const { data: before } = (await nfc.admin.get<List<MasterKeyView>>('/keys')).body;
    await Promise.all(Array.from({ length: 5 }, () => nfc.admin.post('/keys/rotate')));
    const { data } = (await nfc.admin.get<List<MasterKeyView>>('/keys')).body;
    expect(data.length).toBe(before.length + 5);
    const rows = await app.stores.db.selectFrom('nfc_master_keys').selectAll().execute();
    expect(new Set(rows.map(({ sealed_key: key }) => key)).size).toBe(rows.length);
    expect(rows.every(({ sealed_key: key }) => key.startsWith('v1.'))).toBe(true);
  });

  it('verifies a tag with its version, until the tag is re-encoded', async () => {
    const uid = randomUid();
    const tag = await nfc.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    expect((await nfc.tap(tag.code, tapQuery(chip, 10))).status).toBe(200);
    await nfc.admin.post('/keys/rotate');
    expect((await nfc.tap(tag.code, tapQuery(chip, 11))).status).toBe(200);

    const reencoded = await nfc.admin.post(`/tags/${tag.id}/reencode`, {});
    expect(reencoded.status).toBe(200);
    expect(reencoded.body.key_version).toBeGreaterThan(tag.key_version ?? 0);
    expect(reencoded.body.last_counter).toBeNull();
    expect((await nfc.tap(tag.code, tapQuery(chip, 12))).status).toBe(403);
    const newChip = await chipOf(tag.id, uid);
    expect(newChip.fileKey.equals(chip.fileKey)).toBe(false);
    expect(newChip.metaKey.equals(chip.metaKey)).toBe(false);
    expect((await nfc.tap(tag.code, tapQuery(newChip, 1))).status).toBe(200);
  });

  it('must be a new one to start the counter of a tapped tag again', async () => {
    const uid = randomUid();
    const tag = await nfc.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    expect((await nfc.admin.post(`/tags/${tag.id}/reencode`, {})).status).toBe(200);
    await nfc.tap(tag.code, tapQuery(chip, 10));
    const answer = await nfc.admin.post(`/tags/${tag.id}/reencode`, {});
    expect(answer).toBeProblem(409, 'nfc.keys_unchanged');
    expect((await nfc.tap(tag.code, tapQuery(chip, 10))).status).toBe(403);

    const given = await nfc.createSun();
    await nfc.tap(given.code, given.at(3));
    const same = {
      meta_key: Buffer.from(given.chip.metaKey).toString('hex'),
      file_key: Buffer.from(given.chip.fileKey).toString('hex'),
    };
    const again = await nfc.admin.post(`/tags/${given.id}/reencode`, same);
    expect(again).toBeProblem(409, 'nfc.keys_unchanged');
    expect((await nfc.tap(given.code, given.at(3))).status).toBe(403);
  });

  it('is given to a replaced chip, with other settings, but not with a taken UID', async () => {
    const [uid, newUid, taken] = [randomUid(), randomUid(), randomUid()];
    await nfc.create({ ...base, uid: taken });
    const tag = await nfc.create({ ...base, uid });
    const chip = await chipOf(tag.id, uid);
    await nfc.tap(tag.code, tapQuery(chip, 10));
    await nfc.admin.post('/keys/rotate');
    const reencode = (body: object) => nfc.admin.post(`/tags/${tag.id}/reencode`, body);
    const refused = await reencode({ uid: taken });
    expect(refused).toBeProblem(409, 'nfc.uid_taken');
    expect((await nfc.tap(tag.code, tapQuery(chip, 11))).status).toBe(200);
    const done = await reencode({ uid: newUid, picc_data: 'plain', file_data: 'plain' });
    expect(done.body).toMatchObject({
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
    expect((await nfc.tap(tag.code, tapQuery(newChip, 1))).status).toBe(200);
    expect((await reencode({ file_data: 'encrypted', mirrored: 'uid' })).status).toBe(422);
    const plain = await nfc.create({ chip: 'ntag213', mode: 'plain', action: 'json' });
    const notSun = await nfc.admin.post(`/tags/${plain.id}/reencode`, {});
    expect(notSun).toBeProblem(409, 'nfc.not_sun');
  });
});
