import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StatusState } from '../../../src/areas/status/model.ts';
import type { Page } from 'playwright-core';
import {
  hasBrowser,
  type OpenOptions,
  useBrowser,
  usePage,
} from '../../support/browser/browser.ts';
import { axeViolations, takePicture, viewFaults } from '../../support/browser/views.ts';
import { freePort } from '../../support/redis-server.ts';
import { rounds } from '../../support/rounds.ts';
import { openPages, type Shown } from './page-app.ts';
import {
  goodDay,
  incident,
  maintenance,
  noon,
  stateOf,
  update,
  veryBadDay,
} from './page-states.ts';

describe.skipIf(!hasBrowser)('the status page in a real browser', () => {
  const shown: Shown = { state: goodDay() };
  const site = { origin: '' };
  let app: FastifyInstance;
  let requests = 0;

  beforeAll(async () => {
    const port = await freePort();
    site.origin = `http://localhost:${port}`;
    app = await openPages(shown, { handler: '' });
    await app.listen({ port, host: '127.0.0.1' });
  });
  afterAll(() => app.close());
  const browser = useBrowser({ at: site, expected: /status of 503/ });
  beforeEach(() => {
    shown.state = goodDay();
  });

  async function visit(options: OpenOptions = {}, path = '/status'): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(path);
    requests = 0;
    page.on('request', (request) => {
      if (request.url() === site.origin + path) requests += 1;
    });
    return page;
  }

  const change = (next: Partial<StatusState>) => {
    shown.state = { ...shown.state, ...next };
  };
  const tell = (page: Page, channel = 'status') =>
    page.evaluate(`dispatchEvent(new CustomEvent('svc:message', {
      detail: { channel: '${channel}', data: { type: 'incident.created' } },
    }))`);
  /** Less of everything than on a very bad day, but each of its kinds and both months. */
  function badDay(): StatusState {
    const { components, incidents, history, ...others } = veryBadDay();
    const few = rounds(4, 10);
    return {
      ...others,
      components: components.slice(0, few),
      incidents: incidents.slice(0, few),
      history: history.filter((_, at) => at % rounds(8, 1) === 0),
    };
  }
  const days = { good: goodDay, bad: badDay, empty: () => stateOf() };

  describe('in each view', () => {
    const page = usePage({ at: site });

    it.each(['good', 'bad', 'empty'] as const)(
      'is accessible and fits the window on a %s day, as are the history and an incident',
      async (day) => {
        shown.state = days[day]();
        const id = (shown.state.incidents[0] ?? shown.state.history[0])?.id;
        const others = [
          '/status/history',
          ...(id === undefined ? [] : [`/status/incidents/${id}`]),
        ];
        // On a good day the other pages are like those of a bad day, with less on them.
        const paths = ['/status', ...(day === 'good' ? others.slice(0, rounds(0, 2)) : others)];
        for (const path of paths) {
          await page().goto(path);
          const picture = `status-${path.split('/')[2] ?? 'page'}-${day}`;
          expect(await viewFaults(page(), { picture }), path).toEqual([]);
        }
      },
      120_000,
    );
  });

  it('is complete without scripts, and in print', async () => {
    const page = await visit({ javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      'All systems operational',
    );
    await page.getByText('1 day with problems').click();
    expect(await page.locator('#days-sign-in tbody').innerText()).toContain(
      'Degraded performance 25m',
    );
    expect(await page.locator('.trap').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#subscribe').isVisible()).toBe(false);
    await takePicture(page, 'status-print');
  });

  it('announces a change once, and keeps open details, focus and input', async () => {
    const page = await visit();
    await page.getByText('1 day with problems').click();
    await page.getByLabel('Email address').fill('somebody@example.com');
    await page.locator('#days-sign-in summary').focus();
    await page.evaluate(`
      said = [];
      news = document.querySelector('[role=status]');
      new MutationObserver(() => said.push(news.textContent)).observe(news, { childList: true });
    `);
    const [first, ...others] = shown.state.components;
    if (first === undefined) throw new Error('no components');
    change({
      indicator: 'major',
      description: 'Partial System Outage',
      components: [{ ...first, status: 'major_outage' }, ...others],
      incidents: [incident('Website is away')],
    });
    await tell(page);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText(), { interval: 20 })
      .toBe('Partial system outage');
    await page.getByRole('link', { name: 'Website is away' }).waitFor();
    expect(await page.title()).toBe('Partial system outage – Platform Service');
    expect(await page.locator('.component').first().innerText()).toContain('Major outage');
    expect(await page.locator('#days-sign-in').getAttribute('open')).toBe('');
    expect(
      await page.evaluate(
        'document.activeElement.parentElement.id + document.activeElement.localName',
      ),
    ).toBe('days-sign-insummary');
    expect(await page.getByLabel('Email address').inputValue()).toBe('somebody@example.com');
    expect(await page.evaluate('said')).toEqual([
      'Partial system outage. Website is away: Investigating',
    ]);
    expect(requests).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('moves the focus to the heading when the focused element is gone', async () => {
    change({ incidents: [incident('Soon over')] });
    const page = await visit();
    await page.getByRole('link', { name: 'Soon over' }).focus();
    change({ incidents: [] });
    await tell(page);
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('h1');
    expect(await page.locator('#incidents').isVisible()).toBe(false);
  });

  it('leaves the DOM alone without a change, and ignores other channels', async () => {
    const page = await visit();
    await page.evaluate(`mark = document.querySelector('#components'); mark.seen = true`);
    await tell(page, 'other');
    const fetched = page.waitForResponse('**/status');
    await tell(page);
    await (await fetched).finished();
    // The page has that response before the one to a later request.
    await page.evaluate("fetch('/status').then((response) => response.text())");
    expect(requests).toBe(2);
    expect(await page.evaluate(`document.querySelector('#components').seen`)).toBe(true);
    expect(await page.locator('body > [role=status]').innerText()).toBe('');
  });

  it('fetches at most once in half a second, and never misses the last change', async () => {
    const page = await visit();
    await page.evaluate(`
      message = () => new CustomEvent('svc:message', { detail: { channel: 'status' } });
      for (let at = 0; at < 50; at += 1) setTimeout(() => dispatchEvent(message()), at * 20);
    `);
    await expect.poll(() => requests, { timeout: 5000 }).toBeGreaterThanOrEqual(2);
    change({ indicator: 'critical' });
    await tell(page);
    await expect.poll(() => page.title(), { timeout: 5000 }).toContain('Major system outage');
    expect(requests).toBeLessThanOrEqual(5);
  });

  it('fetches again after a reconnect or a gap, and after a failure', async () => {
    const page = await visit();
    for (const [event, indicator, title] of [
      ['svc:connected', 'minor', 'Partially degraded service'],
      ['svc:gap', 'major', 'Partial system outage'],
    ] as const) {
      change({ indicator });
      await page.evaluate(`dispatchEvent(new CustomEvent('${event}', { detail: {} }))`);
      await expect.poll(() => page.title()).toContain(title);
    }
    await page.route('**/status', (route) => route.fulfill({ status: 503, body: '' }), {
      times: 1,
    });
    change({ indicator: 'critical' });
    await tell(page);
    await expect.poll(() => page.title(), { timeout: 10_000 }).toContain('Major system outage');
  });

  it('updates the page of an incident', async () => {
    const mine = incident('Requests fail');
    change({ incidents: [mine], maintenances: [maintenance('Later')] });
    const page = await visit({}, `/status/incidents/${mine.id}`);
    change({
      incidents: [],
      history: [
        {
          ...mine,
          status: 'resolved',
          resolvedAt: noon,
          updates: [update('resolved', 'All is well.', noon), ...mine.updates],
        },
      ],
    });
    await tell(page);
    await page.getByText('All is well.').waitFor();
    expect(await page.locator('.banner').getAttribute('class')).toBe('banner ok');
  });
});
