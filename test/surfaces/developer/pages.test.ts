import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../../src/platform/errors/errors.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { sourceFiles } from '../../contract/source-files.ts';
import { unescaped } from '../pages/support.ts';
import { crawl } from './crawler.ts';

const baseUrl = 'https://svc.example';
const browser = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: baseUrl } });
});
afterAll(() => app.close());
const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });

describe('a guide', () => {
  it('is a cacheable page with its chapters and this server in its examples', async () => {
    const { statusCode, headers, body } = await get('/developer/guides/sign-in', browser);
    expect({ statusCode, 'content-type': headers['content-type'], vary: headers.vary }).toEqual({
      statusCode: 200,
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept, accept-encoding',
    });
    expect(body).toContain(`${baseUrl}/api/auth/me`);
    expect(body).not.toContain('127.0.0.1:3000');
    expect(body).toContain(
      '<h2 id="get-the-current-user"><a href="#get-the-current-user">Get the current user</a></h2>',
    );
    expect(body).toContain('<a href="/developer/guides/one-time-codes">a sign-in by phone</a>');
    expect(body).toContain(
      '<link rel="alternate" type="text/markdown" href="/developer/guides/sign-in.md"',
    );
    const again = await get('/developer/guides/sign-in/', {
      ...browser,
      'if-none-match': String(headers.etag),
    });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
  });

  it('hides the instructions for its tests', async () => {
    const { body } = await get('/developer/guides/realtime', browser);
    expect(body).not.toContain('not run:');
    expect(body).not.toContain('answered: 426');
    expect(body).toContain('<figcaption>Response 426</figcaption>');
    expect(body).not.toMatch(/ style=|<script(?! type="module" src=)|\son\w+=/);
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
    const { headers } = await get('/developer/guides/sign-in', { accept });
    expect({ 'content-type': headers['content-type'], vary: headers.vary }).toEqual({
      'content-type': `${type}; charset=utf-8`,
      vary: 'accept, accept-encoding',
    });
  });

  it('is Markdown at its URL with .md', async () => {
    const { headers, body } = await get('/developer/guides/device-security.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toMatch(/^# Device security\n/);
    expect(body).toContain(`${baseUrl}/`);
    expect(body).not.toContain('](../');
    expect((await get('/developer/guides/device-states.svg')).headers['content-type']).toBe(
      'image/svg+xml',
    );
    expect((await get('/developer/guides/nothing.svg')).statusCode).toBe(404);
  });

  it('that does not exist is 404 with suggestions, as a page and as JSON', async () => {
    const program = await get('/developer/guides/signin');
    expect(program.headers['content-type']).toContain('application/problem+json');
    expect(program.json()).toMatchObject({ status: 404, code: 'request.not_found' });
    expect(program.json<{ suggestions: string[] }>().suggestions[0]).toBe('sign-in');
    const page = await get('/developer/guides/second-factors', browser);
    expect({ status: page.statusCode, 'cache-control': page.headers['cache-control'] }).toEqual({
      status: 404,
      'cache-control': 'no-store',
    });
    expect(page.body).toContain('<a href="/developer/guides/second-factor">Second factor</a>');
    expect((await get('/developer/guides/zzzzzzzzzz')).json()).toMatchObject({ suggestions: [] });
    expect((await get('/developer/guides/zzzzzzzzzz.md')).statusCode).toBe(404);
  });

  it.each(['Sign_in', 'a'.repeat(81), '%3Cscript%3E', 'a.b'])(
    'with the name %s is 422: in the shape of FastAPI, or as a page',
    async (slug) => {
      const program = await get(`/developer/guides/${slug}`);
      expect({
        status: program.statusCode,
        detail0: program.json<{ detail: unknown[] }>().detail[0],
      }).toMatchObject({
        status: 422,
        detail0: { type: 'string_pattern_mismatch', loc: ['path', 'slug'] },
      });
      const page = await get(`/developer/guides/${slug}`, browser);
      expect({ status: page.statusCode, 'content-type': page.headers['content-type'] }).toEqual({
        status: 422,
        'content-type': 'text/html; charset=utf-8',
      });
      expect(page.body).not.toContain('<script>');
    },
  );
});

describe('the search', () => {
  it('works without scripts, and escapes the query', async () => {
    const { body } = await get(
      `/developer/?q=${encodeURIComponent('<b>refresh token</b>')}`,
      browser,
    );
    expect(body).toContain('value="&lt;b&gt;refresh token&lt;/b&gt;"');
    expect(body).toContain('/developer/guides/sign-in#refresh-tokens');
    expect((await get('/developer?q=qqqqqq', browser)).body).toContain('No results for “qqqqqq”.');
    expect((await get(`/developer?q=${'x'.repeat(201)}`)).statusCode).toBe(422);
    expect((await get('/developer?q=+')).body).toBe((await get('/developer/')).body);
  });
});

describe('the error catalogue', () => {
  it('lists every error code in the source, with its status and meaning', async () => {
    const { body } = await get('/developer/errors', browser);
    const rows = new Map(
      [...body.matchAll(/<tr id="([^"]+)">.*?<td>(\d{3}) [^<]+<\/td><td>([^<]*)<\/td>/g)].map(
        ([, code = '', status, text]) => [code, [status, text]],
      ),
    );
    for (const { code, status, detail } of errorCatalogue())
      expect({
        code,
        get0: rows.get(code)?.[0],
        unescaped: unescaped(rows.get(code)?.[1] ?? ''),
      }).toEqual({ code, get0: String(status), unescaped: detail });
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
    const document = (await get('/api/openapi.json')).json<{
      paths: Record<string, Record<string, { operationId: string }>>;
      tags: { name: string }[];
    }>();
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const pages = await Promise.all(
      document.tags.map(async ({ name }) => (await get(`/developer/reference/${name}`)).body),
    );
    expect(ids.filter((id) => !pages.some((page) => page.includes(` id="${id}"`)))).toEqual([]);
    const otp = (await get('/developer/reference/otp')).body;
    expect(otp).toContain(`curl &#39;${baseUrl}/api/auth/`);
    expect(otp).toContain('<code>/auth/otp/send</code>');
    expect((await get('/developer/reference/nothing')).statusCode).toBe(404);
    expect((await get('/developer/reference/No')).statusCode).toBe(422);
  });
});

describe('programs', () => {
  it('get a list of the guides, their full text, and the changelog as feeds', async () => {
    const llms = (await get('/llms.txt')).body;
    expect(llms).toMatch(/^# Platform Service\n\n> /);
    for (const [, address = ''] of llms.matchAll(/\]\(([^)]+)\)/g))
      expect({ address, status: (await get(new URL(address).pathname)).statusCode }).toEqual({
        address,
        status: 200,
      });
    const whole = (await get('/developer/llms-full.txt')).body;
    for (const { title } of app.services.library.guides())
      expect(whole).toContain(`\n# ${title}\n`);
    const atom = (await get('/developer/changelog/feed.atom')).body;
    expect(atom).toContain('<title>Platform Service changelog</title>');
    expect(atom.match(/<entry>/g)?.length).toBe(app.services.library.changelog().length);
    expect((await get('/developer/changelog/feed.json')).json()).toMatchObject({
      version: 'https://jsonfeed.org/version/1',
    });
    expect((await get('/developer/changelog/feed.rss')).body).toContain('<rss version="2.0"');
  });
});

it('no developer page has dead links', async () => {
  const { pages, dead } = await crawl(app.http, baseUrl);
  expect(dead).toEqual([]);
  expect(pages.size).toBeGreaterThan(25);
});
