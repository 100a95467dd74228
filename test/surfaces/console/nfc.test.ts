import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { nfcClient } from '../../areas/nfc/support.ts';
import { type ConsoleClient, faultsOf, home, personOf } from './pages.ts';

let app: TestApp;
let admin: ConsoleClient;
let viewer: ConsoleClient;

beforeAll(async () => {
  app = await sharedApp('console');
  admin = (await personOf(app, 'ada@example.com', ['admin'])).console;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).console;
}, 60_000);

describe('NFC tags in the console', () => {
  it('are added by a form, and lead to the page that writes them', async () => {
    const added = await admin.form('records/nfc-tags', {
      name: 'Front door',
      chip: 'ntag424',
      mode: 'sun',
      target: 'https://example.com/',
    });
    expect(added.status).toBe(303);
    const entry = await admin.page(String(added.headers.location));
    expect(await faultsOf(entry.text)).toEqual([]);
    const link = /href="([^"]*nfc\/write\?id=[^"]+)"/.exec(entry.text)?.[1] ?? '';
    expect(link).toContain(home);
    const page = await admin.page(link);
    expect(page.status).toBe(200);
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).toContain('Front door');
    expect(page.text).toContain('picc_data=00000000000000000000000000000000');
    expect(page.text).toContain('no browser can set the keys');
    expect(page.text).toContain('Open this page in Chrome on Android');
  });

  it.each([
    ['ntag213', 'plain', {}],
    ['ntag216', 'mirror', {}],
    ['ntag424_tt', 'sun', { tamper_status: true, file_data: 'encrypted' }],
  ])('of the chip %s with the mode %s are added with empty fields', async (chip, mode, shown) => {
    const form = {
      name: chip,
      chip,
      mode,
      active: 'true',
      code: '',
      uid: '',
      file_data_length: '',
    };
    const added = await admin.form('records/nfc-tags', form);
    expect(added.status).toBe(303);
    const id = /nfc-tags\/([\da-f-]{36})/.exec(String(added.headers.location))?.[1] ?? '';
    expect(await nfcClient(app).show(id)).toMatchObject({ chip, mode, active: true, ...shown });
  });

  it('are written by admins only, and unknown ones are not found', async () => {
    const { id } = await nfcClient(app).create({ chip: 'ntag213', mode: 'mirror', name: 'A' });
    expect((await viewer.page(`nfc/write?id=${id}`)).status).toBe(403);
    const mirror = await admin.page(`nfc/write?id=${id}`);
    expect(mirror.text).toContain('the mirror of the chip has to be switched on');
    const unknown = await admin.page('nfc/write?id=01985f6e-3a10-7c41-9d52-5b8e2f7a1c04');
    expect(unknown.status).toBe(404);
  });
});
