import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { NfcAlarmView } from '../../../src/areas/nfc/alarms/schemas.ts';
import { type List, nfcClient } from '../../areas/nfc/support.ts';
import { type Codes, qrClient } from '../../areas/qr/support.ts';
import { fromElsewhere, redirectTo } from '../../support/responses.ts';
import { faultsOf, home, origin, personOf, unknownId } from './pages.ts';

const app = await sharedApp('console');
const qr = qrClient(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);
const picture = (await qr.client.get('/api/v1/qr?text=logo&format=png&size=200')).bytes;

/** The form of a style, as it stands for black on white. */
const plainStyle = {
  'style.color': '#000000',
  'style.background': 'white',
  'style.shape': 'square',
  'style.frame': 'square',
  'style.dot': 'square',
  'style.level': 'auto',
  'style.margin': '4',
};

const logoIds = async () => (await app.services.qr.logos.list()).map(({ id }) => id);

/** Sends the form with a file, as a browser does without scripts. */
async function upload(file: Buffer, headers: Record<string, string> = admin.headers) {
  const form = new FormData();
  form.set('logo', new Blob([Uint8Array.from(file)], { type: 'image/png' }), 'logo.png');
  const sent = new Response(form);
  const type = sent.headers.get('content-type') ?? '';
  return qr.client.post(`${home}qr/logos`, Buffer.from(await sent.arrayBuffer()), {
    headers: { 'content-type': type, origin, 'sec-fetch-site': 'same-origin', ...headers },
  });
}

describe('logos in the console', () => {
  it('are uploaded by a form, shown, chosen for a code, and deleted once unused', async () => {
    const empty = await admin.page('qr/logos');
    expect(empty.text).toContain('No logos yet.');
    expect(await faultsOf(empty.text)).toEqual([]);
    expect(await upload(picture)).toMatchObject(redirectTo(`${home}qr/logos?done=added`));
    const [logo = ''] = await logoIds();
    const list = await admin.page('qr/logos?done=added');
    expect(await faultsOf(list.text)).toEqual([]);
    for (const part of ['Logo uploaded.', '<strong>logo</strong>', '200 × 200 px'])
      expect(list.text).toContain(part);
    // Nobody needs the id of a logo on a page.
    expect(list.text).not.toContain(`>${logo}<`);
    const shown = await admin.page(`qr/logos/${logo}/picture`);
    expect(shown.headers['content-type']).toBe('image/png');
    expect(shown.bytes.subarray(1, 4).toString()).toBe('PNG');

    const { id } = await qr.create({ name: 'With logo', style: { level: 'H' } });
    await qr.create({ name: 'Without logo' });
    const page = await admin.page(`qr/${id}/style`);
    expect(page.text).toContain(`name="style.logo" value="${logo}"`);
    const chosen = await admin.form(`qr/${id}/style`, { ...plainStyle, 'style.logo': logo });
    expect(chosen.headers.location).toBe(`${home}qr/${id}/style?done=styled`);
    const after = await admin.page(`qr/${id}/style?done=styled`);
    expect(await faultsOf(after.text)).toEqual([]);
    expect(after.text).toMatch(new RegExp(`value="${logo}" checked`));
    expect((await qr.show(id)).style).toMatchObject({ logo, level: 'H' });
    const used = await admin.page('qr/logos');
    expect(used.text).toContain(`href="${home}qr?logo=${logo}">Used by 1 code</a>`);
    expect(used.text).not.toContain(`qr/logos/${logo}/delete`);
    const codes = (await admin.page(`qr?logo=${logo}`)).text;
    expect(codes).toContain('With logo');
    expect(codes).not.toContain('Without logo');

    const word = { confirm: 'delete' };
    expect((await admin.form(`qr/logos/${logo}/delete`, word)).status).toBe(409);
    const none = { ...plainStyle, 'style.logo': '' };
    expect((await admin.form(`qr/${id}/style`, none)).status).toBe(303);
    expect((await qr.show(id)).style).toMatchObject({ logo: null, level: 'M' });
    expect((await admin.form(`qr/logos/${logo}/delete`, {})).status).toBe(422);
    expect(await logoIds()).toEqual([logo]);
    const deleted = await admin.form(`qr/logos/${logo}/delete`, word);
    expect(deleted.headers.location).toBe(`${home}qr/logos?done=deleted`);
    expect(await logoIds()).toEqual([]);
    expect((await admin.page(`qr/logos/${logo}/picture`)).status).toBe(404);
  });

  it('are counted in the API by the codes that have them', async () => {
    await upload(picture);
    const [logo = ''] = await logoIds();
    for (const name of ['A', 'B']) await qr.create({ name, style: { logo, level: 'H' } });
    const list = (await qr.admin.get('/qr-logos')).body;
    expect(list.data).toMatchObject([{ id: logo, codes: 2 }]);
    const { data } = (await qr.codes.get<Codes>(`?logo=${logo}&sort=name`)).body;
    expect(data.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  it('refuse anything but a picture, and say what to do', async () => {
    const before = await logoIds();
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    const large = Buffer.alloc(6 * 1024 * 1024);
    for (const [file, status, text] of [
      [script, 415, 'A logo must be a PNG, JPEG or WebP picture.'],
      [picture.subarray(0, 60), 422, 'This picture is damaged'],
      [Buffer.alloc(0), 422, 'Choose a picture first.'],
      [large, 413, ''],
    ] as const) {
      const refused = await upload(file);
      expect(refused.status).toBe(status);
      expect(refused.text).toContain(text);
    }
    const { id } = await qr.create();
    for (const logo of [unknownId, '<script>'])
      expect(
        (await admin.form(`qr/${id}/style`, { ...plainStyle, 'style.logo': logo })).status,
      ).toBe(422);
    expect(await logoIds()).toEqual(before);
  });

  it('are for admins, and forms of this origin', async () => {
    const [logo = ''] = await logoIds();
    const before = await logoIds();
    for (const path of ['qr/logos', `qr/logos/${logo}/picture`])
      expect((await viewer.page(path)).status).toBe(403);
    for (const headers of [viewer.headers, { ...admin.headers, ...fromElsewhere }])
      expect((await upload(picture, headers)).status).toBe(403);
    expect((await upload(picture, {})).status).toBe(401);
    const word = { confirm: 'delete' };
    expect((await viewer.form(`qr/logos/${logo}/delete`, word)).status).toBe(403);
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
    const list = (await admin.page('nfc/alarms')).text;
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
