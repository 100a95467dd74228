import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ContactClient,
  contactClient,
  letter as anyLetter,
} from '../../areas/contact/support.ts';
import { hasBrowser, type OpenOptions } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { type Person, personOf } from './pages.ts';

// Not the address of the admin, who gets codes by email.
const letter = { ...anyLetter, email: 'visitor@example.com' };

describe.skipIf(!hasBrowser)('the contact form and its inbox, in a real browser', () => {
  let now = Date.now();
  const clock = { now: () => now };
  // The browser reports the status of forms that are sent too soon.
  const expected = /status of 400 /;
  const browser = useConsole({ runsJobs: true, clock, expected });
  const { service } = browser;
  let contact: ContactClient;
  let admin: Person;
  beforeAll(async () => {
    contact = contactClient(service.app);
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
  });
  beforeEach(() => contact.reset());

  const openForm = async (options: OpenOptions = {}) => {
    const page = await browser.newPage(options);
    await page.goto('/contact');
    return page;
  };

  async function fill(page: Page): Promise<void> {
    await page.fill('#name', letter.name);
    await page.fill('#email', letter.email);
    await page.fill('#message', letter.message);
    await page.selectOption('#topic', 'billing');
  }

  /** Sends the form, and waits for the page that answers it. Returns its heading. */
  async function send(page: Page): Promise<string> {
    const loaded = page.waitForEvent('load');
    await page.click('main button[type=submit]');
    await loaded;
    return page.locator('main h1').innerText();
  }

  /** Sends the form too soon, when it comes back with its text, and again when it is old enough. */
  async function sendTwice(page: Page): Promise<void> {
    expect(await send(page)).not.toBe('Message sent');
    now += 10_000;
    expect(await send(page)).toBe('Message sent');
  }

  it('sends with a proof, tells about it, and keeps the page responsive', async () => {
    const page = await openForm();
    const blocked: string[] = [];
    page.on('console', (message) => blocked.push(message.text()));
    await fill(page);
    // Longest task of the page's thread while the challenge is solved, in ms.
    await page.evaluate(`
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          window.longest = Math.max(window.longest, duration);
      }).observe({ entryTypes: ['longtask'] });
      window.texts = [];
      new MutationObserver(() => {
        window.texts.push(document.querySelector('[data-progress]').textContent);
        sessionStorage.setItem('texts', JSON.stringify(window.texts));
        sessionStorage.setItem('longest', String(window.longest));
      }).observe(document.querySelector('[data-progress]'), { childList: true });`);
    expect(await send(page)).not.toBe('Message sent');
    const texts = await page.evaluate<string>("sessionStorage.getItem('texts')");
    expect(texts).toMatch(/Checking your browser, \d+% done/);
    expect(Number(await page.evaluate("sessionStorage.getItem('longest')"))).toBeLessThan(500);
    now += 10_000;
    expect(await send(page)).toBe('Message sent');
    const [row, ...others] = await contact.rows();
    expect(row).toMatchObject({ ...letter, topic: 'billing', proof: 'solved' });
    expect(others).toEqual([]);
    expect(blocked.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  }, 60_000);

  it('sends without JavaScript', async () => {
    const page = await openForm({ javaScriptEnabled: false });
    await fill(page);
    await sendTwice(page);
    expect(await contact.rows()).toMatchObject([{ ...letter, proof: 'none' }]);
  }, 60_000);

  it('is accessible on a narrow screen, as are the inbox and a message', async () => {
    expect(await viewFaults(await openForm(), { picture: 'contact', widths: [320] })).toEqual([]);
    await contact.send({ ...letter, message: `${'x'.repeat(300)}\n<b>` });
    const [row] = await contact.rows();
    const inbox = await browser.visit('contact', { as: admin.headers });
    expect(await viewFaults(inbox, { picture: 'console-contact', widths: [320] })).toEqual([]);
    // The link to the message can be tapped without scrolling the table sideways.
    const link = await inbox.getByRole('link', { name: 'No subject' }).boundingBox();
    expect((link?.x ?? 320) + (link?.width ?? 0)).toBeLessThanOrEqual(320);
    const message = await browser.visit(`contact/${row?.id}`, { as: admin.headers });
    expect(
      await viewFaults(message, { picture: 'console-contact-message', widths: [320] }),
    ).toEqual([]);
  });

  it('is answered from the inbox in two clicks', async () => {
    await contact.send(letter);
    const page = await browser.visit('contact', { as: admin.headers });
    const click = countClicks();
    await click(page.getByRole('link', { name: 'No subject' }));
    await page.fill('#reply-text', 'Hello Ada, see Settings.');
    await click(page.getByRole('button', { name: 'Send and close' }));
    await page.waitForSelector('text=Reply sent.');
    expect(click.count()).toBe(2);
    expect(await page.locator('#conversation').innerText()).toContain('Hello Ada, see Settings.');
    expect((await contact.rows())[0]?.status).toBe('closed');
    await expect
      .poll(() => service.app.services.outbox.list(letter.email).length, { timeout: 10_000 })
      .toBe(1);
  });

  it('takes a saved reply into the text, and a note in the same box without a mail', async () => {
    await contact.admin.post('/saved-replies', { name: 'Invoices', text: 'Under Settings.' });
    await contact.send({ ...letter, email: 'note@example.com' });
    const page = await browser.visit('contact', { as: admin.headers });
    await page.getByRole('link', { name: 'No subject' }).click();
    await page.fill('#reply-text', 'Hello. ');
    const address = page.url();
    await page.getByRole('button', { name: 'Saved replies' }).click();
    await page.getByRole('link', { name: 'Invoices' }).click();
    expect(await page.inputValue('#reply-text')).toBe('Hello. Under Settings.');
    expect(page.url()).toBe(address);
    await page.getByRole('radio', { name: 'Note' }).check();
    expect(await page.getByRole('button', { name: 'Send reply' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.waitForSelector('text=Note added.');
    expect(await page.locator('#conversation').innerText()).toContain('Note by');
    expect(service.app.services.outbox.list('note@example.com')).toEqual([]);
    expect((await contact.rows())[0]?.status).toBe('new');
  });
});
