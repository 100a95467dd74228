import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { buildTestApp, type TestApp } from '../../support/app.ts';
import { freePort } from '../../support/redis-server.ts';
import { findChromium } from '../pages/chromium.ts';
import { home } from './pages.ts';

export const program = findChromium();
if (program === undefined)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): ' +
      'the browser tests of the console are left out.\n',
  );

interface Visit extends BrowserContextOptions {
  /** The headers of somebody who has signed in. */
  as: Record<string, string>;
}

export interface ConsoleBrowser {
  app: TestApp;
  origin: string;
  /** Opens a page of the console in a window of its own, as somebody. */
  visit: (path: string, options: Visit) => Promise<Page>;
  context: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** What pages have complained of since the last call: console, exceptions. */
  complaints: () => string[];
  /** Closes all windows: pages that stay open go on asking. Gives the last complaints. */
  leave: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** The service on a port of its own, and a real browser. */
export async function openConsole({
  env = { DEVICE_BINDING: 'none' },
}: { env?: Record<string, string> } = {}): Promise<ConsoleBrowser> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = await buildTestApp({ env: { BASE_URL: origin, ...env } });
  await app.http.listen({ port, host: '127.0.0.1' });
  const browser: Browser = await chromium.launch({
    executablePath: program ?? '',
    args: ['--no-sandbox'],
  });
  let contexts: BrowserContext[] = [];
  let said: string[] = [];

  async function context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const made = await browser.newContext(options);
    contexts.push(made);
    return made;
  }

  async function closeWindows(): Promise<void> {
    const open = contexts;
    contexts = [];
    await Promise.all(open.map((each) => each.close()));
  }

  function complaints(): string[] {
    const all = said;
    said = [];
    return all;
  }

  return {
    app,
    origin,
    context,
    complaints,
    async visit(path, { as, ...options }) {
      const window = await context({ viewport: { width: 1280, height: 900 }, ...options });
      const [name = '', value = ''] = (as.cookie ?? '').split('=', 2);
      await window.addCookies([{ name, value, url: origin }]);
      const page = await window.newPage();
      // Less than a test may take: the error then says what was waited for.
      page.setDefaultTimeout(10_000);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(origin + home + path);
      return page;
    },
    async leave() {
      const all = complaints();
      await closeWindows();
      // What was under way is broken off by that.
      complaints();
      return all;
    },
    async close() {
      await closeWindows();
      await browser.close();
      await app.close();
    },
  };
}

/** Breaches of the axe rules, all of them. */
export async function findings(page: Page): Promise<string[]> {
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `${axe.source}; axe.run()`,
  );
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 140)).join(' | ')}`,
  );
}

/** How wide the page is: more than its window means that it has to be scrolled sideways. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth');
