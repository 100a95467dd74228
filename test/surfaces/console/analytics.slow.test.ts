import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/browser/browser.ts';
import { countClicks } from '../../support/browser/clicks.ts';
import { axeViolations, takePicture, viewFaults } from '../../support/browser/views.ts';
import { useConsole } from './browser.ts';
import { send, shopEvents } from './events.ts';
import { faultsAt, home, type Person, personOf } from './pages.ts';

describe.skipIf(!hasBrowser)('analytics in the console, in a real browser', () => {
  const browser = useConsole();
  const { service } = browser;
  let admin: Person;
  let viewer: Person;

  beforeAll(async () => {
    await send(service.app, shopEvents(Date.now()));
    admin = await personOf(service.app, 'ada@example.com', ['admin']);
    viewer = await personOf(service.app, 'vic@example.com', ['viewer']);
  });

  const tile = (page: Page, name: string) =>
    page.locator('.stat-tabs a', { has: page.getByText(name, { exact: true }) });
  const card = (page: Page, name: string) => tile(page, name).locator('strong').innerText();
  const figureOf = (page: Page) => page.locator('#series figcaption .key').first().innerText();
  const pixelUrl = (page: string) =>
    `${service.origin}/analytics/pixel.gif?site=shop.example&page=${encodeURIComponent(page)}`;
  const paths = [
    '',
    'analytics',
    'analytics/realtime',
    'analytics/goals',
    'analytics/retention',
    'analytics/site',
    'analytics/site/tag',
    'analytics/site/annotations',
    'analytics/site/excluded',
  ];

  describe('in each view', () => {
    const visit = browser.usePage(() => admin.headers);

    it.each(paths)('has an accessible page /%s that fits the window', async (path) => {
      expect(await viewFaults(await visit(path), { picture: `console-${path}` })).toEqual([]);
    });
  });

  it('is valid HTML for admins and viewers', async () => {
    for (const person of [admin, viewer]) expect(await faultsAt(person, paths)).toEqual([]);
  });

  it('loads the first page with all its files in at most 60 KB', async () => {
    const page = await browser.visit('', { as: admin.headers });
    const places = await page.evaluate<string[]>(
      `[...document.querySelectorAll('link[rel=stylesheet], script[src]')]
        .map((each) => each.href ?? each.src)`,
    );
    const html = await (await fetch(page.url(), admin)).text();
    const files = await Promise.all(places.map(async (place) => await (await fetch(place)).text()));
    const sizes = [html, ...files].map((text) => gzipSync(text).length);
    const total = sizes.reduce((a, b) => a + b, 0);
    const each = places.map((place, at) => `${new URL(place).pathname} ${sizes[at + 1] ?? 0}`);
    process.stdout.write(
      `console: first load ${total} bytes gz (page ${sizes[0] ?? 0}, ${each.join(', ')}); ` +
        `the page itself is sent as ${Buffer.byteLength(html)}\n`,
    );
    expect(total).toBeLessThanOrEqual(60_000);
    expect(
      gzipSync(files.find((_, at) => places[at]?.endsWith('.js')) ?? '').length,
    ).toBeLessThanOrEqual(40_000);
  });

  it('filters figures by a click, keeps the filter in the URL, and removes it', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    const all = Number(await card(page, 'Visits'));
    await page.getByRole('link', { name: 'Germany' }).click();
    await page.getByRole('link', { name: 'Remove filter: Country is Germany' }).waitFor();
    const fewer = Number(await card(page, 'Visits'));
    expect(fewer).toBeGreaterThan(0);
    expect(fewer).toBeLessThan(all);
    expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(['country:is:DE']);
    await page.reload();
    expect(Number(await card(page, 'Visits'))).toBe(fewer);
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('link', { name: 'Last 7 days' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(['country:is:DE']);
    await page.getByRole('link', { name: 'Remove filter: Country is Germany' }).click();
    await expect.poll(async () => card(page, 'Visits')).toBe(String(all));
  });

  it('filters by a country that is clicked on the map, which loads when it is opened', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    expect(await page.locator('.world-map').count()).toBe(0);
    await page.locator('#places summary', { hasText: 'Map' }).click();
    await page.locator('.world-map a', { hasText: 'Germany' }).click();
    await page.getByRole('link', { name: 'Remove filter: Country is Germany' }).waitFor();
    const plain = await browser.visit('analytics', { as: admin.headers, javaScriptEnabled: false });
    await plain.locator('#places summary', { hasText: 'Map' }).click();
    expect(await plain.locator('.world-map a').count()).toBeGreaterThan(1);
  });

  it('filters by a form without JavaScript, also by event properties', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers, javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Filter by').selectOption('props');
    await page.getByLabel('Property name').fill('plan');
    await page.getByLabel('Value', { exact: true }).fill('pro');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(['props.plan:is:pro']);
    expect(await page.locator('#events tbody tr').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.getByRole('button', { name: 'Show these dates' }).click();
    await page.getByRole('button', { name: 'Jan 1 – 31, 2026' }).waitFor();
  });

  it('compares with the previous period without being asked, until told not to', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    expect(await page.locator('#series .key.before').count()).toBe(1);
    await page.getByRole('button', { name: 'vs previous period' }).click();
    await page.getByRole('link', { name: 'No comparison' }).click();
    await page.waitForURL(/compare=none/);
    expect(await page.locator('#series .key.before').count()).toBe(0);
    expect(await page.locator('.stat-tabs .change').count()).toBe(0);
  });

  it('draws the figure of a tile by one click, without a new page, and goes back', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    await page.evaluate('window.isSamePage = true');
    expect(await figureOf(page)).toBe('Visitors');
    await tile(page, 'Bounce rate').click();
    await expect.poll(() => figureOf(page)).toBe('Bounce rate');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await page.locator('.stat-tabs [aria-current]').count()).toBe(1);
    expect(await page.locator('#series .scale').textContent()).toContain('%');
    await page.goBack();
    await expect.poll(() => figureOf(page)).toBe('Visitors');
    const plain = await browser.visit('analytics', { as: admin.headers, javaScriptEnabled: false });
    await tile(plain, 'Page views').click();
    await plain.waitForURL(/metric=pageviews/);
    expect(await figureOf(plain)).toBe('Page views');
  });

  it('says the values of a day by the keyboard, and opens the day', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    const tip = page.locator('.chart-tip');
    await page.locator('#series .plot').focus();
    await page.keyboard.press('End');
    expect(await tip.innerText()).toContain('so far');
    await page.keyboard.press('ArrowLeft');
    const yesterday = new Date(Date.now() - 86_400_000);
    const day = yesterday.toLocaleDateString('en', { month: 'short', day: 'numeric' });
    expect(await tip.innerText()).toMatch(new RegExp(`${day}.*Visitors.*\\d.*Change`, 's'));
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await tip.count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const iso = yesterday.toISOString().slice(0, 10);
    await page.waitForURL((url) => url.searchParams.get('from') === iso);
    await page.locator('#series .plot').hover();
    expect(await tip.innerText()).toMatch(/\d\d:00/);
  });

  it('tells in three clicks which campaign had the most conversions, with their rate', async () => {
    const goal = { name: 'Became a customer', kind: 'event' as const, value: 'signup' };
    const by = { actor: { kind: 'system' as const } };
    await service.app.services.goals.createGoal('shop.example', { ...goal, filters: [] }, by);
    const visit = ['pageview', 'signup'].map((event) => ({
      site_id: 'shop.example',
      event,
      url: 'https://shop.example/?utm_campaign=winter',
      visitor_id: 'f'.repeat(16),
      timestamp: new Date(Date.now() - 300_000).toISOString(),
    }));
    await send(service.app, visit);
    const page = await browser.visit('', { as: admin.headers });
    await page.locator('#menu').getByRole('link', { name: 'Analytics' }).click();
    const views = await card(page, 'Page views');
    await page.getByRole('button', { name: 'Any goal' }).click();
    await page.getByRole('link', { name: goal.name, exact: true }).first().click();
    await page.getByRole('button', { name: `Goal: ${goal.name}` }).waitFor();
    await page.locator('#sources summary', { hasText: 'Campaigns' }).click();
    const heads = await page.locator('#list-campaigns thead th').allTextContents();
    expect(heads).toEqual(['Campaign', 'Visitors', 'Conversions', 'Rate']);
    const winter = page.locator('#list-campaigns tbody tr', { hasText: 'winter' });
    expect(await winter.innerText()).toMatch(/winter\s+1\s+1\s+100%/);
    expect(await card(page, 'Page views')).toBe(views);
    expect(Number(await card(page, 'Conversions'))).toBeGreaterThan(0);
  });

  it('reads goals for the dashboard only when they come near the screen', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await card(page, 'Page views');
    expect(asked.filter((path) => path.endsWith('/goals/summary'))).toEqual([]);
    await page.locator('#goals').scrollIntoViewIfNeeded();
    await page.locator('#goals tbody tr', { hasText: 'Became a customer' }).waitFor();
    expect(asked.filter((path) => path.endsWith('/goals/summary'))).toHaveLength(1);
    expect(await page.locator('#goals').getByRole('link', { name: 'Goal details' }).count()).toBe(
      1,
    );
  });

  it('leads to goals without a script', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Show goals' }).click();
    await page.locator('#goals tbody tr', { hasText: 'Became a customer' }).waitFor();
  });

  it('exports figures as CSV by two clicks, named by site and period', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.locator('#export-menu').getByRole('link', { name: 'CSV' }).first().click();
    expect((await download).suggestedFilename()).toMatch(
      /^shop\.example-30d-\d{4}-\d\d-\d\d-figures\.csv$/,
    );
  });

  it('finds a row in the details of a list', async () => {
    const path = 'analytics/list?site_id=shop.example&list=pages';
    const page = await browser.visit(path, { as: viewer.headers });
    await page.getByPlaceholder('Search pages').fill('PRIC');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=PRIC/);
    expect(await page.locator('#list tbody th').allTextContents()).toEqual(['/pricing']);
  });

  it('sorts the details of a list by any column, with its bars, and keeps filters', async () => {
    const path = 'analytics/list?site_id=shop.example&list=pages&filter=country:is:DE';
    const page = await browser.visit(path, { as: viewer.headers });
    const sorted = page.locator('#list th[aria-sort]');
    expect(await sorted.allTextContents()).toEqual(['Views']);
    await page.locator('#list thead').getByRole('link', { name: 'Visitors' }).click();
    await page.waitForURL(/sort=visitors/);
    expect(await sorted.allTextContents()).toEqual(['Visitors']);
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('#list .bar-fill rect')]
        .map((each) => Number(each.getAttribute('width')))`,
    );
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    await page.getByRole('link', { name: 'Remove filter: Country is Germany' }).click();
    await page.waitForURL((url) => !url.searchParams.has('filter'));
    expect(new URL(page.url()).searchParams.get('list')).toBe('pages');
  });

  it('explains invalid parameters in the URL, and shows the default figures', async () => {
    const path = 'analytics?timezone=Mars/Olympus&filter=nonsense';
    const page = await browser.visit(path, { as: admin.headers });
    expect(await page.locator('#notice').innerText()).toContain('unknown dimension');
    expect(Number(await card(page, 'Visits'))).toBeGreaterThan(0);
  });

  it('shows an event within a second', async () => {
    const page = await browser.visit('analytics/realtime', { as: viewer.headers });
    await page.getByText('Connected. New events appear here.').waitFor();
    const times: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const began = performance.now();
      await fetch(pixelUrl(`https://shop.example/live-${at}`), {
        headers: {
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
        },
      });
      await page.locator('#feed li', { hasText: `/live-${at}` }).waitFor();
      times.push(Math.round(performance.now() - began));
    }
    process.stdout.write(`console: an event was on the screen after ${times.join(', ')} ms\n`);
    expect([...times].sort((a, b) => a - b)[2]).toBeLessThan(1000);
    expect(await page.locator('#feed').innerText()).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
  });

  it('adds an annotation to the chart, deletes it, and undoes the deletion', async () => {
    const page = await browser.visit('analytics', { as: admin.headers });
    await page.getByRole('link', { name: 'Add annotation' }).click();
    await page.getByLabel('Date and time').fill(`${new Date().toISOString().slice(0, 10)}T00:30`);
    await page.getByLabel('Description').fill('New <prices>');
    await page.getByRole('button', { name: 'Create annotation' }).click();
    await page.getByText('Annotation added.').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.locator('#series .mark').waitFor({ state: 'attached' });
    expect(await page.locator('#series .flags').textContent()).toContain('New <prices>');
    const notes = await page.locator('#series tbody td:last-child').allTextContents();
    expect(notes.filter((text) => text === 'New <prices>')).toHaveLength(1);
    await page.goto(`${service.origin}${home}analytics/site/annotations?site_id=shop.example`);
    await page.getByRole('button', { name: 'Actions for New <prices>' }).click();
    await page.getByRole('button', { name: 'Delete annotation' }).click();
    await page.getByText('Annotation deleted.').waitFor();
    expect(await page.locator('#annotations tbody tr').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Annotation added.').waitFor();
    expect(await page.locator('#annotations tbody').innerText()).toContain('New <prices>');
  });

  it('explains an invalid setting, and keeps the typed values', async () => {
    const page = await browser.visit('analytics/site?site_id=shop.example', { as: admin.headers });
    await page.getByLabel('Allowed hostnames').fill('shop.example\nhttp://not a host');
    await page.getByLabel('Event retention (days)').fill('400');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.locator('.field-error, #notice .bar-note-bad').first().waitFor();
    expect(await page.locator('main').innerText()).toContain('Must be a host name');
    expect(await page.getByLabel('Allowed hostnames').inputValue()).toContain('not a host');
    await page.getByLabel('Allowed hostnames').fill('');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await page.getByLabel('Event retention (days)').inputValue()).toBe('400');
    await page.getByRole('link', { name: 'Excluded traffic' }).click();
    await page.getByLabel('Excluded countries').fill('de');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await page.getByLabel('Excluded countries').inputValue()).toBe('Germany');
    await page.getByLabel('Add a country').selectOption('Austria');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect
      .poll(() => page.getByLabel('Excluded countries').inputValue())
      .toBe('Germany\nAustria');
    expect(service.app.services.siteAdmin.getSite('shop.example').settings).toMatchObject({
      retention_days: 400,
      shields: { countries: ['DE', 'AT'] },
    });
    await page.getByLabel('Excluded countries').fill('');
    // The notice of the save before is still there.
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await reloaded;
    expect(browser.complaints().join()).toContain('422');
  });

  it('shows days in the time zone of the site', async () => {
    const page = await browser.visit('analytics/site?site_id=shop.example', { as: admin.headers });
    await page.getByLabel('Time zone').fill('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved.').waitFor();
    const json = await viewer.page('analytics/figures?site_id=shop.example&format=json');
    expect(json.body).toMatchObject({ period: { timezone: 'Asia/Tokyo' } });
    await service.app.services.siteAdmin.updateSite(
      'shop.example',
      { timezone: 'UTC' },
      { actor: { kind: 'system' } },
    );
  });

  it('creates a goal and a funnel that count past events, deletes and restores it', async () => {
    const page = await browser.visit('analytics/goals', { as: admin.headers });
    await page.getByRole('link', { name: 'Add goal' }).click();
    await page.getByLabel('Goal name').fill('Signed up');
    for (const known of ['/pricing', 'signup'])
      expect(await page.locator(`#known-steps option[value="${known}"]`).count()).toBe(1);
    await page.locator('#step-kind').selectOption('event');
    await page.locator('#step-value').fill('signup');
    await page.getByRole('button', { name: 'Create goal' }).click();
    await page.getByText('Goal created.').waitFor();
    const row = page.locator('#goals tbody tr', { hasText: 'Signed up' });
    expect(await row.innerText()).toMatch(/Signed up\s+Event signup\s+[\d.]+%.*€/s);
    await page.getByRole('link', { name: 'Add funnel' }).click();
    await page.getByLabel('Funnel name').fill('To the prices');
    expect(await page.locator('#step-value3').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Add step' }).click();
    expect(await page.locator('#step-value3').isVisible()).toBe(true);
    expect(await page.locator('#step-value4').isVisible()).toBe(false);
    for (const [at, path] of [
      [1, '/'],
      [2, '/pricing'],
    ] as const)
      await page.locator(`#step-value${at}`).fill(path);
    await page.getByRole('button', { name: 'Create funnel' }).click();
    await page.getByText('Funnel created.').waitFor();
    expect(await page.getByRole('heading', { name: 'To the prices' }).count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await takePicture(page, 'console-goals-filled');
    await page.getByRole('button', { name: 'Actions for To the prices' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Funnel deleted.').waitFor();
    expect(await page.getByRole('heading', { name: 'To the prices' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Funnel restored.').waitFor();
    expect(await page.getByRole('heading', { name: 'To the prices' }).count()).toBe(1);
  });

  it('shows figures by a share link with a password until it is revoked', async () => {
    const path = 'analytics/site/shares?site_id=shop.example';
    const page = await browser.visit(path, { as: admin.headers });
    await page.getByRole('link', { name: 'Add share link' }).click();
    await page.getByLabel('Link name').fill('The agency');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Create link' }).click();
    const url = await page.locator('pre', { hasText: '/share/' }).innerText();
    expect(await page.getByRole('link', { name: 'Open link' }).getAttribute('href')).toBe(url);
    const stranger = await browser.newPage();
    await stranger.goto(url);
    await stranger.getByLabel(/password/i).fill('wrong horse');
    await stranger.keyboard.press('Enter');
    await stranger.getByText('Wrong password.').waitFor();
    await stranger.getByLabel(/password/i).fill('correct horse');
    await stranger.keyboard.press('Enter');
    await stranger.getByText('/pricing').first().waitFor();
    await page.getByRole('link', { name: 'Back to settings' }).click();
    await page.getByRole('button', { name: 'Actions for The agency' }).click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('Share link revoked.').waitFor();
    expect((await stranger.reload())?.status()).toBe(404);
    // Of the wrong password, and of the revoked link.
    expect(browser.complaints()).toMatchObject([
      expect.stringContaining('status of 403'),
      expect.stringContaining('status of 404'),
    ]);
  });

  it('renames a goal in a drawer, and keeps what it counts', async () => {
    const body = { name: 'Paid', kind: 'event' as const, value: 'signup', filters: [] };
    const by = { actor: { kind: 'system' as const } };
    const goal = await service.app.services.goals.createGoal('shop.example', body, by);
    const page = await browser.visit('analytics/goals', { as: admin.headers });
    await page.getByRole('button', { name: 'Actions for Paid' }).click();
    await page.getByRole('link', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Paid in full');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Name saved.').waitFor();
    expect(await service.app.services.goals.listGoals('shop.example')).toContainEqual({
      ...goal,
      name: 'Paid in full',
    });
  });

  it('exports events as CSV by two clicks', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers });
    const click = countClicks();
    const download = page.waitForEvent('download');
    await click(page.getByRole('button', { name: 'Export' }));
    await click(page.locator('#export-menu').getByRole('link', { name: 'CSV' }).last());
    expect((await download).suggestedFilename()).toMatch(/^shop\.example-.*\.csv$/);
    expect((await download).suggestedFilename()).not.toContain('figures');
    expect(click.count()).toBe(2);
  });

  it('draws the figure of a tile chosen with the keyboard, and keeps the focus', async () => {
    const page = await browser.visit('analytics', { as: viewer.headers });
    await tile(page, 'Visitors').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Visits');
    await page.keyboard.press('Enter');
    await expect.poll(() => figureOf(page)).toBe('Visits');
    expect(await page.locator('.stat-tabs [aria-current]').innerText()).toContain('Visits');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Visits');
  });

  it('exports figures and events as files', async () => {
    const csv = await viewer.page('analytics/figures?site_id=shop.example&format=csv');
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
    });
    expect(csv.headers['content-disposition']).toMatch(
      /filename="shop\.example-30d-.*-figures\.csv"/,
    );
    expect(csv.text).toMatch(/\r\ncountries,DE,\d+,\d+,.*,Germany\r\n/);
    const json = await viewer.page('analytics/figures?site_id=shop.example&format=json');
    expect(json.body).toMatchObject({ site_id: 'shop.example' });
    const raw = await viewer.page(
      'analytics/export?site_id=shop.example&format=ndjson&filter=country:is:FR',
    );
    const lines = raw.text.trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ country: 'FR' });
  });

  it('shows viewers no form that changes something', async () => {
    for (const path of paths) {
      const { text } = await viewer.page(path);
      const others = /<form [^>]*action="(?!\/account\/sign-out|\/theme|[^"]*\/search)[^"]*"/g;
      const forms = text.match(others) ?? [];
      expect(
        forms.filter((form) => form.includes('method="post"')),
        path,
      ).toEqual([]);
    }
  });
});
