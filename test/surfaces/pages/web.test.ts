import { describe, expect, it } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { unescaped } from './support.ts';

const base = 'https://svc.example';
const app = await freshApp({
  env: { BASE_URL: base, APP_NAME: 'A & "B"', CONTACT_EMAIL: 'help@svc.example' },
});
const client = new TestClient(app);

interface Page {
  path: string;
  url: string;
  title: string;
  last_modified: string | null;
  menus: string[];
}
const pathOf = (url: string) => url.slice(base.length);
const pages = async () => (await client.get<{ data: Page[] }>('/api/v1/web/pages')).body.data;

/** Crawlers ask for pages without saying that a person does. */
const asCrawler = { accept: 'text/html' };

describe('/api/v1/web', () => {
  it('says what the site is, with links that all answer', async () => {
    const { body: site } = await client.get<{
      links: Record<string, string | null>;
      feeds: { type: string; url: string }[];
    }>('/api/v1/web');
    expect(site).toMatchObject({
      name: 'A & "B"',
      base_url: base,
      languages: ['en'],
      contact: { email: 'help@svc.example' },
      operator: { name: 'A & "B"', address: null },
    });
    // MCP answers POST only, and asks for a credential.
    for (const url of Object.values(site.links))
      expect([200, 401, 405], String(url)).toContain(
        (await client.get(pathOf(String(url)), { headers: asCrawler })).status,
      );
    for (const { type, url } of site.feeds) {
      const { status, headers } = await client.get(pathOf(url));
      expect(status, url).toBe(200);
      expect(headers['content-type']).toContain(type.split(';')[0]);
    }
  }, 60_000);

  it.each(['/api/v1/web', '/api/v1/web/pages', '/api/v1/web/sitemap'])(
    '%s is the same for everyone and 304 while unchanged, whatever is sent',
    async (url) => {
      const first = await client.get(url);
      expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=600' });
      const hostile = client.as({
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        authorization: 'Bearer wrong',
      });
      const { text } = first;
      expect(await hostile.get(`${url}/?limit=-1&host=evil.example`)).toMatchObject({
        status: 200,
        text,
      });
      const ifChanged = { 'if-none-match': String(first.headers.etag) };
      expect(await client.get(url, { headers: ifChanged })).toMatchObject({
        status: 304,
        text: '',
      });
      for (const method of ['POST', 'DELETE'] as const)
        expect((await client.send(method, url)).status).toBe(405);
    },
  );
});

describe('/api/v1/web/pages', () => {
  it('lists pages that exist, with the titles that they have', async () => {
    for (const { path, url, title } of await pages()) {
      expect(url).toBe(`${base}${path}`);
      const { status, text } = await client.get(path, { headers: asCrawler });
      expect(status, path).toBe(200);
      // The title of the status page says how the service is doing.
      if (path !== '/status' && path !== '/')
        expect(unescaped(text)).toContain(`<title>${title} – A & "B"</title>`);
    }
  }, 60_000);

  it('says where they are linked, and when legal texts changed', async () => {
    const byPath = new Map((await pages()).map((page) => [page.path, page]));
    expect(byPath.get('/status')?.menus).toEqual(['main', 'footer']);
    expect(byPath.get('/login')).toMatchObject({ menus: ['account'], in_sitemap: false });
    expect(byPath.get('/docs')?.menus).toEqual([]);
    expect(byPath.get('/terms')?.last_modified).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(byPath.get('/install')?.last_modified).toBeNull();
    const home = (await client.page('/')).text;
    for (const { path, menus } of byPath.values())
      if (menus.length > 0) expect(home).toContain(`href="${path}"`);
  });
});

it('/api/v1/web/sitemap has the URLs of /web/sitemap.xml', async () => {
  const { body } = await client.get<{ xml: string; total: number }>('/api/v1/web/sitemap');
  const { text } = await client.get(pathOf(body.xml));
  const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => unescaped(url));
  expect(body).toMatchObject({ data: urls.map((loc) => ({ loc })), total: urls.length });
});

describe('/developer/guides', () => {
  it('lists every guide by subject, as a page and as Markdown', async () => {
    const page = await client.page('/developer/guides');
    expect(page.status).toBe(200);
    const accept = { headers: { accept: 'text/markdown' } };
    const markdown = await client.get('/developer/guides', accept);
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect((await client.get('/developer/guides.md')).text).toBe(markdown.text);
    for (const { title, guides } of app.services.library.groups()) {
      expect(markdown.text).toContain(`## ${title}`);
      for (const { slug } of guides) {
        expect(page.text).toContain(`href="/developer/guides/${slug}"`);
        expect(markdown.text).toContain(`(${base}/developer/guides/${slug}.md)`);
      }
    }
    expect(page.text).toContain(`<link rel="canonical" href="${base}/developer/guides">`);
  });

  it.each([
    ['sign-in', 200],
    ['', 200],
    ['nope', 404],
    ['No%20Guide', 422],
  ])('at /%s answers %s', async (name, status) => {
    expect((await client.get(`/developer/guides/${name}`)).status).toBe(status);
  });
});
