import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../../support/browser/browser.ts';
import { useService } from '../../support/browser/service.ts';
import { takePicture, viewFaults } from '../../support/browser/views.ts';
import { TestClient } from '../../support/client.ts';
import { htmlFaults } from '../../support/html-faults.ts';
import { graphClient } from './graphql-client.ts';
import { rounds } from '../../support/rounds.ts';
import { openCookie } from '../../support/sign-in.ts';

const service = useService();

const checkedTables = rounds(20, 1000);

const get = (url: string, accept = '*/*') =>
  new TestClient(service.app).get(url, { headers: { accept } });
const pageOf = (url: string) =>
  get(url, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');

describe('the pages', () => {
  it.each(['/api/graphql/', '/api/graphql/voyager/'])(
    '%s is valid HTML with resources of its own origin only and nothing inline',
    async (url) => {
      const answer = await pageOf(url);
      const { text } = answer;
      const type = { 'content-type': 'text/html; charset=utf-8' };
      expect(answer).toMatchObject({ status: 200, headers: type });
      expect((await pageOf(url.slice(0, -1))).text).toBe(text);
      expect(
        await htmlFaults(text, {
          'no-trailing-whitespace': 'off',
          'long-title': 'off',
          'doctype-style': 'off',
        }),
      ).toEqual([]);
      expect(text).not.toMatch(
        /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|(?:src|href)="https?:/,
      );
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:/);
      expect(policy.includes('wasm-unsafe-eval')).toBe(url.includes('voyager'));
      for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
        // The sprite of icons has a stable name, so that components need no manifest.
        const cached = file.startsWith('/assets/icons.svg')
          ? 'public, max-age=86400'
          : 'public, max-age=31536000, immutable';
        expect(await get(file), file).toMatchObject({
          status: 200,
          headers: { 'cache-control': cached },
        });
      }
    },
  );

  it('are not sent to clients that prefer JSON', async () => {
    const json = ['application/json', '*/*', 'application/graphql-response+json, text/html;q=0.1'];
    for (const accept of [...json, 'text/html,*/*;q=0.8'])
      expect((await get('/api/graphql/?query={hello}', accept)).body).toEqual({
        data: { hello: 'Hello, world!' },
      });
    expect((await get('/assets/graphql/nothing.js')).status).toBe(404);
    const other = await get('/assets/graphql/voyager.js?v=other');
    expect(other.headers['cache-control']).toBe('public, max-age=300');
  });

  it('describe every type of the schema', async () => {
    const { text } = await pageOf('/api/graphql/voyager/');
    interface Schema {
      __schema: { types: { name: string; fields: { name: string }[] | null }[] };
    }
    const { __schema: schema } = await graphClient(service.app).data<Schema>(
      '{ __schema { types { name fields { name } } } }',
    );
    const isBuiltIn = /^__|^(Int|Float|String|Boolean|ID)$/;
    const own = schema.types.filter(({ name }) => !isBuiltIn.test(name));
    for (const { name, fields } of own) {
      expect(text).toContain(`id="${name}"`);
      for (const field of fields ?? []) expect(text).toContain(`<code>${field.name}</code>`);
    }
  });
});

describe.skipIf(!hasBrowser)('in a real browser', () => {
  const browser = useBrowser({ at: service, expected: /^graphql-voyager: Rendering/ });

  it('GraphiQL runs queries and subscriptions, completes, and shows the schema', async () => {
    const { headers, userId } = await openCookie(service.app, 'graphiql@example.com');
    const page = await browser.open('/api/graphql/', { as: headers });
    await page.locator('.graphiql-query-editor .CodeMirror').waitFor();
    await page.getByRole('button', { name: /execute query/i }).click();
    await expect
      .poll(() => page.locator('.result-window').innerText(), { timeout: 30_000 })
      .toContain('All Systems Operational');
    await takePicture(page, 'graphiql');
    const write = (text: string) =>
      page.evaluate(
        `document.querySelector('.graphiql-query-editor ` +
          `.CodeMirror').CodeMirror.setValue(${JSON.stringify(text)})`,
      );
    await write('{ viewer { userId email } }');
    await page.getByRole('button', { name: /execute query/i }).click();
    await expect
      .poll(() => page.locator('.result-window').innerText(), { timeout: 30_000 })
      .toContain(userId);
    await page.getByRole('button', { name: /show documentation explorer/i }).click();
    await expect.poll(() => page.locator('.graphiql-plugin').innerText()).toContain('Query');
    await takePicture(page, 'graphiql-docs');
    await write('subscription { viewerChanged { __typename time } }');
    // GraphiQL parses typed text with a delay, and treats it as a query until then.
    await expect
      .poll(
        async () => {
          if (await page.getByRole('button', { name: /execute query/i }).isVisible())
            await page.getByRole('button', { name: /execute query/i }).click();
          return (await service.app.services.bus.listeners([`svc:${userId}`]))[0];
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(1);
    await service.app.services.bus.publish(`svc:${userId}`, {
      type: 'session.revoked',
      data: { session_id: null, count: 2 },
    });
    await expect
      .poll(() => page.locator('.result-window').innerText(), { timeout: 30_000 })
      .toContain('SessionsEnded');
  }, 90_000);

  it('GraphiQL shows a hint when scripts are disabled', async () => {
    const page = await browser.open('/api/graphql/', { javaScriptEnabled: false });
    expect(await page.locator('main').innerText()).toContain('the schema as tables');
  });

  it('the schema page has a graph and tables, and is accessible in each view', async () => {
    const page = await browser.open('/api/graphql/voyager/');
    expect(await page.locator('#voyager').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show the graph' }).click();
    await page.locator('#voyager svg .node').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('#voyager svg .node').count()).toBeGreaterThan(0);
    await takePicture(page, 'voyager');
    // The graph comes from a package and is not accessible; the tables have the same content. All
    // tables are built alike. With both whole, axe takes half a minute.
    await page.evaluate(`
      document.querySelector('#voyager').replaceChildren();
      [...document.querySelectorAll('.schema-types li')].slice(${checkedTables})
        .forEach((line) => line.remove());`);
    expect(await viewFaults(page, { exclude: ['#voyager'], picture: 'voyager' })).toEqual([]);
  }, 120_000);

  it('the filter leaves the types with all words in their name or description', async () => {
    const page = await browser.open('/api/graphql/voyager/');
    await page.getByLabel('Filter by name or description').fill('QrCode status');
    await expect.poll(() => page.locator('#fold-filter-count').innerText()).toMatch(/^\d+ types/);
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    expect(await heading('QrCodeStatus').isVisible()).toBe(true);
    expect(await heading('IncidentStatus').isVisible()).toBe(false);
  });

  it('the tables work without scripts', async () => {
    const page = await browser.open('/api/graphql/voyager/', { javaScriptEnabled: false });
    expect(await page.locator('#voyager').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Show the graph' }).isVisible()).toBe(false);
    expect(await page.locator('#fold-filter').isVisible()).toBe(false);
    const incident = page.locator('#Incident');
    expect(await incident.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Status and health' }).click();
    await page.locator('summary', { has: page.getByText('Incident', { exact: true }) }).click();
    expect(await incident.locator('tbody').innerText()).toContain('Newest first.');
  });
});
