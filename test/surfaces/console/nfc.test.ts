import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { nfcClient } from '../../areas/nfc/support.ts';
import { faultsOf, home, personOf, unknownId } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

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
    for (const part of [
      'Front door',
      'picc_data=00000000000000000000000000000000',
      'no browser can set the keys',
      'Open this page in Chrome on Android',
    ])
      expect(page.text).toContain(part);
  });

  it.each([
    ['ntag213', 'plain', {}],
    ['ntag216', 'mirror', {}],
    ['ntag424_tt', 'sun', { tamper_status: true, file_data: 'encrypted' }],
  ])('of the chip %s with the mode %s are added with empty fields', async (chip, mode, shown) => {
    const empty = { code: '', uid: '', file_data_length: '' };
    const form = { name: chip, chip, mode, active: 'true', ...empty };
    const added = await admin.form('records/nfc-tags', form);
    expect(added.status).toBe(303);
    const id = /nfc-tags\/([\da-f-]{36})/.exec(String(added.headers.location))?.[1] ?? '';
    expect(await nfcClient(app).show(id)).toMatchObject({ chip, mode, active: true, ...shown });
  });

  it('are added with the form as it is offered, once they have a name', async () => {
    const page = await admin.page('records/nfc-tags');
    expect(page.text).not.toContain('Don’t change');
    const [, form = ''] = /id="create"(.*?)<\/form>/s.exec(page.text) ?? [];
    const values: Record<string, string> = {};
    for (const [, name = '', options = ''] of form.matchAll(
      /<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
    )) {
      const chosen = /<option value="([^"]*)"[^>]* selected/.exec(options);
      values[name] = (chosen ?? /<option value="([^"]*)"/.exec(options))?.[1] ?? '';
    }
    expect(values).toMatchObject({ chip: 'ntag213', mode: 'plain', encryption: '' });
    const added = await admin.form('records/nfc-tags', {
      ...values,
      name: 'Shelf',
      active: 'true',
    });
    expect(added.status).toBe(303);
  });

  it('show their target in its own letters', async () => {
    const target = 'https://müller.example/日本?q=für';
    const tag = await nfcClient(app).create({ chip: 'ntag213', mode: 'plain', target });
    expect(tag.target).toBe('https://xn--mller-kva.example/%E6%97%A5%E6%9C%AC?q=f%C3%BCr');
    expect((await admin.page(`records/nfc-tags/${tag.id}`)).text).toContain(target);
  });

  it('are written by admins only, and unknown ones are not found', async () => {
    const { id } = await nfcClient(app).create({ chip: 'ntag213', mode: 'mirror', name: 'A' });
    expect((await viewer.page(`nfc/write?id=${id}`)).status).toBe(403);
    const mirror = await admin.page(`nfc/write?id=${id}`);
    expect(mirror.text).toContain('turn on the chip’s mirror');
    expect((await admin.page(`nfc/write?id=${unknownId}`)).status).toBe(404);
  });
});
