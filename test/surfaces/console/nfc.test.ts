import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { nfcClient } from '../../areas/nfc/support.ts';
import { faultsOf, home, look, personOf, submit } from './pages.ts';

let app: TestApp;
let admin: Record<string, string>;
let viewer: Record<string, string>;

beforeAll(async () => {
  app = await sharedApp('console');
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
}, 60_000);

describe('NFC tags in the console', () => {
  it('are added by a form, and lead to the page that writes them', async () => {
    const added = await submit(
      app,
      'records/nfc-tags',
      { name: 'Front door', chip: 'ntag424', mode: 'sun', target: 'https://example.com/' },
      admin,
    );
    expect(added.statusCode).toBe(303);
    const entry = await look(app, String(added.headers.location), admin);
    expect(await faultsOf(entry.body)).toEqual([]);
    const link = /href="([^"]*nfc\/write\?id=[^"]+)"/.exec(entry.body)?.[1] ?? '';
    expect(link).toContain(home);
    const page = await look(app, link, admin);
    expect(page.statusCode).toBe(200);
    expect(await faultsOf(page.body)).toEqual([]);
    expect(page.body).toContain('Front door');
    expect(page.body).toContain('picc_data=00000000000000000000000000000000');
    expect(page.body).toContain('no browser can set the keys');
    expect(page.body).toContain('Open this page in Chrome on Android');
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
    const added = await submit(app, 'records/nfc-tags', form, admin);
    expect(added.statusCode).toBe(303);
    const id = /nfc-tags\/([\da-f-]{36})/.exec(String(added.headers.location))?.[1] ?? '';
    expect(await nfcClient(app).show(id)).toMatchObject({ chip, mode, active: true, ...shown });
  });

  it('are written by admins only, and unknown ones are not found', async () => {
    const { id } = await nfcClient(app).create({ chip: 'ntag213', mode: 'mirror', name: 'A' });
    expect((await look(app, `nfc/write?id=${id}`, viewer)).statusCode).toBe(403);
    const mirror = await look(app, `nfc/write?id=${id}`, admin);
    expect(mirror.body).toContain('the mirror of the chip has to be switched on');
    const unknown = await look(app, 'nfc/write?id=01985f6e-3a10-7c41-9d52-5b8e2f7a1c04', admin);
    expect(unknown.statusCode).toBe(404);
  });
});
