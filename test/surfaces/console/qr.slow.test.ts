import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadDecoders } from '../../../src/areas/qr/reading/decoders.ts';
import { createQrTests, target } from '../../areas/qr/support.ts';
import { axeViolations } from '../../support/axe.ts';
import { pixelsOf } from '../../support/qr-images.ts';
import { type ConsoleBrowser, openConsole, program, widthOf } from './browser.ts';
import { personOf } from './pages.ts';

describe.skipIf(program === undefined)('the page of a QR code', () => {
  let browser: ConsoleBrowser;
  let admin: Record<string, string>;
  const client = createQrTests(() => browser.app);
  let scanned = '';
  let fixed = '';

  beforeAll(async () => {
    browser = await openConsole();
    admin = (await personOf(browser.app, 'ada@example.com', ['admin'])).headers;
    const code = await client.create({ name: 'Poster', style: { shape: 'rounded' } });
    scanned = code.id;
    await client.scan(code.code);
    await client.call('PATCH', `/${code.id}`, { url: 'https://example.com/summer' });
    await browser.app.applied();
    const content = { type: 'text', text: 'Table 12' };
    fixed = (await client.create({ name: 'Table', url: undefined, content })).id;
  }, 240_000);
  afterAll(() => browser.close());
  afterEach(async () => expect(await browser.leave()).toEqual([]));

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations and fits on a narrow screen, in %s',
    async (colorScheme) => {
      for (const id of [scanned, fixed]) {
        const page = await browser.visit(`qr?id=${id}`, { as: admin, colorScheme });
        expect(await axeViolations(page)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 700 });
        expect(await axeViolations(page)).toEqual([]);
        expect(await widthOf(page)).toBe(320);
      }
    },
    120_000,
  );

  it('shows a picture that leads there, and its scans', async () => {
    const page = await browser.visit(`records/qr-codes/${scanned}`, { as: admin });
    await page.getByRole('link', { name: 'Picture and scans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Poster' }).waitFor();
    const picture = page.getByRole('img', { name: 'QR code: Poster' });
    const readings = await (await loadDecoders())(await pixelsOf(await picture.screenshot()));
    const { text } = await client.get(scanned);
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
    expect((await client.get(scanned)).url).toBe(target);
  });

  it('adds a code by the form of the list', async () => {
    const page = await browser.visit('records/qr-codes', { as: admin });
    await page.getByRole('button', { name: 'Add QR code' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add QR code' });
    await dialog.getByLabel('Name', { exact: true }).fill('Menu');
    await dialog.getByLabel('Target', { exact: true }).fill('https://example.com/menu');
    await dialog.getByRole('button', { name: 'Add QR code' }).click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
    const [code] = (await client.call('GET', '?q=Menu')).json().data;
    expect(code).toMatchObject({
      url: 'https://example.com/menu',
      dynamic: true,
      status: 'active',
    });
  });
});
