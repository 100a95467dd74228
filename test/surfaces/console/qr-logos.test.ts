import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { NfcAlarmView } from '../../../src/areas/nfc/alarms/schemas.ts';
import { type List, nfcClient } from '../../areas/nfc/support.ts';
import { type Codes, type QrClient, qrClient } from '../../areas/qr/support.ts';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, home, look, origin, personOf, submit } from './pages.ts';

let app: TestApp;
let admin: Record<string, string>;
let viewer: Record<string, string>;
let picture: Buffer;
let qr: QrClient;
const unknown = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';

beforeAll(async () => {
  app = await sharedApp('console');
  qr = qrClient(app);
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
  picture = (await qr.client.get('/api/v1/qr?text=logo&format=png&size=200')).bytes;
}, 60_000);

const logoIds = async () => (await app.services.qrLogos.list()).map(({ id }) => id);

/** Sends the form with a file, as a browser does without scripts. */
function upload(file: Buffer | undefined, headers: Record<string, string>) {
  const boundary = '----form';
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="logo"; filename="logo.png"\r\n` +
    'content-type: image/png\r\n\r\n';
  return app.http.inject({
    method: 'POST',
    url: `${home}qr/logos`,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      origin,
      host: '127.0.0.1:3000',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: Buffer.concat([
      Buffer.from(head),
      file ?? Buffer.alloc(0),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
}

describe('logos in the console', () => {
  it('are uploaded by a form, shown, chosen for a code, and deleted once unused', async () => {
    const empty = await look(app, 'qr/logos', admin);
    expect(empty.body).toContain('No logos yet.');
    expect(await faultsOf(empty.body)).toEqual([]);
    const answer = await upload(picture, admin);
    expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
      status: 303,
      location: `${home}qr/logos?done=added`,
    });
    const [logo = ''] = await logoIds();
    const list = await look(app, 'qr/logos?done=added', admin);
    expect(await faultsOf(list.body)).toEqual([]);
    expect(list.body).toContain('Logo uploaded.');
    expect(list.body).toContain(`<code>${logo}</code>`);
    expect(list.body).toContain('200 × 200 px');
    const shown = await look(app, `qr/logos/${logo}/picture`, admin);
    expect(shown.headers['content-type']).toBe('image/png');
    expect(shown.rawPayload.subarray(1, 4).toString()).toBe('PNG');

    const { id } = await qr.create({ name: 'With logo', style: { level: 'H' } });
    await qr.create({ name: 'Without logo' });
    const page = await look(app, `qr?id=${id}`, admin);
    expect(page.body).toContain(`name="logo" value="${logo}"`);
    const chosen = await submit(app, 'qr/logos/choose', { id, logo }, admin);
    expect(chosen.headers.location).toBe(`${home}qr?id=${id}&done=logo_saved`);
    const after = await look(app, `qr?id=${id}&done=logo_saved`, admin);
    expect(await faultsOf(after.body)).toEqual([]);
    expect(after.body).toMatch(new RegExp(`value="${logo}" checked`));
    const used = await look(app, 'qr/logos', admin);
    expect(used.body).toContain(`href="${home}records/qr-codes?logo=${logo}">Used by 1 code</a>`);
    expect(used.body).not.toContain(`qr/logos/${logo}/delete`);
    const codes = (await look(app, `records/qr-codes?logo=${logo}`, admin)).body;
    expect(codes).toContain('With logo');
    expect(codes).not.toContain('Without logo');

    const word = { confirm: 'delete' };
    expect((await submit(app, `qr/logos/${logo}/delete`, word, admin)).statusCode).toBe(409);
    expect((await submit(app, 'qr/logos/choose', { id, logo: '' }, admin)).statusCode).toBe(303);
    expect((await submit(app, `qr/logos/${logo}/delete`, {}, admin)).statusCode).toBe(422);
    expect(await logoIds()).toEqual([logo]);
    const deleted = await submit(app, `qr/logos/${logo}/delete`, word, admin);
    expect(deleted.headers.location).toBe(`${home}qr/logos?done=deleted`);
    expect(await logoIds()).toEqual([]);
    expect((await look(app, `qr/logos/${logo}/picture`, admin)).statusCode).toBe(404);
  });

  it('are counted in the API by the codes that have them', async () => {
    await upload(picture, admin);
    const [logo = ''] = await logoIds();
    for (const name of ['A', 'B']) await qr.create({ name, style: { logo, level: 'H' } });
    const list = (await qr.admin.get('/qr-logos')).body;
    expect(list.data).toMatchObject([{ id: logo, codes: 2 }]);
    const { data } = (await qr.codes.get<Codes>(`?logo=${logo}&sort=name`)).body;
    expect(data.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  it('refuse what is no picture, and say what to do', async () => {
    const before = await logoIds();
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    const large = Buffer.alloc(6 * 1024 * 1024);
    for (const [file, status, text] of [
      [script, 415, 'A logo must be a PNG, JPEG or WebP picture.'],
      [picture.subarray(0, 60), 422, 'This picture is damaged'],
      [undefined, 422, 'Choose a picture first.'],
      [large, 413, ''],
    ] as const) {
      const answer = await upload(file, admin);
      expect(answer.statusCode).toBe(status);
      expect(answer.body).toContain(text);
    }
    const { id } = await qr.create();
    for (const logo of [unknown, '<script>'])
      expect((await submit(app, 'qr/logos/choose', { id, logo }, admin)).statusCode).toBe(422);
    expect(await logoIds()).toEqual(before);
  });

  it('are for admins, and forms of this origin', async () => {
    const [logo = ''] = await logoIds();
    const before = await logoIds();
    for (const path of ['qr/logos', `qr/logos/${logo}/picture`])
      expect((await look(app, path, viewer)).statusCode).toBe(403);
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const headers of [viewer, { ...admin, ...evil }])
      expect((await upload(picture, headers)).statusCode).toBe(403);
    expect((await upload(picture, {})).statusCode).toBe(401);
    const word = { confirm: 'delete' };
    expect((await submit(app, `qr/logos/${logo}/delete`, word, viewer)).statusCode).toBe(403);
    expect(await logoIds()).toEqual(before);
  });
});

describe('NFC alarms in the console', () => {
  it('name their tag, also after it got another name', async () => {
    const nfc = nfcClient(app);
    const tag = await nfc.createSun({ name: '<b>Cellar' });
    await nfc.tap(tag.code, tag.at(1));
    await nfc.tap(tag.code, tag.at(1));
    const alarms = async () =>
      (await nfc.admin.get<List<NfcAlarmView>>(`/alarms?tag_id=${tag.id}`)).body.data;
    const [alarm] = await alarms();
    expect(alarm).toMatchObject({ kind: 'replayed', tag_id: tag.id, tag_name: '<b>Cellar' });
    const list = (await look(app, 'records/nfc-alarms', admin)).body;
    expect(list).toContain('&lt;b&gt;Cellar');
    expect(list).not.toContain('<b>Cellar');
    await nfc.admin.patch(`/tags/${tag.id}`, { name: 'Attic' });
    const changed = await nfc.admin.patch(`/alarms/${alarm?.id}`, { resolved: true });
    expect(changed.body).toMatchObject({ resolved: true, tag_name: 'Attic' });
    const shown = (await nfc.admin.get<List<NfcAlarmView>>(`/alarms/${alarm?.id}`)).body;
    expect(shown).toMatchObject({ tag_id: tag.id, tag_name: 'Attic' });
    expect((await nfc.tap('nothere', tag.at(2))).status).toBe(404);
    const [without] = (await nfc.admin.get<List<NfcAlarmView>>('/alarms?kind=unknown_code')).body
      .data;
    expect(without).toMatchObject({ tag_id: null, tag_name: null });
  });
});
