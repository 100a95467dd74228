import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contactClient, letter as anyLetter } from '../../areas/contact/support.ts';
import { axeViolations } from '../../support/axe.ts';
import { type ConsoleBrowser, openConsole, program, widthOf } from './browser.ts';
import { personOf } from './pages.ts';

// Not the address of the admin, who gets codes by email.
const letter = { ...anyLetter, email: 'visitor@example.com' };

type Person = Awaited<ReturnType<typeof personOf>>;

describe.skipIf(program === undefined)('the contact form and its inbox, in a real browser', () => {
  let browser: ConsoleBrowser;
  let client: ReturnType<typeof contactClient>;
  let admin: Person;
  beforeAll(async () => {
    browser = await openConsole();
    client = contactClient(browser.app);
    admin = await personOf(browser.app, 'ada@example.com', ['admin']);
    await browser.app.services.queues.start();
  }, 60_000);
  afterAll(() => browser.close());
  beforeEach(() => client.reset());
  afterEach(async () => expect(await browser.leave()).toEqual([]));

  const openForm = async (options: Parameters<ConsoleBrowser['context']>[0] = {}) => {
    const page = await (await browser.context(options)).newPage();
    await page.goto(`${browser.origin}/contact`);
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

  /** Sends until the form is old enough. Each time it comes back with its text. */
  const sendUntilAccepted = (page: Page) =>
    expect.poll(() => send(page), { timeout: 30_000, interval: 1000 }).toBe('Message sent');

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
    await send(page);
    const texts = await page.evaluate<string>("sessionStorage.getItem('texts')");
    expect(texts).toMatch(/Checking your browser, \d+% done/);
    expect(Number(await page.evaluate("sessionStorage.getItem('longest')"))).toBeLessThan(500);
    await sendUntilAccepted(page);
    const [row, ...others] = await client.rows();
    expect(row).toMatchObject({ ...letter, topic: 'billing', proof: 'solved' });
    expect(others).toEqual([]);
    expect(blocked.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  }, 60_000);

  it('sends without JavaScript', async () => {
    const page = await openForm({ javaScriptEnabled: false });
    await fill(page);
    await sendUntilAccepted(page);
    expect(await client.rows()).toMatchObject([{ ...letter, proof: 'none' }]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'is accessible in %s, and on a narrow screen',
    async (scheme) => {
      const page = await openForm({ colorScheme: scheme, viewport: { width: 320, height: 700 } });
      expect(await axeViolations(page)).toEqual([]);
      expect(await widthOf(page)).toBeLessThanOrEqual(320);
      await client.send({ ...letter, message: `${'x'.repeat(300)}\n<b>` });
      const [row] = await client.rows();
      for (const path of ['contact', `contact/${row?.id}`]) {
        const view = await browser.visit(path, {
          as: admin.headers,
          colorScheme: scheme,
          viewport: { width: 320, height: 700 },
        });
        expect(await axeViolations(view), path).toEqual([]);
        expect(await widthOf(view), path).toBeLessThanOrEqual(320);
        if (path !== 'contact') continue;
        // The link to the message can be tapped without scrolling the table sideways.
        const link = await view.getByRole('link', { name: 'No subject' }).boundingBox();
        expect((link?.x ?? 320) + (link?.width ?? 0)).toBeLessThanOrEqual(320);
      }
    },
  );

  it('is answered from the console', async () => {
    await client.send(letter);
    const page = await browser.visit('contact', { as: admin.headers });
    await page.click('text=No subject');
    await page.fill('#reply-text', 'Hello Ada, see Settings.');
    await page.click('text=Send and close');
    await page.waitForSelector('text=Reply queued.');
    expect(await page.locator('#conversation').innerText()).toContain('Hello Ada, see Settings.');
    expect((await client.rows())[0]?.status).toBe('closed');
    await expect
      .poll(() => browser.app.services.outbox.list(letter.email).length, { timeout: 10_000 })
      .toBe(1);
  });
});
