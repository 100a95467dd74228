import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { freshApp, type FreshApp } from '../../support/app.ts';
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
  /** Headers of a signed-in user. */
  as: Record<string, string>;
}

export interface ConsoleBrowser {
  app: FreshApp;
  origin: string;
  /** Opens a page of the console in a separate browser context, as a user. */
  visit: (path: string, options: Visit) => Promise<Page>;
  context: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Console errors and exceptions of pages since the last call. */
  complaints: () => string[];
  /** Closes all windows, because open pages keep polling. Returns the last complaints. */
  leave: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Starts the service on a free port, and a real browser. */
export async function openConsole({
  env = { DEVICE_BINDING: 'none' },
}: { env?: Record<string, string> } = {}): Promise<ConsoleBrowser> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = await freshApp({ env: { BASE_URL: origin, ...env } });
  await app.http.listen({ port, host: '127.0.0.1' });
  const browser: Browser = await chromium.launch({
    executablePath: program ?? '',
    args: ['--no-sandbox'],
  });
  let contexts: BrowserContext[] = [];
  let messages: string[] = [];

  async function context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const created = await browser.newContext(options);
    contexts.push(created);
    return created;
  }

  async function closeWindows(): Promise<void> {
    const open = contexts;
    contexts = [];
    await Promise.all(open.map((each) => each.close()));
  }

  function complaints(): string[] {
    const all = messages;
    messages = [];
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
      // Shorter than a test's timeout, so that the error names what was awaited.
      page.setDefaultTimeout(10_000);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          messages.push(message.text());
      });
      page.on('pageerror', (error) => messages.push(error.message));
      await page.goto(origin + home + path);
      return page;
    },
    async leave() {
      const all = complaints();
      await closeWindows();
      // Drop the errors of requests that closing has aborted.
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

/** Width of the page; if it exceeds the window, the page scrolls horizontally. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth');
