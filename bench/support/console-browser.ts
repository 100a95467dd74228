import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { findChromium } from '../../test/support/browser/chromium.ts';
import type { Lifetime } from './lifetime.ts';
import { chrome } from './load.ts';
import { median } from './report.ts';

const timeoutMs = 20_000;

export interface Visitor {
  base: string;
  /** The session, as a request sends it. */
  cookie: string;
}

/** Launches a browser that resolves no host names; undefined if none is installed. */
export async function openBrowser(lifetime: Lifetime): Promise<Browser | undefined> {
  // As visitors have it.
  const executablePath = findChromium({ isWhole: true });
  if (executablePath === undefined) return undefined;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  lifetime.atEnd(() => browser.close());
  return browser;
}

/** Opens a signed-in window with an empty cache. */
async function openWindow(browser: Browser, { base, cookie }: Visitor): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: base }]);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  return page;
}

// The page's module shows the button of the palette. Every change of the page checks for it, and
// notes the ms since the navigation began.
const watchButton = `new MutationObserver((_, observer) => {
  if (document.querySelector('#open-palette')?.hidden !== false) return;
  observer.disconnect();
  globalThis.usableAfter = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true })`;

const timesSchema = z.object({ answered: z.number(), loaded: z.number(), usable: z.number() });
type Times = z.output<typeof timesSchema>;

async function timeOnce(browser: Browser, visitor: Visitor, path: string): Promise<Times> {
  const page = await openWindow(browser, visitor);
  await page.addInitScript(watchButton);
  await page.goto(visitor.base + path, { waitUntil: 'load' });
  await page.locator('#open-palette:not([hidden])').waitFor({ state: 'attached' });
  const times = await page.evaluate(
    "({ answered: performance.getEntriesByType('navigation')[0].responseEnd, loaded: " +
      "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd, usable: " +
      'globalThis.usableAfter })',
  );
  await page.context().close();
  return timesSchema.parse(times);
}

/**
 * Measures the ms from the start of a navigation to the end of the response, to DOMContentLoaded,
 * and until the page's module has run. Returns medians, and the slowest `usable`.
 */
export async function timePage(
  browser: Browser,
  visitor: Visitor,
  path: string,
  runs: number,
): Promise<Times & { worst: number }> {
  const times: Times[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timeOnce(browser, visitor, path));
  // A page is usable after both.
  const usable = times.map((each) => Math.max(each.loaded, each.usable));
  return {
    answered: median(times.map(({ answered }) => answered)),
    loaded: median(times.map(({ loaded }) => loaded)),
    usable: median(usable),
    worst: Math.max(...usable),
  };
}

/** Reports when each line is added to the list of events, as Unix ms. */
const watchFeed = `new MutationObserver((changes) => {
  const now = performance.timeOrigin + performance.now();
  for (const line of changes.flatMap(({ addedNodes }) => [...addedNodes]))
    void onLine(line.textContent, now);
}).observe(document.querySelector('[data-feed]'), { childList: true })`;

const rejectAfterTimeout = async (): Promise<never> =>
  delay(timeoutMs, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`an event was not on the screen after ${timeoutMs} ms`)),
  );

/**
 * Measures the ms from the pixel's request until the event is on the realtime page, one event at a
 * time.
 */
export async function timeEvents(
  browser: Browser,
  visitor: Visitor,
  { path, site, count }: { path: string; site: string; count: number },
): Promise<number[]> {
  const page = await openWindow(browser, visitor);
  await page.goto(visitor.base + path, { waitUntil: 'load' });
  await page.locator('#feed-state', { hasText: 'Connected' }).waitFor();
  await page.evaluate(watchFeed);
  const times: number[] = [];
  let onLine: (text: string, at: number) => void = () => undefined;
  await page.exposeFunction('onLine', (text: string, at: number) => onLine(text, at));
  for (let index = 0; index < count; index += 1) {
    const name = `/live-${process.pid}-${index}-`;
    const came = new Promise<number>((resolve) => {
      onLine = (text, at) => {
        if (text.includes(name)) resolve(at);
      };
    });
    const began = performance.timeOrigin + performance.now();
    await (
      await fetch(`${visitor.base}/analytics/pixel.gif?site=${site}&page=${name}`, {
        headers: { 'user-agent': chrome },
      })
    ).arrayBuffer();
    times.push((await Promise.race([came, rejectAfterTimeout()])) - began);
    // Varies the time between the service's flush interval and the next event.
    await page.waitForTimeout(37 * (index % 8));
  }
  await page.context().close();
  return times;
}
