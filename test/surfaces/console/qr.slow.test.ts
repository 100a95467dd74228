import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDecoders } from '../../../src/areas/qr/reading/decoders.ts';
import { type Codes, type QrClient, qrClient, target } from '../../areas/qr/support.ts';
import { hasBrowser } from '../../support/browser/browser.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { pixelsOf } from '../../support/qr-images.ts';
import { useConsole } from './browser.ts';
import { personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('the page of a QR code', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Record<string, string>;
  let qr: QrClient;
  let scanned = '';
  let fixed = '';
  let file = '';

  const by = { actor: { kind: 'user' }, address: '192.0.2.1', requestId: 'test' } as const;

  /** Creates codes from a file. Returns its id once they exist. */
  async function finishedFile(csv: string): Promise<string> {
    const { batches } = service.app.services.qr;
    const { id } = await batches.create(csv, { name: 'tables.csv' }, by);
    await qr.finished(id);
    return id;
  }

  beforeAll(async () => {
    qr = qrClient(service.app);
    admin = (await personOf(service.app, 'ada@example.com', ['admin'])).headers;
    const code = await qr.create({ name: 'Poster', style: { shape: 'rounded' } });
    scanned = code.id;
    await qr.scan(code.code);
    await qr.codes.patch(`/${code.id}`, { url: 'https://example.com/summer' });
    await service.app.applied();
    const content = { type: 'text', text: 'Table 12' };
    fixed = (await qr.create({ name: 'Table', url: undefined, content })).id;
    await service.app.services.queues.start();
    const background = '#1a2b6b';
    const picture = sharp({ create: { width: 200, height: 120, channels: 3, background } });
    const bytes = await picture.png().toBuffer();
    for (const _ of [1, 2]) await service.app.services.qr.logos.add(bytes, by);
    await qr.codes.patch(`/${code.id}`, {
      style: { level: 'H', logo: (await service.app.services.qr.logos.list())[0]?.id },
    });
    file = await finishedFile(`name,url,code\nA,${target},a-1\nB,${target},${code.code}\n`);
  });

  describe('in each view', () => {
    const visit = browser.usePage(() => admin);

    it.each([
      'qr?id=:scanned',
      'qr?id=:fixed',
      'qr/files',
      'qr/files/:file',
      'qr/files/new',
      'qr/logos',
      'records/qr-codes',
    ])('is accessible and fits the window, at /%s', async (path) => {
      const ids = { ':scanned': scanned, ':fixed': fixed, ':file': file };
      const page = await visit(
        Object.entries(ids).reduce((text, [name, id]) => text.replace(name, id), path),
      );
      expect(await viewFaults(page, { picture: `console-${path}` })).toEqual([]);
    });
  });

  it('shows a picture that leads there, and its scans', async () => {
    const page = await browser.visit(`records/qr-codes/${scanned}`, { as: admin });
    await page.getByRole('link', { name: 'Picture and scans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Poster' }).waitFor();
    const picture = page.getByRole('img', { name: 'QR code: Poster' });
    const readings = await (await loadDecoders())(await pixelsOf(await picture.screenshot()));
    const { text } = await qr.show(scanned);
    expect(readings).toEqual({ zxing: [text], zbar: [text] });
    expect(await page.locator('#figures').textContent()).toMatch(/Scans\s*1/);
  });

  it('saves the picture as a file', async () => {
    const page = await browser.visit(`qr?id=${scanned}`, { as: admin });
    for (const format of ['SVG', 'PNG', 'PDF']) {
      const started = page.waitForEvent('download');
      await page.getByRole('link', { name: format }).click();
      const file = await started;
      expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
      expect((await readFile(await file.path())).length).toBeGreaterThan(300);
    }
  });

  it('restores a former target', async () => {
    const page = await browser.visit(`qr?id=${scanned}`, { as: admin });
    await page.getByRole('button', { name: 'Restore' }).first().click();
    await page.getByText('Target restored.').waitFor();
    expect((await qr.show(scanned)).url).toBe(target);
  });

  it('adds a code with the form of the list', async () => {
    const page = await browser.visit('records/qr-codes', { as: admin });
    await page.getByRole('button', { name: 'Add QR code' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add QR code' });
    await dialog.getByLabel('Name', { exact: true }).fill('Menu');
    await dialog.getByLabel('Target', { exact: true }).fill('https://example.com/menu');
    await dialog.getByRole('button', { name: 'Add QR code' }).click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
    const [code] = (await qr.codes.get<Codes>('?q=Menu')).body.data;
    expect(code).toMatchObject({
      url: 'https://example.com/menu',
      dynamic: true,
      status: 'active',
    });
  });

  it('creates codes from a chosen file, and follows them without a reload', async () => {
    const page = await browser.visit('records/qr-codes', { as: admin });
    await page.getByRole('link', { name: 'Codes from files' }).click();
    await page.getByRole('link', { name: 'Create codes from a file' }).click();
    const rows = Array.from({ length: 300 }, (_, at) => `Seat ${at},${target}`);
    await page.getByLabel('CSV file').setInputFiles({
      name: 'seats.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['name,url', ...rows].join('\n')),
    });
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('seats.csv');
    await page.getByRole('button', { name: 'Create codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'seats.csv' }).waitFor();
    await page.getByText('300 of 300').waitFor({ timeout: 60_000 });
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    const labels = await started;
    expect(labels.suggestedFilename()).toBe('qr-codes.pdf');
    expect((await readFile(await labels.path())).subarray(0, 5).toString()).toBe('%PDF-');
  }, 120_000);

  it('says on the page of the form which line of a file is wrong', async () => {
    const page = await browser.visit('qr/files/new', { as: admin });
    await page.getByLabel('Rows').fill(`name,url\nA,${target}\nB,ftp://example.com`);
    await page.getByRole('button', { name: 'Create codes' }).click();
    await page.getByText('Nothing was imported. Line 3, url: ').waitFor();
    expect(await page.getByLabel('Rows').inputValue()).toContain('ftp://');
    // The browser reports the 422 of the form.
    browser.complaints();
  });

  it('uploads a logo, copies its id, and deletes it after a word', async () => {
    const page = await browser.visit('qr/logos', { as: admin });
    const { bytes } = await qr.client.get('/api/v1/qr?text=other&format=png');
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: bytes });
    await page.getByRole('button', { name: 'Upload logo' }).click();
    await page.getByText('Logo uploaded.').waitFor();
    const row = page.locator('#logos').getByRole('listitem').first();
    await row.getByRole('button', { name: 'Copy' }).waitFor();
    await row.getByText('Delete logo').first().click();
    await row.getByRole('textbox').fill('delete');
    await row.getByRole('button', { name: 'Delete logo' }).click();
    await page.getByText('Logo deleted.').waitFor();
    expect(await service.app.services.qr.logos.list()).toHaveLength(2);
  });
});
