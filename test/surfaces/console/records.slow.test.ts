import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../../support/axe.ts';
import { type ConsoleBrowser, openConsole, program, widthOf } from './browser.ts';
import { personOf } from './pages.ts';

const longName = 'Wilhelmina-Alexandrina Featherstonehaugh-Cholmondeley';
const by = { actor: { kind: 'anonymous' }, address: '127.0.0.1', requestId: 'test' } as const;

describe.skipIf(program === undefined)(
  'records, waitlist and invitations in a real browser',
  () => {
    let browser: ConsoleBrowser;
    let admin: Record<string, string>;
    const ids = { reply: '', entry: '' };

    beforeAll(async () => {
      browser = await openConsole();
      const { services } = browser.app;
      await services.queues.start();
      admin = (await personOf(browser.app, 'ada@example.com', ['admin'])).headers;
      const reply = { name: longName, text: `${'knitting '.repeat(60)}\n${'x'.repeat(300)}` };
      ids.reply = (await services.savedReplyList.create(reply, by)).id;
      const entry = {
        email: `${'a-long-address-of-a-person.'.repeat(2)}x@department.example.com`,
        name: longName,
        verified_because: 'Customer since 2024',
      };
      ids.entry = String((await services.waitlistEntries.service.create?.(entry, by))?.id);
    }, 240_000);
    afterAll(() => browser.close());
    afterEach(async () => {
      const expected = /status of (?:404|409|422)/;
      expect((await browser.leave()).filter((text) => !expected.test(text))).toEqual([]);
    });

    it.each(['light', 'dark'] as const)(
      'have no accessibility violations and fit on a narrow screen, in %s',
      async (colorScheme) => {
        const page = await browser.visit('records', { as: admin, colorScheme });
        for (const path of [
          'records',
          'records/saved-replies',
          `records/saved-replies/${ids.reply}`,
          'records/waitlist-entries',
          'records/waitlist-entries?status=denied',
          `records/waitlist-entries/${ids.entry}`,
          'waitlist',
          `waitlist/${ids.entry}`,
          'users/invitations',
          'users/invitations?status=expired',
          'users/import',
          'records/saved-replies/import',
        ]) {
          await page.setViewportSize({ width: 1280, height: 900 });
          await page.goto(`${browser.origin}/api/svc/console/${path}`);
          expect([path, await axeViolations(page)]).toEqual([path, []]);
          await page.setViewportSize({ width: 320, height: 700 });
          expect([path, await axeViolations(page)]).toEqual([path, []]);
          await page.evaluate(
            `document.querySelectorAll('main details').forEach((each) => { each.open = true; })`,
          );
          expect([path, await widthOf(page)]).toEqual([path, 320]);
        }
      },
      180_000,
    );

    it('a refused form says why in its dialog, and keeps what was typed', async () => {
      const page = await browser.visit('records/saved-replies', { as: admin });
      await page.getByRole('button', { name: 'Add saved reply' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add saved reply' });
      await dialog.getByLabel('Name').fill(longName);
      await dialog.getByLabel('Text').fill('Hello');
      await dialog.getByRole('button', { name: 'Add saved reply' }).click();
      expect(await dialog.getByRole('alert').innerText()).toContain('Choose another name');
      expect(await axeViolations(page)).toEqual([]);
      expect(await dialog.getByLabel('Text').inputValue()).toBe('Hello');
      await dialog.getByLabel('Name').fill('Greeting');
      await dialog.getByRole('button', { name: 'Add saved reply' }).click();
      await page.getByRole('heading', { level: 1, name: 'Greeting' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }, 60_000);

    it('imports a chosen file, and says which rows were skipped', async () => {
      const page = await browser.visit('records/saved-replies', { as: admin });
      await page.getByRole('link', { name: 'Import' }).click();
      const csv = `name,text\nFrom a file,"Hello, you"\n${longName},Again\n`;
      await page.getByLabel('CSV file').setInputFiles({
        name: 'replies.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(csv),
      });
      await page.waitForFunction('document.querySelector("#rows").value !== ""');
      await page.getByRole('button', { name: 'Import rows' }).click();
      await page.getByText('Imported: 1.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.getByRole('row', { name: /^3 Another saved reply/ }).count()).toBe(1);
      await page.getByRole('link', { name: 'Import more' }).click();
      await page.getByLabel('Rows').fill('name,colour\nRed,red');
      await page.getByRole('button', { name: 'Import rows' }).click();
      await page.getByText('has the unknown columns').first().waitFor();
      expect(await page.getByLabel('Rows').inputValue()).toContain('Red,red');
      if (process.env.SHOTS !== undefined)
        await page.screenshot({ path: `${process.env.SHOTS}/import.png`, fullPage: true });
    }, 60_000);

    it('a search without a match offers to clear the filters', async () => {
      const page = await browser.visit('records/waitlist-entries', { as: admin });
      await page.getByRole('searchbox', { name: 'Search email and name' }).fill('nobody');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('No waitlist entries match these filters.').waitFor();
      expect(page.url()).not.toContain('nobody');
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await page.getByRole('heading', { name: 'All waitlist entries' }).waitFor();
    }, 60_000);
  },
);
