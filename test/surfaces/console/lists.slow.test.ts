import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, takePicture, viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { personOf } from './pages.ts';

const longName = 'Wilhelmina-Alexandrina Featherstonehaugh-Cholmondeley';
const by = { actor: { kind: 'anonymous' }, address: '127.0.0.1', requestId: 'test' } as const;

describe.skipIf(!hasBrowser)('lists, waitlist and invitations in a real browser', () => {
  const browser = useConsole({ expected: /status of (?:404|409|422)/, runsJobs: true });
  let admin: Record<string, string>;
  const ids = { reply: '', entry: '', signUp: randomUUID() };

  beforeAll(async () => {
    const { services } = browser.service.app;
    admin = (await personOf(browser.service.app, 'ada@example.com', ['admin'])).headers;
    const reply = { name: longName, text: `${'knitting '.repeat(60)}\n${'x'.repeat(300)}` };
    ids.reply = (await services.savedReplyList.create(reply, by)).id;
    const entry = {
      email: `${'a-long-address-of-a-person.'.repeat(2)}x@department.example.com`,
      name: longName,
      verified_because: 'Customer since 2024',
    };
    const at = new Date();
    const times = { consent_at: at, created_at: at, confirmed_at: at, last_asked_at: at };
    const signUp = { id: ids.signUp, email: 'ada@example.com', name: longName, asked: 1 };
    await browser.service.app.stores.db
      .insertInto('signups')
      .values({ ...signUp, ...times, company: longName, plan: 'gone' })
      .execute();
    ids.entry = String((await services.waitlistEntries.service.create?.(entry, by))?.id);
  });

  describe('in each view', () => {
    const visit = browser.usePage(() => admin);

    it.each([
      'contact/saved-replies',
      'waitlist/entries',
      'waitlist/entries?status=denied',
      'contact/saved-replies/:reply/edit',
      'contact/saved-replies/new',
      'waitlist/entries/:entry/edit',
      'users/sign-ups',
      'users/sign-ups/:signUp',
      'waitlist',
      'waitlist/:entry',
      'users/invitations',
      'users/invitations?status=expired',
      'users/import',
      'contact/saved-replies/import',
    ])('have an accessible page /%s that fits the window', async (path) => {
      const filled = path.replace(
        /:(reply|entry|signUp)/,
        (_, name: keyof typeof ids) => ids[name],
      );
      const page = await visit(filled);
      expect(await viewFaults(page, { picture: `console-${path}` })).toEqual([]);
    });
  });

  it('a refused form says why in its dialog, and keeps what was typed', async () => {
    const page = await browser.visit('contact/saved-replies', { as: admin });
    await page.getByRole('link', { name: 'Add saved reply' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add saved reply' });
    await dialog.getByLabel('Name').fill(longName);
    await dialog.getByLabel('Text').fill('Hello');
    await dialog.getByRole('button', { name: 'Add saved reply' }).click();
    expect(await dialog.getByRole('alert').innerText()).toContain('Choose another name');
    expect(await axeViolations(page)).toEqual([]);
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Hello');
    await dialog.getByLabel('Name').fill('Greeting');
    await dialog.getByRole('button', { name: 'Add saved reply' }).click();
    await page.getByText('Added.').waitFor();
    await page.getByRole('link', { name: 'Greeting' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }, 60_000);

  it('a saved reply opens in a drawer with its lines, and leads back to the list', async () => {
    const page = await browser.visit('contact/saved-replies', { as: admin });
    const text = 'Hello,\n\nthank you.';
    await browser.service.app.services.savedReplyList.create({ name: 'Lines', text }, by);
    await page.reload();
    await page.getByRole('link', { name: 'Lines' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Lines”' });
    expect(await dialog.getByLabel('Text').inputValue()).toBe(text);
    await dialog.getByLabel('Name').fill('Two lines');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    const row = page.locator('.entry-texts li', { hasText: 'Two lines' });
    await row.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete “Two lines”?' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  }, 60_000);

  it('imports a chosen file, and says which rows were skipped', async () => {
    const page = await browser.visit('contact/saved-replies', { as: admin });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Import' }).click();
    const csv = `name,text\nFrom a file,"Hello, you"\n${longName},Again\n`;
    await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles({
      name: 'replies.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await page.getByRole('heading', { name: '2 rows are ready to import.' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Imported: 1.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.getByRole('row', { name: /^3 Another saved reply/ }).count()).toBe(1);
    await page.getByRole('link', { name: 'Import more' }).click();
    await page.getByLabel('Or paste rows').fill('name,colour\nRed,red');
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByText('has the unknown columns').first().waitFor();
    expect(await page.getByLabel('Or paste rows').inputValue()).toContain('Red,red');
    await takePicture(page, 'console-import');
  }, 60_000);

  it('approves 50 people in three clicks, after a summary of who gets a mail', async () => {
    const { services, stores } = browser.service.app;
    const add = async (at: number, host: string) => {
      const email = `waits-${at}@${host}`;
      const entry = { email, name: `Waits ${at}`, verified_because: 'A test' };
      return String((await services.waitlistEntries.service.create?.(entry, by))?.id);
    };
    for (let at = 0; at < 60; at += 1) await add(at, 'example.com');
    const thrownAway = [await add(60, 'throw.example'), await add(61, 'throw.example')];
    const left = { is_disposable: true };
    await stores.db
      .updateTable('waitlist_entries')
      .set(left)
      .where('id', 'in', thrownAway)
      .execute();
    const approved = async () => (await services.waitlistApprovals.figures()).entries.approved;
    expect(await approved()).toBe(0);

    const page = await browser.visit('', { as: admin });
    const click = countClicks();
    await click(page.getByRole('link', { name: /^Waitlist/ }).first());
    await click(page.getByRole('link', { name: 'Invite the next 50' }));
    const summary = page.getByRole('dialog', { name: 'Invite 50 people?' });
    await summary.getByText('50 people get the invitation.').waitFor();
    await summary.getByText('2 disposable addresses are left out.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await approved()).toBe(0);
    await click(summary.getByRole('button', { name: 'Send 50 invitations' }));
    await page.getByText('Invited. The emails are on their way.').waitFor();
    expect(click.count()).toBe(3);
    expect(await approved()).toBe(50);
  }, 60_000);

  it('a search without a match offers to clear the filters', async () => {
    const page = await browser.visit('waitlist/entries', { as: admin });
    await page.getByRole('searchbox', { name: 'Search email and name' }).fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No waitlist entries match these filters.').waitFor();
    expect(page.url()).not.toContain('nobody');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('heading', { name: 'All waitlist entries' }).waitFor();
  }, 60_000);
});
