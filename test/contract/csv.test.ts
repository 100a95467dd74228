import { parse } from 'csv-parse/sync';
import { describe, expect } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient, type TestResponse } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { send } from '../surfaces/console/events.ts';
import { personOf } from '../surfaces/console/pages.ts';
import { sourceFiles } from './source-files.ts';

const formula = '=HYPERLINK("https://evil.example","x")';
const site = '=1+1';
const zones = '/api/v1/deliverability/zones';

const app = await sharedApp('console');
const client = new TestClient(app).as(asAdmin);
const admin = await personOf(app, '=ada@example.com', ['admin']);
const event = {
  site_id: site,
  url: 'https://shop.example/?utm_campaign=%3Dc&utm_source=%40s',
  title: formula,
  user_id: '+1',
  tag: '-tag',
  referrer: 'https://shop.example/',
  language: 'de',
  visitor_id: '00000000000000aa',
  revenue: { amount: '-5.5000', currency: 'EUR' },
  props: { '=p': '=v' },
};
await send(app, [
  { ...event, event: 'pageview' },
  { ...event, event: '=event' },
]);
const zone = { name: 'zone', country: 'GB', priority: -3, codes: ['SW1A 1AA'] };
expect(await client.post(`${zones}/bulk`, { zones: [zone] })).toMatchObject({ status: 200 });
// The API refuses such a name today, but an old row may have one.
await app.stores.db.updateTable('delivery_zones').set({ name: '=zone' }).execute();

const query = `site_id=${encodeURIComponent(site)}&format=csv`;
const exportEvents = (options = {}) =>
  client.post('/analytics/export/events', { site_id: site, format: 'csv', ...options });

/** Every request for a CSV file. Each file has texts in it that an outsider could have written. */
const files: [name: string, ask: () => Promise<TestResponse>, contains: string][] = [
  ['the export of events', exportEvents, formula],
  ['events of the console', () => admin.page(`analytics/export?${query}`), formula],
  ['figures of the console', () => admin.page(`analytics/figures?${query}`), '=event'],
  ['people of the console', () => admin.page('users?format=csv'), '=ada@example.com'],
  ['the audit log of the console', () => admin.page('audit?format=csv'), 'session.'],
  ['delivery zones', () => client.get(`${zones}/export`), '=zone'],
];

describe('CSV files', () => {
  it.each(files)(
    '%s: no cell starts like a formula, unless it is a negative number',
    async (_name, ask, contains) => {
      const response = await ask();
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toContain('text/csv');
      const cells = parse(response.text, { relax_column_count: false }).flat();
      expect(cells.some((cell) => cell.includes(contains))).toBe(true);
      expect(
        cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell)),
      ).toEqual([]);
    },
  );

  it('leave negative numbers unescaped', async () => {
    const events = await exportEvents({ columns: ['revenue_amount', 'title'] });
    expect(parse(events.text)[1]?.slice(1)).toEqual(['-5.5000', `'${formula}`]);
    const { text } = await client.get(`${zones}/export`);
    expect(parse(text)[1]?.slice(0, 3)).toEqual(["'=zone", 'GB', '-3']);
  });

  it('come from known modules, with the quoting of cells in one function', () => {
    const writers = sourceFiles().filter(({ text }) => /['"`]text\/csv/.test(text));
    expect(writers.map(({ path }) => path)).toEqual([
      'areas/analytics/figures/exports.ts',
      'areas/analytics/figures/schemas.export.ts',
      'areas/deliverability/zones/operations.ts',
      'areas/qr/batches/operations.ts',
      'platform/resource/list-file.ts',
      'platform/resource/operations.files.ts',
      'surfaces/console/analytics/dashboard/routes.files.ts',
    ]);
    const quoting = sourceFiles().filter(({ text }) => text.includes(`replaceAll('"', '""')`));
    expect(quoting.map(({ path }) => path)).toEqual(['lib/text/csv.ts']);
  });
});
