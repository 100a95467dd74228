import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asAdmin, browser as userAgent, freshApp, type FreshApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { listen } from '../support/sockets.ts';
import { startWebsite, type Website } from '../support/website.ts';
import { hasBrowser, hasWholeBrowser, useBrowser } from '../support/browser/browser.ts';

interface StoredEvent {
  event: string;
  id: string;
  url: string;
  title: string;
  props: Record<string, unknown>;
  [name: string]: unknown;
}

// Of pages that are not found, requests that tests let fail, and the sandbox of a frame.
const expected = /status of (?:404|503)|net::ERR|sandboxed/;
const tall = '<div style="height:4000px"></div>';

describe.skipIf(!hasBrowser)('the tracker in a real browser', () => {
  let app: FreshApp;
  let site: Website;
  let origin = '';
  let service = '';
  let sites = 0;
  let site_id = '';
  /** How many responses the service has sent. */
  let responses = 0;

  const pageOf = ({ settings = '', body = '', head = '', script = 'svc.min.js' } = {}): string =>
    '<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" ' +
    `href="data:,">${head}<script defer src="${service}/${script}" data-site="SITE" ` +
    `${settings}></script>${body}`;
  const queue =
    '<script>window.svc = window.svc || function () { (svc.q = svc.q || []).push(arguments) }; ' +
    'svc("early", { props: { n: 1 } })</script>';
  const links = () =>
    `<a id="out" href="${service}/robots.txt" target="_blank">out</a>
    <a id="file" href="/report.PDF" target="_blank">file</a>
    <a id="own" href="/other"><b>own</b></a><a id="mail" href="mailto:a@example.com">mail</a>
    <form id="form" action="/other?q=1" onsubmit="return false">
    <input name="email" value="secret@example.com"><button>send</button></form>`;
  const oddElements = `<svg width="90" height="30">
    <a href="/other" target="_blank"><text y="20">drawn</text></a></svg>
    <form id="odd" action="/other" onsubmit="return false">
    <input name="action" value="secret"><button>send</button></form>`;
  const painted =
    '<h1>Words that are painted</h1>' +
    '<button onclick="this.textContent=\'pressed\'">press</button>';
  const pages: Record<string, () => string> = {
    '/plain': () => pageOf({ body: tall }),
    '/other': () => pageOf({ body: 'Another page' }),
    '/hash': () => pageOf({ settings: 'data-hash' }),
    '/manual': () => pageOf({ settings: 'data-manual' }),
    '/keep': () => pageOf({ settings: 'data-keep' }),
    '/early': () => pageOf({ head: queue }),
    '/links': () => pageOf({ body: links() }),
    '/report.PDF': () => 'A file',
    '/odd': () => pageOf({ body: oddElements }),
    '/frame': () =>
      '<!doctype html><title>Frame</title><iframe sandbox="allow-scripts" src="/plain"></iframe>',
    '/vitals': () => pageOf({ body: painted, script: 'svc.vitals.min.js' }),
  };

  beforeAll(async () => {
    app = await freshApp();
    service = `http://127.0.0.1:${await listen(app)}`;
    app.http.server.on('request', (_request, response) => {
      response.on('finish', () => (responses += 1));
    });
    site = await startWebsite((request, response) => {
      const make = pages[new URL(request.url ?? '/', 'http://x').pathname];
      response
        .writeHead(make === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end((make ?? pages['/plain'])?.().replace('SITE', site_id));
    });
    ({ origin } = site);
  });
  afterAll(async () => {
    site.close();
    await app.close();
  });

  /** Returns all stored events of the current site, in order of time. */
  async function storedEvents(): Promise<StoredEvent[]> {
    await app.applied();
    const { status, text } = await new TestClient(app)
      .as(asAdmin)
      .post('/analytics/export/events/', { site_id, format: 'ndjson' });
    expect([200, 404]).toContain(status);
    const lines = status === 404 ? [] : text.split('\n').filter((line) => line !== '');
    const rows = lines.map((line) => JSON.parse(line) as StoredEvent);
    return rows.sort((a, b) => String(a.timestamp).localeCompare(String(b.timestamp)));
  }

  const eventsNamed = async (name: string) =>
    (await storedEvents()).filter(({ event }) => event === name);
  const viewedPaths = async () => (await eventsNamed('pageview')).map(({ pathname }) => pathname);
  /** Events that the page or a click has caused, not the view itself. */
  const otherEvents = async () =>
    (await storedEvents()).filter(({ event }) => !['pageview', 'engagement'].includes(event));
  const waitUntil = (check: () => Promise<void>) =>
    vi.waitFor(check, { timeout: 10_000, interval: 100 });

  /** Waits until so many events are stored. Looks only after a response, as a query takes long. */
  async function waitForEvents(name: string, count: number, timeout = 10_000): Promise<void> {
    let seen = -1;
    let found: StoredEvent[] = [];
    const check = async () => {
      if (seen !== responses) {
        seen = responses;
        found = await eventsNamed(name);
      }
      expect(found.length).toBe(count);
    };
    await vi.waitFor(check, { timeout, interval: 20 });
  }

  const browser = useBrowser({ context: { userAgent }, expected });

  /** Opens a page with a site of its own. `prepare` gets the page before that. */
  async function visit(
    path: string,
    prepare?: (page: Page) => Promise<unknown>,
    { newPage } = browser,
  ): Promise<Page> {
    sites += 1;
    site_id = `s${sites}`;
    const page = await newPage();
    await prepare?.(page);
    await page.goto(origin + path);
    return page;
  }

  /** Opens a page, and waits until its view is stored. */
  async function visitCounted(path: string): Promise<Page> {
    const page = await visit(path);
    await waitForEvents('pageview', 1);
    return page;
  }

  it('is at most 1.5 KB compressed', async () => {
    const client = new TestClient(app);
    const answer = await client.as({ 'accept-encoding': 'gzip' }).get('/svc.min.js');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    expect(answer.bytes.length).toBeLessThanOrEqual(1500);
    const { text } = await client.get('/svc.vitals.min.js');
    expect(gzipSync(text).length).toBeLessThanOrEqual(5000);
  });

  it('counts a page once, with title and referrer, and stores nothing', async () => {
    const page = await visitCounted('/plain?utm_source=news#part');
    const place = { pathname: '/plain', title: 'A page', hostname: 'localhost' };
    expect(await storedEvents()).toMatchObject([
      { event: 'pageview', ...place, bot: false, utm_source: 'news' },
    ]);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
  });

  it('reports engagement time and scroll depth, even when the page is closed', async () => {
    const page = await visitCounted('/plain');
    await page.evaluate('scrollTo(0, 2000)');
    await page.waitForFunction('scrollY === 2000');
    const began = Date.now();
    await page.waitForFunction((at) => Date.now() - at > 1200, began);
    await page.close({ runBeforeUnload: true });
    await waitForEvents('engagement', 1);
    const [left] = await eventsNamed('engagement');
    expect(left).toMatchObject({ pathname: '/plain', interactive: false });
    expect(left?.scroll_depth).toBeGreaterThan(45);
    expect(left?.engagement_ms).toBeGreaterThan(1000);
  });

  it('counts each page of a single-page app once, whatever history calls it makes', async () => {
    const page = await visitCounted('/plain');
    await page.evaluate(`history.pushState({}, '', '/a'); document.title = 'A'`);
    await waitForEvents('pageview', 2);
    await page.evaluate(
      `history.replaceState({ x: 1 }, '', '/a'); history.pushState({}, '', '/a'); ` +
        `history.replaceState({}, '', '#here')`,
    );
    await page.evaluate(`history.replaceState({}, '', '/b')`);
    await waitForEvents('pageview', 3);
    await page.goBack();
    await waitForEvents('pageview', 4);
    await page.evaluate('location.hash = "again"');
    await page.evaluate('svc("last")');
    await waitForEvents('last', 1);
    expect(await viewedPaths()).toEqual(['/plain', '/a', '/b', '/a']);
    expect((await eventsNamed('pageview'))[1]).toMatchObject({ title: 'A' });
  });

  it('counts fragments with data-hash', async () => {
    const page = await visitCounted('/hash#/first');
    await page.evaluate('location.hash = "/second"');
    await waitForEvents('pageview', 2);
    expect(await viewedPaths()).toEqual(['/hash/first', '/hash/second']);
  });

  it('counts only explicit page views with data-manual', async () => {
    const page = await visit('/manual');
    await page.waitForFunction('typeof svc === "function"');
    await page.evaluate(
      `history.pushState({}, '', '/a'); svc('pageview', { url: location.origin + '/by-hand' })`,
    );
    await waitForEvents('pageview', 1);
    expect((await storedEvents()).map(({ pathname }) => pathname)).toEqual(['/by-hand']);
  });

  it('sends custom events with props and revenue, even those from before it loaded', async () => {
    const page = await visit('/early');
    await waitForEvents('early', 1);
    await page.evaluate(
      `svc('buy', { props: { plan: 'team', seats: 3, yearly: true }, revenue: { amount: ` +
        `'99.50', currency: 'EUR' } })`,
    );
    await waitForEvents('buy', 1);
    expect(await eventsNamed('buy')).toMatchObject([
      {
        pathname: '/early',
        props: { plan: 'team', seats: '3', yearly: 'true' },
        revenue_amount: 99.5,
        revenue_currency: 'EUR',
      },
    ]);
  });

  it('reports outbound links, files and forms, but no other links or input', async () => {
    const page = await visitCounted('/links');
    for (const id of ['out', 'file']) {
      const opened = page.context().waitForEvent('page');
      await page.click(`#${id}`);
      await (await opened).close();
    }
    await page.click('#form button');
    await waitForEvents('form_submit', 1);
    await page.click('#own b');
    await page.waitForURL('**/other');
    await waitForEvents('pageview', 2);
    const rows = await otherEvents();
    expect(rows.map(({ event, props }) => [event, props])).toEqual([
      ['outbound_click', { url: `${service}/robots.txt` }],
      ['file_download', { url: `${origin}/report.PDF` }],
      ['form_submit', { url: `${origin}/other?q=1` }],
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret@example.com');
  });

  it('tolerates odd pages: links in SVG, fields named action, cyclic props', async () => {
    const page = await visitCounted('/odd');
    await page.evaluate(
      `document.querySelector('[name=action]').self = ` +
        `document.querySelector('[name=action]'); document.dispatchEvent(new ` +
        `MouseEvent('click', { bubbles: true }))`,
    );
    await page.evaluate(
      `document.querySelector('text').dispatchEvent(new MouseEvent('click', { bubbles: ` +
        'true, cancelable: true, ctrlKey: true }))',
    );
    await page.click('#odd button');
    await waitForEvents('form_submit', 1);
    expect(
      await page.evaluate(
        `(() => { const round = {}; round.round = round; try { svc('round', { props: ` +
          `round }); return 'taken'; } catch (error) { return error.name; } })()`,
      ),
    ).toBe('TypeError');
    await page.evaluate('svc("after")');
    await waitForEvents('after', 1);
    const rows = await otherEvents();
    expect(rows.map(({ event }) => event)).toEqual(['form_submit', 'after']);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('reports a page that is not found', async () => {
    await visit('/nowhere');
    await waitForEvents('not_found', 1);
    expect((await storedEvents()).map(({ event, pathname }) => [event, pathname])).toEqual(
      expect.arrayContaining([
        ['pageview', '/nowhere'],
        ['not_found', '/nowhere'],
      ]),
    );
    await visitCounted('/plain');
    expect(await eventsNamed('not_found')).toEqual([]);
  });

  it('resends lost events with the same id, which count once', async () => {
    const ids: string[] = [];
    let failing = 2;
    await visit('/plain', (page) =>
      page.route('**/analytics/batch/', async (route) => {
        const { events } = route.request().postDataJSON() as { events: { id: string }[] };
        ids.push(events[0]?.id ?? '');
        failing -= 1;
        // The first request is lost; the second arrives, but its answer is lost.
        if (failing === 1) await route.abort();
        else if (failing === 0) {
          await route.fetch();
          await route.fulfill({ status: 503 });
        } else await route.continue();
      }),
    );
    await waitUntil(async () => expect(ids.length).toBe(3));
    await waitForEvents('pageview', 1);
    expect(new Set(ids).size).toBe(1);
    expect((await eventsNamed('pageview')).map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('keeps events from while the network was down, with their times', async () => {
    const page = await visitCounted('/plain');
    await page.context().setOffline(true);
    const before = Date.now();
    await page.evaluate('svc("offline")');
    const after = Date.now();
    // Its third try is four seconds later: long enough to tell its time from the time of arrival.
    await page.waitForFunction((at) => Date.now() - at > 3000, after);
    await page.context().setOffline(false);
    await waitForEvents('offline', 1, 15_000);
    const [event] = await eventsNamed('offline');
    expect(Date.parse(String(event?.timestamp))).toBeGreaterThanOrEqual(before - 2000);
    expect(Date.parse(String(event?.timestamp))).toBeLessThanOrEqual(after + 2000);
  });

  it('carries unsent events over to the next page with data-keep and clears them', async () => {
    const page = await visit('/keep', (opened) =>
      opened.route('**/analytics/batch/', (route) => route.abort()),
    );
    await page.waitForFunction('localStorage.svc_q?.includes("pageview")');
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await next.goto(`${origin}/keep`);
    await waitForEvents('pageview', 2);
    await waitUntil(async () => expect(await next.evaluate('localStorage.svc_q')).toBe('[]'));
  });

  it('stores nothing for visitors with Global Privacy Control', async () => {
    const page = await visit('/keep', (opened) =>
      opened.addInitScript(
        'Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true })',
      ),
    );
    await waitForEvents('pageview', 1);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
  });

  it('counts nothing from visitors who opt out, until they opt in again', async () => {
    const page = await visitCounted('/plain');
    await page.evaluate('svc.ignore()');
    await page.reload();
    await page.waitForFunction('typeof svc === "function"');
    await page.evaluate('svc("unwanted"); svc.ignore(false); svc("wanted")');
    await waitForEvents('wanted', 1);
    expect(await eventsNamed('unwanted')).toEqual([]);
    expect(await eventsNamed('pageview')).toHaveLength(1);
  });

  it('works where storage is blocked', async () => {
    await visitCounted('/frame');
  });

  it('counts a page opened in the background once it becomes visible', async () => {
    const page = await visit('/manual');
    await page.waitForFunction('typeof svc === "function"');
    const hidden = await page.context().newPage();
    await hidden.addInitScript(
      `let isHidden = true; Object.defineProperty(document, 'hidden', { get: () => ` +
        'isHidden }); window.show = () => { isHidden = false; document.dispatchEvent(new ' +
        `Event('visibilitychange')); }`,
    );
    await hidden.goto(`${origin}/plain`);
    await hidden.waitForFunction('typeof svc === "function"');
    await hidden.evaluate('svc("loaded")');
    await waitForEvents('loaded', 1);
    expect(await eventsNamed('pageview')).toEqual([]);
    await hidden.evaluate('show()');
    await waitForEvents('pageview', 1);
  });

  it('measures web vitals with svc.vitals.min.js', async () => {
    const page = await visitCounted('/vitals');
    await page.click('button');
    await page.waitForFunction('document.querySelector("button").textContent === "pressed"');
    await page.goto(`${origin}/other`);
    await waitForEvents('web_vitals', 1);
    const [vitals] = await eventsNamed('web_vitals');
    expect(vitals).toMatchObject({ pathname: '/vitals', interactive: false });
    for (const name of ['lcp', 'fcp', 'ttfb', 'cls'])
      expect(typeof vitals?.[name], name).toBe('number');
  });

  describe.skipIf(!hasWholeBrowser)('with a back/forward cache', () => {
    const whole = useBrowser({ context: { userAgent }, expected, isWhole: true });

    it('counts a page restored from the back/forward cache', async () => {
      const page = await visit('/plain', undefined, whole);
      await waitForEvents('pageview', 1);
      await page.evaluate('globalThis.isCached = true');
      await page.goto(`${origin}/other`);
      await waitForEvents('pageview', 2);
      // Playwright's goBack waits for a load, which a cached page does not have.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Runtime.evaluate', { expression: 'history.back()' });
      await waitForEvents('pageview', 3);
      expect(await viewedPaths()).toEqual(['/plain', '/other', '/plain']);
      expect(await page.evaluate('globalThis.isCached')).toBe(true);
    });
  });
});
