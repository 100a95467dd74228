import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadWebScript } from '../../src/platform/ui/web-script.ts';
import { freshApp, type FreshApp, webFolder } from '../support/app.ts';
import { listen } from '../support/sockets.ts';
import { hasBrowser, hasWholeBrowser, useBrowser } from '../support/browser/browser.ts';
import { type PageServer, startPageServer } from './page-server.ts';

/** Returns a script that records all events in `told`, with the listeners of an ordinary page. */
const recorder = (prefix = 'svc') => `<script>
  const told = [];
  for (const type of ['message', 'connected', 'disconnected', 'gap', 'error'])
    addEventListener('${prefix}:' + type, ({ detail }) => told.push([type, detail]));
  addEventListener('pageshow', ({ persisted }) => told.push(['pageshow', persisted]));
</script>`;
const classic =
  `${recorder()}<script defer src="/global-message-handler.js" data-path="/ws/status/" ` +
  'data-channels="status, test"></script>';

type PageEvent = [type: string, detail: Record<string, unknown>];

describe.skipIf(!hasBrowser)('the message handler in a real browser', () => {
  let app: FreshApp;
  let pages: PageServer;
  let published = 0;

  beforeAll(async () => {
    app = await freshApp();
    const port = await listen(app);
    const { integrity, version } = await loadWebScript(webFolder, 'global-message-handler.js');
    const module = `${recorder('mine')}<script type="module"
      src="http://127.0.0.1:${port}/global-message-handler.js?v=${version}"
      integrity="${integrity}" crossorigin="anonymous" data-channels="status"
      data-url="ws://127.0.0.1:${port}/ws/status/" data-events="mine"></script>`;
    const byHand =
      `${recorder()}<script src="/global-message-handler.js"></script><script ` +
      'src="/global-message-handler.js"></script>';
    pages = await startPageServer(
      { '/classic': classic, '/module': module, '/by-hand': byHand, '/other': 'Another page' },
      port,
    );
  });
  afterAll(async () => {
    await pages.close();
    await app.close();
  });

  /** Publishes `count` numbered messages and returns their numbers. */
  async function publish(count: number, channel = 'status'): Promise<number[]> {
    const numbers = Array.from({ length: count }, () => (published += 1));
    for (const number of numbers)
      await app.services.bus.publish(channel, { type: 'component.updated', data: number });
    return numbers;
  }

  const eventsOf = (page: Page) => page.evaluate<PageEvent[]>('told');
  const messagesOf = async (page: Page): Promise<unknown[]> =>
    (await eventsOf(page)).flatMap(([type, { data }]) =>
      type === 'message' ? [(data as { data: unknown }).data] : [],
    );
  const eventTypesOf = async (page: Page) => (await eventsOf(page)).map(([type]) => type);
  const detailsOf = async (page: Page, name: string) =>
    (await eventsOf(page)).flatMap(([type, detail]) => (type === name ? [detail] : []));
  const expectMessages = (page: Page, numbers: unknown[]) =>
    expect.poll(() => messagesOf(page), { timeout: 5000 }).toEqual(numbers);
  const waitUntilConnected = (page: Page, times = 1, timeout = 5000) =>
    expect.poll(() => detailsOf(page, 'connected'), { timeout }).toHaveLength(times);

  // The browser reports connections that tests cut.
  const browser = useBrowser({
    expected: /WebSocket connection to .* failed|net::ERR_INTERNET_DISCONNECTED/,
  });
  const open = (path: string) => browser.open(pages.origin + path);

  it('delivers everything once and in order, even when connections are cut', async () => {
    const page = await open('/classic');
    await waitUntilConnected(page);
    const numbers = await publish(5);
    for (let round = 1; round <= 4; round += 1) {
      await expectMessages(page, numbers);
      pages.cut();
      numbers.push(...(await publish(20)));
      await waitUntilConnected(page, round + 1, 15_000);
      numbers.push(...(await publish(5)));
    }
    await expectMessages(page, numbers);
    expect(numbers).toHaveLength(105);
    expect(await eventTypesOf(page)).not.toContain('gap');
    const [, ...again] = await detailsOf(page, 'connected');
    expect(again).toHaveLength(4);
    for (const { recovered } of again) expect(recovered).toEqual({ status: true, test: true });
  }, 90_000);

  it('starts over after a reload', async () => {
    const page = await open('/classic');
    await waitUntilConnected(page);
    await page.reload();
    await waitUntilConnected(page);
    await expectMessages(page, await publish(2));
    expect((await detailsOf(page, 'connected'))[0]?.recovered).toEqual({});
  });

  it('reconnects at once when the device is online again', async () => {
    const page = await open('/classic');
    await waitUntilConnected(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const offline = (isOffline: boolean) =>
      devtools.send('Network.emulateNetworkConditions', {
        offline: isOffline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await offline(true);
    await expect.poll(() => eventTypesOf(page), { timeout: 10_000 }).toContain('disconnected');
    expect((await eventsOf(page)).at(-1)).toEqual([
      'disconnected',
      { code: 1, reason: 'offline', willReconnect: true },
    ]);
    const numbers = await publish(3);
    await offline(false);
    await expectMessages(page, numbers);
    expect(await eventTypesOf(page)).not.toContain('gap');
  });

  it('works as a module on another site, with integrity and its own event names', async () => {
    const page = await open('/module');
    await waitUntilConnected(page);
    await expectMessages(page, await publish(2));
  });

  it('is controlled by script: connects on call, subscribes, unsubscribes and closes', async () => {
    const page = await open('/by-hand');
    const before = pages.opened();
    expect(await page.evaluate('svcMessages.state')).toBe('closed');
    await page.evaluate(`{
        window.heard = [];
        svcMessages.subscribe('test', () => { throw new Error('of the page'); });
        const hear = ({ channel, data }) => heard.push([channel, data.data]);
        window.leave = svcMessages.subscribe('test', hear);
        svcMessages.on('connected', ({ recovered }) => heard.push(recovered));
        svcMessages.connect({ url: '/ws/status/', getToken: () => '' });
      }`);
    await waitUntilConnected(page);
    const [first] = await publish(1, 'test');
    await publish(1, 'status');
    await expect
      .poll(() => page.evaluate('heard'), { timeout: 10_000 })
      .toEqual([{}, ['test', first]]);
    expect(browser.complaints()).toEqual(['of the page']);
    await page.evaluate('leave()');
    await page.evaluate('leave()');
    const [second] = await publish(1, 'test');
    await expectMessages(page, [first, second]);
    expect(await page.evaluate('heard.length')).toBe(2);
    // The listener that throws heard the second message, too.
    expect(browser.complaints()).toEqual(['of the page']);
    await page.evaluate('svcMessages.close()');
    expect(await page.evaluate('svcMessages.state')).toBe('closed');
    expect((await eventsOf(page)).at(-1)).toEqual([
      'disconnected',
      { code: 0, reason: 'closed', willReconnect: false },
    ]);
    await publish(1, 'test');
    expect(pages.opened() - before).toBe(1);
    expect(
      await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'),
    ).toEqual([0, 0, '']);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('never puts a token in a URL, and closes when the server refuses it', async () => {
    const page = await open('/by-hand');
    await page.evaluate(`svcMessages.connect({ url: '/ws/status/', token: 'not-a-token' })`);
    const last = async () => (await eventsOf(page)).at(-1);
    await expect
      .poll(last, { timeout: 10_000 })
      .toMatchObject(['disconnected', { willReconnect: false }]);
    expect(pages.handshakes.map(({ url }) => url)).not.toContainEqual(
      expect.stringContaining('not-a-token'),
    );
    expect(await page.evaluate('svcMessages.state')).toBe('closed');
  });

  it('does not throw on mistakes of the page', async () => {
    const page = await open('/by-hand');
    await page.evaluate(`svcMessages.connect({ url: 'http://[' })`);
    expect(await eventTypesOf(page)).toEqual(['pageshow', 'error', 'disconnected']);
  });

  describe.skipIf(!hasWholeBrowser)('with a back/forward cache', () => {
    const whole = useBrowser({ isWhole: true });

    it('continues in a page restored from the back/forward cache', async () => {
      const page = await whole.open(`${pages.origin}/classic`);
      const devtools = await page.context().newCDPSession(page);
      await waitUntilConnected(page);
      const numbers = await publish(3);
      await expectMessages(page, numbers);
      await page.goto(`${pages.origin}/other`);
      numbers.push(...(await publish(4)));
      // Playwright's goBack waits for a load, which a cached page does not have.
      await devtools.send('Runtime.evaluate', { expression: 'history.back()' });
      await expectMessages(page, numbers);
      expect(await detailsOf(page, 'pageshow')).toEqual([false, true]);
      expect((await detailsOf(page, 'disconnected'))[0]).toEqual({
        code: 1,
        reason: 'pagehide',
        willReconnect: true,
      });
    });
  });
});
