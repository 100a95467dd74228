import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

const shellPath = findChromium();
const wholePath = findChromium({ isWhole: true });

/** Whether there is a Chromium: `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = shellPath !== undefined;
/** Whether there is one that `useBrowser({ isWhole: true })` can start. */
export const hasWholeBrowser = wholePath !== undefined;
if (!hasBrowser || !hasWholeBrowser)
  process.stderr.write(
    'No Chromium on this machine (apt-get install chromium): browser tests are left out.\n',
  );

interface Launcher {
  open: () => Promise<Browser>;
  close: () => Promise<void>;
}

/** Starts a browser on first use, and again after it has crashed. */
function createLauncher(options: LaunchOptions): Launcher {
  let launched: Promise<Browser> | undefined;
  return {
    async open(): Promise<Browser> {
      if (launched === undefined || !(await launched).isConnected())
        launched = chromium.launch({ args: ['--no-sandbox'], ...options });
      return launched;
    },
    async close(): Promise<void> {
      await (await launched)?.close();
    },
  };
}

// All test files of a worker share its browsers. Only a fixture can have them closed at the end.
const worker = test
  .extend('shell', { scope: 'worker' }, ({}, { onCleanup }) => {
    const launcher = createLauncher({ executablePath: shellPath ?? '' });
    onCleanup(launcher.close);
    return launcher;
  })
  .extend('whole', { scope: 'worker' }, ({}, { onCleanup }) => {
    // Playwright disables the back/forward cache, which browsers have.
    const ignoreDefaultArgs = ['--disable-back-forward-cache'];
    const launcher = createLauncher({ executablePath: wholePath ?? '', ignoreDefaultArgs });
    onCleanup(launcher.close);
    return launcher;
  });

/** Begins to start the browser before the hooks that follow, such as those that build a service. */
export function startBrowserAhead(): void {
  worker.beforeAll(({ shell }) => {
    // Whoever opens the first page learns of a failure.
    if (hasBrowser) shell.open().catch(() => undefined);
  });
}

export interface BrowserOptions {
  /** Serves the pages. Its origin is known when the first page opens. */
  at?: { readonly origin: string };
  /** Whether pages may send requests to other origins. */
  mayLeave?: boolean;
  /** Matches complaints that are no fault, such as of requests that must be refused. */
  expected?: RegExp;
  /** The whole browser instead of the headless shell, which has no back/forward cache. */
  isWhole?: boolean;
  /** Keeps pages open until the last test of the suite. */
  keepsPages?: boolean;
  /** Defaults of contexts. */
  context?: BrowserContextOptions;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Request headers of a signed-in user; the browser gets the cookies. */
  as?: Readonly<Record<string, string>>;
}

export interface TestBrowser {
  /** Opens a page in a context of its own, which is closed after the test. */
  open: (url: string, options?: OpenOptions) => Promise<Page>;
  /** An empty page in a context of its own. Paths in `goto` belong to the origin of `at`. */
  newPage: (options?: OpenOptions) => Promise<Page>;
  /**
   * Returns the complaints since the last call: what pages wrote to their consoles, their
   * exceptions, and requests that failed or went to other origins. Those that are left after a test
   * let it fail.
   */
  complaints: () => string[];
}

// Playwright can type before the browser has set the focus.
const isNoise = (text: string): boolean => text.startsWith('Autofocus processing was blocked');

function cookiesOf(headers: Readonly<Record<string, string>>, url: string) {
  return (headers.cookie ?? '').split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' as const };
  });
}

interface Watched {
  /** The origin of the service. */
  origin: string | undefined;
  /** Whether the page may go to other origins, whose own pages are not judged. */
  mayLeave: boolean;
}

function watch(page: Page, { origin, mayLeave }: Watched, complain: (text: string) => void): void {
  const isForeign = (url: string): boolean =>
    mayLeave && url.startsWith('http') && new URL(url).origin !== origin;
  page.on('console', (message) => {
    if (!isForeign(message.location().url)) complain(message.text());
  });
  page.on('pageerror', (error) => {
    complain(error.message);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Requests that the next navigation has aborted.
    if (reason !== 'net::ERR_ABORTED') complain(`${request.url()} ${reason}`);
  });
  if (mayLeave || origin === undefined) return;
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol.startsWith('http'))
      complain(`Request to another origin: ${request.url()}`);
  });
}

/**
 * Gives the tests of a suite a browser. Call it in `describe`, before hooks that open pages. After
 * each test it closes their contexts and expects no complaints.
 */
export function useBrowser(options: BrowserOptions = {}): TestBrowser {
  const { at, expected, keepsPages = false } = options;
  let launcher: Launcher | undefined;
  let contexts: BrowserContext[] = [];
  let messages: string[] = [];

  const complain = (text: string): void => {
    if (!isNoise(text)) messages.push(text);
  };
  function complaints(): string[] {
    const all = messages;
    messages = [];
    return all;
  }
  async function closeContexts(): Promise<void> {
    const open = contexts;
    contexts = [];
    await Promise.all(open.map((context) => context.close()));
  }

  if (options.isWhole === true)
    worker.beforeAll(({ whole }) => {
      launcher = whole;
    });
  else
    worker.beforeAll(({ shell }) => {
      launcher = shell;
    });
  afterEach(async () => {
    const all = complaints();
    if (!keepsPages) await closeContexts();
    // Closing aborts requests, of which the browser complains.
    complaints();
    expect(all.filter((text) => expected?.test(text) !== true)).toEqual([]);
  });
  afterAll(closeContexts);

  async function newPage({ as, ...settings }: OpenOptions = {}): Promise<Page> {
    if (launcher === undefined) throw new Error('the browser is there from `beforeAll` on');
    const browser = await launcher.open();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...(at === undefined ? {} : { baseURL: at.origin }),
      ...options.context,
      ...settings,
    });
    contexts.push(context);
    // Shorter than the timeout of tests, so that the error names what was awaited.
    context.setDefaultTimeout(15_000);
    if (as !== undefined) await context.addCookies(cookiesOf(as, at?.origin ?? ''));
    const page = await context.newPage();
    watch(page, { origin: at?.origin, mayLeave: options.mayLeave === true }, complain);
    return page;
  }

  return {
    newPage,
    complaints,
    async open(url, settings) {
      const page = await newPage(settings);
      await page.goto(url);
      return page;
    },
  };
}

/** Opens a page and waits until it is subscribed to its channels: from then on it sees changes. */
export async function gotoLive(page: Page, url: string): Promise<void> {
  const subscribed = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/"(?:subs|subscribe)":/.test(String(payload))) resolve();
      }),
    );
  });
  await page.goto(url);
  await subscribed;
}

/**
 * Gives the tests of a suite one page, which keeps the files that its pages share. `settings` is
 * called once, after earlier hooks.
 */
export function usePage(
  options: BrowserOptions,
  settings: () => OpenOptions = () => ({}),
): () => Page {
  const browser = useBrowser({ ...options, keepsPages: true });
  let page: Page | undefined;
  beforeAll(async () => {
    page = await browser.newPage(settings());
  });
  return () => {
    if (page === undefined) throw new Error('the page is there from `beforeAll` on');
    return page;
  };
}
