import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { findChromium } from '../../test/surfaces/pages/chromium.ts';
import type { Lifetime } from './lifetime.ts';
import { chrome } from './load.ts';
import { median } from './report.ts';

const patienceMs = 20_000;

export interface Visitor {
  base: string;
  /** The session, as a request sends it. */
  cookie: string;
}

/** A browser that looks up no name but this machine's; undefined where there is none. */
export async function openBrowser(lifetime: Lifetime): Promise<Browser | undefined> {
  const executablePath = findChromium();
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

/** A window with an empty cache, signed in. */
async function openWindow(browser: Browser, { base, cookie }: Visitor): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: base }]);
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

// The module shows the button of the palette; that is looked for with every change of the page, in
// ms since the navigation began.
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
 * ms from the start of a navigation to the end of the answer, to DOMContentLoaded, and to the
 * page's module having run: medians, and the slowest `usable`.
 */
export async function timePage(
  browser: Browser,
  visitor: Visitor,
  path: string,
  runs: number,
): Promise<Times & { worst: number }> {
  const times: Times[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timeOnce(browser, visitor, path));
  // A page is usable when both have happened.
  const usable = times.map((each) => Math.max(each.loaded, each.usable));
  return {
    answered: median(times.map(({ answered }) => answered)),
    loaded: median(times.map(({ loaded }) => loaded)),
    usable: median(usable),
    worst: Math.max(...usable),
  };
}

/** Tells when each line comes to the list of events, as Unix ms. */
const watchFeed = `new MutationObserver((changes) => {
  const now = performance.timeOrigin + performance.now();
  for (const line of changes.flatMap(({ addedNodes }) => [...addedNodes]))
    void lineCame(line.textContent, now);
}).observe(document.querySelector('[data-feed]'), { childList: true })`;

const late = async (): Promise<never> =>
  delay(patienceMs, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`an event was not on the screen after ${patienceMs} ms`)),
  );

/**
 * ms from the request of the pixel until the event stands on the page of what happens right now,
 * one event after the other.
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
  let lineCame: (text: string, at: number) => void = () => undefined;
  await page.exposeFunction('lineCame', (text: string, at: number) => lineCame(text, at));
  for (let index = 0; index < count; index += 1) {
    const name = `/live-${process.pid}-${index}-`;
    const came = new Promise<number>((resolve) => {
      lineCame = (text, at) => {
        if (text.includes(name)) resolve(at);
      };
    });
    const began = performance.timeOrigin + performance.now();
    await (
      await fetch(`${visitor.base}/analytics/pixel.gif?site=${site}&page=${name}`, {
        headers: { 'user-agent': chrome },
      })
    ).arrayBuffer();
    times.push((await Promise.race([came, late()])) - began);
    // Events come at any time between two ticks of the service, not always right after one.
    await page.waitForTimeout(37 * (index % 8));
  }
  await page.context().close();
  return times;
}
