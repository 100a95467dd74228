import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminKey, asAdmin, browser as userAgent } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { hasBrowser, usePage } from '../support/browser/browser.ts';
import { startPage, type Website } from '../support/website.ts';
import { useService } from '../support/browser/service.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';
import { typeErrors } from './typescript.ts';

describe.skipIf(!hasBrowser)('the guide to the script for websites', () => {
  const service = useService();
  // The guide's site is on another origin than the service.
  const page = usePage({}, () => ({ userAgent }));
  const client = () => new TestClient(service.app);
  let site: Website;
  let head = '';

  beforeAll(async () => {
    await requireCurl();
    const start = '<!doctype html><title>A page</title><link rel="icon" href="data:,">';
    site = await startPage(() => start + head);
  });
  afterAll(() => site.close());

  async function events(): Promise<string[]> {
    await service.app.applied();
    const { status, text } = await client()
      .as(asAdmin)
      .post('/analytics/export/events/', { site_id: 'my-site', format: 'ndjson' });
    const lines = status === 404 ? [] : text.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { event: string }).event);
  }

  const waitForEvents = (...names: string[]) =>
    vi.waitFor(async () => expect(await events()).toEqual(expect.arrayContaining(names)), {
      timeout: 10_000,
      interval: 100,
    });

  /** Opens a page with the markup of this block and of all blocks before it. */
  async function open(html: string): Promise<void> {
    head = `${html.replaceAll('http://127.0.0.1:3000', service.origin)}${head}`;
    if (!html.includes('svc.min.js'))
      head = head.replace(html, `${html}<script>svc('from_before')</script>`);
    await page().goto(site.origin);
    await waitForEvents(html.includes('svc.min.js') ? 'pageview' : 'from_before');
  }

  async function run(source: string): Promise<void> {
    const types = (await client().get('/svc.d.ts')).text;
    expect(await typeErrors(`${types}\n${source}\nexport {};`)).toEqual([]);
    await page().evaluate(source);
    if (source.includes('signup')) await waitForEvents('signup', 'order', 'newsletter_shown');
  }

  it('works as written from start to end', async () => {
    const reading = await follow('website-script.md', {
      origin: service.origin,
      variables: { ADMIN_API_KEY: adminKey },
      runTypeScript: run,
      runOther: { html: open },
    });
    expect(reading).toEqual({ ran: 5, compared: 1, notRun: [] });
    expect(await page().evaluate('localStorage.svc_off')).toBe('');
  }, 60_000);

  it('has types that refuse what the script does not accept', async () => {
    const types = (await client().get('/svc.d.ts')).text;
    const wrong = "svc(1); svc('x', { props: { y: {} } }); svc('x', { revenue: { amount: 1 } });";
    expect(await typeErrors(`${types}\n${wrong}\nexport {};`)).toHaveLength(3);
  });
});
