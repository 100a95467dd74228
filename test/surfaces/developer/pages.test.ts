import { describe, expect } from 'vitest';
import { errorCatalogue } from '../../../src/platform/errors/errors.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { changelogFeed } from '../../../src/surfaces/developer/feeds.ts';
import { it } from '../../support/test.ts';
import { sourceFiles } from '../../contract/source-files.ts';
import { unescaped } from '../pages/support.ts';
import { crawl } from './crawler.ts';

const baseUrl = 'https://svc.example';
const app = await sharedApp('named');
const client = new TestClient(app);
const textOf = async (url: string) => (await client.get(url)).text;
const pageAt = async (url: string) => (await client.page(url)).text;
const html = 'text/html; charset=utf-8';

describe('a guide', () => {
  it('is a cacheable page with its chapters and this server in its examples', async () => {
    const { status, headers, text } = await client.page('/developer/guides/sign-in');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': html, vary: 'accept, accept-encoding' });
    expect(text).toContain(`${baseUrl}/api/auth/me`);
    expect(text).not.toContain('127.0.0.1:3000');
    expect(text).toContain(
      '<h2 id="get-the-current-user"><a href="#get-the-current-user">Get the current user</a></h2>',
    );
    expect(text).toContain('<a href="/developer/guides/one-time-codes">a sign-in by phone</a>');
    expect(text).toContain(
      '<link rel="alternate" type="text/markdown" href="/developer/guides/sign-in.md"',
    );
    const ifChanged = { headers: { 'if-none-match': String(headers.etag) } };
    const again = await client.page('/developer/guides/sign-in/', ifChanged);
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it('hides the instructions for its tests', async () => {
    const text = await pageAt('/developer/guides/realtime');
    expect(text).not.toContain('not run:');
    expect(text).not.toContain('answered: 426');
    expect(text).toContain('<figcaption>Response 426</figcaption>');
    expect(text).not.toMatch(/ style=|<script(?! type="module" src=)|\son\w+=/);
  });

  it.each<[accept: string, type: string]>([
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html;q=0.9', 'text/markdown'],
    ['text/html, text/markdown;q=0.5', 'text/html'],
    ['text/html,text/markdown', 'text/html'],
    ['text/markdown;q=0', 'text/html'],
    ['text/markdown;q=x', 'text/html'],
    ['*/*', 'text/html'],
    [`text/markdown${',x'.repeat(300)}`, 'text/markdown'],
  ])('for Accept: %s is %s', async (accept, type) => {
    const { headers } = await client.get('/developer/guides/sign-in', { headers: { accept } });
    expect(headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      vary: 'accept, accept-encoding',
    });
  });

  it('is Markdown at its URL with .md', async () => {
    const { headers, text } = await client.get('/developer/guides/device-security.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text).toMatch(/^# Device security\n/);
    expect(text).toContain(`${baseUrl}/`);
    expect(text).not.toContain('](../');
    const drawing = await client.get('/developer/guides/device-states.svg');
    expect(drawing.headers['content-type']).toBe('image/svg+xml');
    expect((await client.get('/developer/guides/nothing.svg')).status).toBe(404);
  });

  it('that does not exist is 404 with suggestions, as a page and as JSON', async () => {
    const program = await client.get<{ suggestions: string[] }>('/developer/guides/signin');
    expect(program).toBeProblem(404, 'request.not_found');
    expect(program.body.suggestions[0]).toBe('sign-in');
    const page = await client.page('/developer/guides/second-factors');
    expect(page).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    expect(page.text).toContain('<a href="/developer/guides/second-factor">Second factor</a>');
    const far = await client.get('/developer/guides/zzzzzzzzzz');
    expect(far.body).toMatchObject({ suggestions: [] });
    expect((await client.get('/developer/guides/zzzzzzzzzz.md')).status).toBe(404);
  });

  it.each(['Sign_in', 'a'.repeat(81), '%3Cscript%3E', 'a.b'])(
    'with the name %s is 422: in the shape of FastAPI, or as a page',
    async (slug) => {
      const program = await client.get(`/developer/guides/${slug}`);
      expect(program).toBeInvalid('path.slug');
      expect(program.body).toMatchObject({ detail: [{ type: 'string_pattern_mismatch' }] });
      const page = await client.page(`/developer/guides/${slug}`);
      expect(page).toMatchObject({ status: 422, headers: { 'content-type': html } });
      expect(page.text).not.toContain('<script>');
    },
  );
});

describe('the search', () => {
  it('works without scripts, and escapes the query', async () => {
    const text = await pageAt(`/developer/?q=${encodeURIComponent('<b>refresh token</b>')}`);
    expect(text).toContain('value="&lt;b&gt;refresh token&lt;/b&gt;"');
    expect(text).toContain('/developer/guides/sign-in#refresh-tokens');
    expect(await pageAt('/developer?q=qqqqqq')).toContain('No results for “qqqqqq”.');
    expect((await client.get(`/developer?q=${'x'.repeat(201)}`)).status).toBe(422);
    expect(await textOf('/developer?q=+')).toBe(await textOf('/developer/'));
  });
});

describe('the error catalogue', () => {
  it('lists every error code in the source, with its status and meaning', async () => {
    const text = await pageAt('/developer/errors');
    const rows = new Map(
      [
        ...text.matchAll(/<li id="([^"]+)">.*?<b>(\d{3})<\/b>[^<]*<\/span><span>([^<]*)<\/span>/g),
      ].map(([, code = '', status = '', meaning = '']) => [
        code,
        `${status} ${unescaped(meaning)}`,
      ]),
    );
    for (const { code, status, detail } of errorCatalogue())
      expect(rows.get(code), code).toBe(`${status} ${detail}`);
    const written = sourceFiles().flatMap(({ text }) =>
      [...text.matchAll(/defineErrors\(\s*'([\w-]+)',\s*\{([\s\S]*?)\n?\}\)/g)].flatMap(
        ([, area = '', table = '']) =>
          [...table.matchAll(/(?:^|[\s,{])(\w+):\s*\[\s*\d{3}/g)].map(
            ([, name = '']) => `${area}.${name}`,
          ),
      ),
    );
    expect(written.filter((code) => !rows.has(code))).toEqual([]);
    expect(rows.size).toBe(written.length + 1);
  });
});

describe('the reference', () => {
  it('has every operation of the document with samples and an anchor', async () => {
    const { body } = await client.get<{
      paths: Record<string, Record<string, { operationId: string }>>;
      tags: { name: string }[];
    }>('/api/openapi.json');
    const operations = Object.values(body.paths).flatMap((item) => Object.values(item));
    const paths = body.tags.map(({ name }) => `/developer/reference/${name}`);
    const pages = (await Promise.all(paths.map(textOf))).join('\n');
    const missing = operations.filter(({ operationId }) => !pages.includes(` id="${operationId}"`));
    expect(missing).toEqual([]);
    const otp = await textOf('/developer/reference/otp');
    expect(otp).toContain(`curl &#39;${baseUrl}/api/auth/`);
    expect(otp).toContain('<code>/auth/otp/send</code>');
    expect((await client.get('/developer/reference/nothing')).status).toBe(404);
    expect((await client.get('/developer/reference/No')).status).toBe(422);
  });
});

describe('the changelog', () => {
  const countOf = (text: string) => text.match(/class="log-entry"/g)?.length ?? 0;

  it('shows all changes, or those of a kind and an area', async () => {
    const all = app.services.library.changelog();
    const kinds = all.filter(({ kind }) => kind === 'fixed');
    const both = kinds.filter(({ area }) => area === 'Sign-in');
    expect(both.length).toBeGreaterThan(0);
    const path = '/developer/changelog';
    expect(countOf(await pageAt(path))).toBe(all.length);
    expect(countOf(await pageAt(`${path}?kind=fixed`))).toBe(kinds.length);
    expect(countOf(await pageAt(`${path}?kind=fixed&area=Sign-in`))).toBe(both.length);
    expect(await pageAt(`${path}?area=%3Cb%3E`)).toContain('No changes match this filter.');
    expect((await client.page(`${path}?kind=broken`)).status).toBe(422);
  });
});

describe('programs', () => {
  it('get a list of the guides, their full text, and the changelog as feeds', async () => {
    const llms = await textOf('/llms.txt');
    expect(llms).toMatch(/^# Acme\n\n> /);
    for (const [, address = ''] of llms.matchAll(/\]\(([^)]+)\)/g))
      expect((await client.get(new URL(address).pathname)).status, address).toBe(200);
    const whole = await textOf('/developer/llms-full.txt');
    for (const { title } of app.services.library.guides())
      expect(whole).toContain(`\n# ${title}\n`);
    const feed = '/developer/changelog/feed';
    const atom = await textOf(`${feed}.atom`);
    expect(atom).toContain('<title>Acme changelog</title>');
    expect(atom.match(/<entry>/g)).toHaveLength(app.services.library.changelog().length);
    expect((await client.get(`${feed}.json`)).body).toMatchObject({
      version: 'https://jsonfeed.org/version/1',
    });
    expect(await textOf(`${feed}.rss`)).toContain('<rss version="2.0"');
  });

  it('get titles of the changelog as plain text, and a description in RSS', async () => {
    const title = 'Filters & <b>goals</b> 🔥';
    const entry = {
      id: 'x',
      date: '2026-11-29',
      title,
      kind: 'added' as const,
      area: 'Analytics',
      html: '<p>More &amp; less</p>',
    };
    const site = { appName: 'Acme', baseUrl: 'https://svc.example' };
    const rss = await changelogFeed('rss', [entry], site);
    const escaped = 'Filters &amp; &lt;b&gt;goals&lt;/b&gt; 🔥';
    expect(rss).toContain(`<title>${escaped}</title>`);
    expect(rss).toContain(`<description><![CDATA[${entry.html}]]></description>`);
    expect(rss).toContain('>https://svc.example/developer/changelog#x</guid>');
    const atom = await changelogFeed('atom', [entry], site);
    expect(atom).toContain(`<title type="html"><![CDATA[${escaped}]]></title>`);
    expect(JSON.parse(await changelogFeed('json', [entry], site))).toMatchObject({
      items: [{ title }],
    });
  });
});

it('no developer page has dead links', async () => {
  const { pages, dead } = await crawl(app, baseUrl);
  expect(dead).toEqual([]);
  expect(pages.size).toBeGreaterThan(25);
});
