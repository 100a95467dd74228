import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDecoders } from '../../../src/areas/qr/reading/decoders.ts';
import { type Codes, type QrClient, qrClient, target } from '../../areas/qr/support.ts';
import { hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { pixelsOf } from '../../support/qr-images.ts';
import { useConsole } from './browser.ts';
import { personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('the pages of QR codes', () => {
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
      'qr',
      'qr/new',
      'qr/new?type=wifi',
      'qr/:scanned',
      'qr/:scanned/targets',
      'qr/:scanned/style',
      'qr/:scanned/settings',
      'qr/:fixed',
      'qr/files',
      'qr/files/:file',
      'qr/files/new',
      'qr/logos',
      'qr/labels',
    ])('is accessible and fits the window, at /%s', async (path) => {
      const ids = { ':scanned': scanned, ':fixed': fixed, ':file': file };
      const page = await visit(
        Object.entries(ids).reduce((text, [name, id]) => text.replace(name, id), path),
      );
      expect(await viewFaults(page, { picture: `console-${path}` })).toEqual([]);
    });
  });

  it('shows a picture that leads there, and its scans', async () => {
    const page = await browser.visit('qr', { as: admin });
    await page.getByRole('link', { name: 'Poster', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Poster' }).waitFor();
    const picture = page.getByRole('img', { name: 'QR code: Poster' });
    const readings = await (await loadDecoders())(await pixelsOf(await picture.screenshot()));
    const { text } = await qr.show(scanned);
    expect(readings).toEqual({ zxing: [text], zbar: [text] });
    expect(await page.locator('#figures').textContent()).toMatch(/Scans\s*1/);
  });

  it('saves the picture as a file that is named after the code, in one or two clicks', async () => {
    const page = await browser.visit(`qr/${scanned}`, { as: admin });
    const download = async (name: string, from: string, clicks: number) => {
      const started = page.waitForEvent('download');
      const click = countClicks();
      if (clicks > 1) await click(page.getByRole('button', { name: 'Other formats' }));
      await click(page.getByRole('link', { name }));
      const saved = await started;
      expect(saved.suggestedFilename()).toBe(from);
      expect((await readFile(await saved.path())).length).toBeGreaterThan(300);
      expect(click.count()).toBe(clicks);
      await page.keyboard.press('Escape');
    };
    await download('Download PNG', 'poster.png', 1);
    await download('SVG', 'poster.svg', 2);
    await download('PDF', 'poster.pdf', 2);
    await download('Labels on A4', 'poster-labels.pdf', 2);
  });

  it('restores a former target', async () => {
    const page = await browser.visit(`qr/${scanned}/targets`, { as: admin });
    await page.getByRole('button', { name: 'Restore' }).first().click();
    await page.getByText('Target restored.').waitFor();
    expect((await qr.show(scanned)).url).toBe(target);
  });

  it('leads some people elsewhere by a rule from a drawer', async () => {
    const code = await qr.create({ name: 'Apps' });
    const page = await browser.visit(`qr/${code.id}/targets`, { as: admin });
    await page.getByRole('link', { name: 'Add rule' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add rule' });
    await drawer.getByLabel('If the device is').selectOption('ios');
    await drawer.getByLabel('And the country is').selectOption('Austria');
    await drawer.getByLabel('And the language is').selectOption('German');
    await drawer.getByLabel('Then lead to').fill('apps.example/shop');
    await drawer.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Rule added.').waitFor();
    await page.getByText('https://apps.example/shop').waitFor();
    await page
      .getByRole('button', { name: 'Actions for iPhone and iPad · Austria · German speakers' })
      .click();
    await page.getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('Rule deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('https://apps.example/shop').waitFor();
  });

  it('changes the target of a code in three clicks, and takes it back with one', async () => {
    const code = await qr.create({ name: 'Lunch menu' });
    const page = await browser.visit('qr', { as: admin });
    const click = countClicks();
    await click(page.getByRole('link', { name: 'Lunch menu', exact: true }));
    await click(page.getByLabel('Leads to'));
    await page.getByLabel('Leads to').fill('cafe.example/dinner');
    await click(page.getByRole('button', { name: 'Save target' }));
    await page.getByText('Target changed.').waitFor();
    expect(click.count()).toBe(3);
    expect((await qr.show(code.id)).url).toBe('https://cafe.example/dinner');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Target restored.').waitFor();
    expect((await qr.show(code.id)).url).toBe(target);
  });

  it('makes a Wi-Fi code with a dropped logo and downloads it in six clicks', async () => {
    const page = await browser.visit('', { as: admin });
    const click = countClicks();
    await click(page.getByRole('link', { name: 'QR codes' }));
    await click(page.getByRole('link', { name: 'New QR code' }));
    await click(page.getByRole('radio', { name: 'Wi-Fi' }));
    await page.getByLabel('Network name').fill('Cafe Guests');
    await page.getByRole('textbox', { name: 'Password' }).fill('espresso 42');
    const chooser = page.waitForEvent('filechooser');
    await click(page.locator('#logo-file'));
    const cup = { create: { width: 90, height: 90, channels: 3, background: '#7c2d12' } } as const;
    const buffer = await sharp(cup).png().toBuffer();
    await (await chooser).setFiles({ name: 'cup.png', mimeType: 'image/png', buffer });
    await page.getByRole('radio', { name: 'cup', checked: true }).waitFor();
    await page.locator('#preview').getByText('Easy to scan').waitFor();
    expect(await page.getByLabel('Network name').inputValue()).toBe('Cafe Guests');
    await click(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('heading', { level: 1, name: 'Wi-Fi Cafe Guests' }).waitFor();
    const started = page.waitForEvent('download');
    await click(page.getByRole('link', { name: 'Download PNG' }));
    const saved = await started;
    expect(saved.suggestedFilename()).toBe('wi-fi-cafe-guests.png');
    expect(click.count()).toBeLessThanOrEqual(6);
    const readings = await (
      await loadDecoders()
    )(await pixelsOf(await readFile(await saved.path())));
    expect(readings.zxing).toEqual(['WIFI:T:WPA;S:Cafe Guests;P:espresso 42;;']);
    const [code] = (await qr.codes.get<Codes>('?q=Cafe Guests')).body.data;
    expect(code?.style.logo).not.toBeNull();
  });

  it('makes a link with a kept logo in five clicks, from an address without a scheme', async () => {
    const page = await browser.visit('', { as: admin });
    const click = countClicks();
    await click(page.getByRole('link', { name: 'QR codes' }));
    await click(page.getByRole('link', { name: 'New QR code' }));
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill('cafe.example/menu');
    await click(page.getByRole('radio', { name: 'cup' }).first());
    await page.getByText('Leads to https://cafe.example/menu').waitFor();
    await click(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('heading', { level: 1, name: 'cafe.example/menu' }).waitFor();
    const started = page.waitForEvent('download');
    await click(page.getByRole('link', { name: 'Download PNG' }));
    expect((await started).suggestedFilename()).toMatch(/^cafeexamplemenu\.png$/);
    expect(click.count()).toBe(5);
  });

  it('says at the field what is wrong, scrolls there, and keeps what was typed', async () => {
    const page = await browser.visit('qr/new', { as: admin });
    await page.getByLabel('Name (optional)').fill('Kept');
    await page.getByText('Schedule and limits').click();
    await page.getByLabel('After it ends, go to').fill('not an address');
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill(target);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('#code-expired_url-error').getByText('Enter a full address').waitFor();
    expect(await page.locator('#code-expired_url:focus').count()).toBe(1);
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe('Kept');
    // The browser reports the 422 of the form.
    browser.complaints();
  });

  it('says why a color can’t be read, while one chooses', async () => {
    const page = await browser.visit(`qr/${scanned}/style`, { as: admin });
    await page.locator('input[type=color]').first().fill('#ffee88');
    await page.locator('#preview').getByText('contrast of the foreground').waitFor();
    await page.getByRole('radio', { name: 'Black' }).check();
    await page.locator('#preview').getByText('Easy to scan').waitFor();
    await page.getByRole('radio', { name: 'Dots' }).check();
    await page.getByRole('button', { name: 'Save style' }).click();
    await page.getByText('Style saved.').waitFor();
    expect((await qr.show(scanned)).style).toMatchObject({ shape: 'dots' });
  });

  it('is made without JavaScript, with a preview that keeps what was typed', async () => {
    const page = await browser.visit('qr/new', { as: admin, javaScriptEnabled: false });
    await page.getByRole('radio', { name: 'Wi-Fi' }).check();
    await page.getByLabel('Network name').fill('Lobby');
    await page.getByRole('textbox', { name: 'Password' }).fill('espresso 42');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Easy to scan').waitFor();
    expect(await page.getByLabel('Network name').inputValue()).toBe('Lobby');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Wi-Fi Lobby' }).waitFor();
  });

  it('is paused with a switch and undone, and deleted with others after a word', async () => {
    const codes = [await qr.create({ name: 'Old 1' }), await qr.create({ name: 'Old 2' })];
    const [first] = codes;
    const page = await browser.visit(`qr/${first?.id}`, { as: admin });
    await page.getByRole('switch').click();
    await page.getByText('Code paused.').waitFor();
    expect((await qr.show(first?.id ?? '')).status).toBe('paused');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Code resumed.').waitFor();
    await page.getByRole('link', { name: 'QR codes' }).first().click();
    const remove = page.getByRole('button', { name: 'Delete' });
    expect(await remove.isVisible()).toBe(false);
    for (const { name } of codes)
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await remove.click();
    await page.getByRole('heading', { level: 1, name: 'Delete 2 codes' }).waitFor();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await page.getByRole('button', { name: 'Delete 2 codes' }).click();
    await page.getByText('Deleted. Printed codes with a short link no longer work.').waitFor();
    for (const { id } of codes) expect((await qr.codes.get(`/${id}`)).status).toBe(404);
  });

  it('comes from a file by the thousand, with labels', async () => {
    const page = await browser.visit('qr', { as: admin });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'Import codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    await page.getByRole('link', { name: 'Import codes' }).click();
    const rows = Array.from({ length: 300 }, (_, at) => `Seat ${at},${target}`);
    await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles({
      name: 'seats.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['name,url', ...rows].join('\n')),
    });
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('seats.csv');
    await page.getByRole('button', { name: 'Create 300 codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'seats.csv' }).waitFor();
    await page.getByText('300 of 300').waitFor({ timeout: 60_000 });
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    const labels = await started;
    expect(labels.suggestedFilename()).toBe('qr-labels.pdf');
    expect((await readFile(await labels.path())).subarray(0, 5).toString()).toBe('%PDF-');
  }, 120_000);

  it('says on the page of the form which line of a file is wrong', async () => {
    const page = await browser.visit('qr/files/new', { as: admin });
    await page.getByLabel('Or paste rows').fill(`name,url\nA,${target}\nB,ftp://example.com`);
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByText('Nothing was imported. Line 3, url: ').waitFor();
    expect(await page.getByLabel('Or paste rows').inputValue()).toContain('ftp://');
    // The browser reports the 422 of the form.
    browser.complaints();
  });

  it('uploads a logo, and deletes it after a word', async () => {
    const page = await browser.visit('qr/logos', { as: admin });
    const before = (await service.app.services.qr.logos.list()).length;
    const { bytes } = await qr.client.get('/api/v1/qr?text=other&format=png');
    await page
      .locator('#logo')
      .setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: bytes });
    await page.getByText('other', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for other' }).click();
    await page.getByRole('link', { name: 'Delete logo' }).click();
    const drawer = page.getByRole('dialog', { name: 'Delete logo' });
    await drawer.getByRole('textbox').fill('delete');
    await drawer.getByRole('button', { name: 'Delete logo' }).click();
    await page.getByText('Logo deleted.').waitFor();
    expect(await service.app.services.qr.logos.list()).toHaveLength(before);
  });
});
