import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { axeViolations, takePicture } from '../../support/browser/views.ts';
import { startPage } from '../../support/website.ts';
import { codeFor } from '../../support/sign-in.ts';
import { useConsole } from './browser.ts';
import { home } from './pages.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Safari/537.36';

/**
 * Seconds that a practised person takes, by the keystroke-level model (Card, Moran, Newell 1983):
 * for a key, for pointing and clicking, and for the thought before each step. Pasting, or reading a
 * code elsewhere, counts as three thoughts.
 */
const person = { key: 0.28, pointing: 1.3, thought: 1.35 };

describe.skipIf(!hasBrowser)('a new install, in a real browser', () => {
  const browser = useConsole({
    env: { ADMIN_EMAILS: 'ada@example.com' },
    runsJobs: true,
    mayLeave: true,
  });
  const { service } = browser;

  it('takes a person less than two minutes to the first event', async () => {
    const page = await browser.newPage({ userAgent: chrome });
    const steps: string[] = [];
    const began = performance.now();
    let seconds = 0;
    async function step(text: string, cost: number, act: () => Promise<unknown>): Promise<void> {
      await act();
      seconds += cost + person.thought;
      const machine = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      const number = String(steps.length + 1).padStart(2);
      steps.push(
        `${number}. ${text.padEnd(64)} person ${seconds.toFixed(0).padStart(3)} s   ` +
          `machine ${machine} s`,
      );
      const picture = `first-site-${String(steps.length).padStart(2, '0')}`;
      await takePicture(page, picture, { fullPage: false });
    }
    const typed = (text: string) => text.length * person.key + person.pointing;
    const click = (target: Locator) => target.click();

    await step('open the console: it asks to sign in', typed(service.origin + home), () =>
      page.goto(service.origin + home),
    );
    expect(new URL(page.url()).pathname).toBe('/login');
    await step('enter the address of an admin', typed('ada@example.com') + person.key, async () => {
      await page.locator('input[name=identifier]').fill('ada@example.com');
      await page.keyboard.press('Enter');
      await page.locator('input[name=code]').waitFor();
    });
    await step(
      'enter the code from the message',
      3 * person.thought + 6 * person.key + person.key,
      async () => {
        await page.locator('input[name=code]').fill(await codeFor(service.app, 'ada@example.com'));
        await page.keyboard.press('Enter');
        await page.getByText('One more step: an admin needs to approve this browser.').waitFor();
      },
    );
    await step(
      "ask for approval: the first admin's first device is cleared, and goes on",
      person.pointing,
      async () => {
        await click(page.getByRole('button', { name: 'Request approval' }));
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
      },
    );
    expect(page.url()).toBe(service.origin + home);
    expect(await page.locator('#proof').count()).toBe(1);
    await step('go to Analytics', person.pointing, () =>
      click(page.getByRole('link', { name: 'Analytics', exact: true })),
    );
    await step('name the site, and register it', typed('example.com') + person.key, async () => {
      await page.getByLabel('Site name').fill('example.com');
      await page.keyboard.press('Enter');
      await page.getByText('Waiting for the first event.').waitFor();
    });
    expect(await axeViolations(page)).toEqual([]);
    const line = await page.locator('#install pre').innerText();
    await step(
      'copy the line, and put it into the page',
      2 * person.pointing + 3 * person.thought + 4 * person.key,
      async () => Promise.resolve(),
    );
    const website = await startPage(
      () => `<!doctype html><html lang="en"><head><title>Example</title>${line}</head>
<body><h1>Hello</h1></body></html>`,
    );
    onTestFinished(website.close);
    const visitor = await browser.newPage({ userAgent: chrome });
    await step(
      'open the page in another window: the console says so',
      typed('example.com'),
      async () => {
        await visitor.goto(`${website.origin}/welcome`);
        await page.getByText('Received just now: pageview on localhost/welcome').waitFor();
      },
    );
    process.stdout.write(`${steps.join('\n')}\n`);
    expect(seconds).toBeLessThan(120);
    await page.getByRole('link', { name: 'Open dashboard' }).click();
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.locator('main').innerText();
        },
        { timeout: 15_000 },
      )
      .toContain('/welcome');
  }, 90_000);

  it('redirects a client without a session to sign in, and refuses its form', async () => {
    const stranger = await browser.newPage();
    await stranger.goto(service.origin + home);
    expect(new URL(stranger.url()).pathname).toBe('/login');
    const answer = await stranger.request.post(`${service.origin}${home}analytics/site/register`, {
      form: { name: 'evil.example' },
      headers: { origin: service.origin },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(401);
    expect(service.app.services.sites.peek('evil.example')).toBeUndefined();
  });
});
