import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { unescaped } from './support.ts';

const base = 'https://svc.example';
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({
    env: { BASE_URL: base, APP_NAME: 'A & "B"', CONTACT_EMAIL: 'help@svc.example' },
  });
}, 60_000);
afterAll(() => app.close());

interface Page {
  path: string;
  url: string;
  title: string;
  description: string;
  last_modified: string | null;
  menus: string[];
  in_sitemap: boolean;
}
const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });
const pagesOf = async () => (await get('/api/v1/web/pages')).json<{ data: Page[] }>().data;
const asBrowser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };

describe('/api/v1/web', () => {
  it('says what the site is, with links that all answer', async () => {
    const site = (await get('/api/v1/web')).json<{
      links: Record<string, string | null>;
      feeds: { type: string; url: string }[];
    }>();
    expect(site).toMatchObject({
      name: 'A & "B"',
      base_url: base,
      languages: ['en'],
      contact: { email: 'help@svc.example' },
      operator: { name: 'A & "B"', address: null },
    });
    for (const url of Object.values(site.links)) {
      const answer = await get(String(url).slice(base.length), asBrowser);
      // MCP answers POST only, and asks for a credential.
      expect({ url, includes: [200, 401, 405].includes(answer.statusCode) }).toEqual({
        url,
        includes: true,
      });
    }
    for (const { type, url } of site.feeds) {
      const answer = await get(url.slice(base.length));
      expect({ url, status: answer.statusCode }).toEqual({ url, status: 200 });
      expect(answer.headers['content-type']).toContain(type.split(';')[0]);
    }
  }, 60_000);

  it.each(['/api/v1/web', '/api/v1/web/pages', '/api/v1/web/sitemap'])(
    'hostile: %s is the same for everyone and 304 while unchanged, whatever is sent',
    async (url) => {
      const first = await get(url);
      expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=600' });
      const { etag = '' } = first.headers;
      const same = await get(`${url}/?limit=-1&host=evil.example`, {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        authorization: 'Bearer wrong',
      });
      expect({ status: same.statusCode, body: same.body }).toEqual({
        status: 200,
        body: first.body,
      });
      const again = await get(url, { 'if-none-match': etag });
      expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
      for (const method of ['POST', 'DELETE'] as const)
        expect((await app.http.inject({ method, url })).statusCode).toBe(405);
    },
  );
});

describe('/api/v1/web/pages', () => {
  it('lists pages that exist, with the titles that they have', async () => {
    for (const { path, url, title } of await pagesOf()) {
      const page = await get(path, asBrowser);
      expect({ path, status: page.statusCode, url }).toEqual({
        path,
        status: 200,
        url: `${base}${path}`,
      });
      const shown = unescaped(/<title>([^<]*)<\/title>/.exec(page.body)?.[1] ?? '');
      // The title of the status page says how the service is doing.
      if (path !== '/status' && path !== '/')
        expect({ path, shown }).toEqual({ path, shown: `${title} – A & "B"` });
    }
  }, 60_000);

  it('says where they are linked, and when legal texts changed', async () => {
    const pages = new Map((await pagesOf()).map((page) => [page.path, page]));
    expect(pages.get('/status')?.menus).toEqual(['main', 'footer']);
    expect(pages.get('/login')).toMatchObject({ menus: ['account'], in_sitemap: false });
    expect(pages.get('/docs')?.menus).toEqual([]);
    expect(pages.get('/terms')?.last_modified).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(pages.get('/install')?.last_modified).toBeNull();
    const home = (await get('/', asBrowser)).body;
    for (const { path, menus } of pages.values())
      if (menus.length > 0)
        expect({ path, includes: home.includes(`href="${path}"`) }).toEqual({
          path,
          includes: true,
        });
  });
});

it('/api/v1/web/sitemap has the URLs of /web/sitemap.xml', async () => {
  const { data, total, xml } = (await get('/api/v1/web/sitemap')).json<{
    data: { loc: string }[];
    total: number;
    xml: string;
  }>();
  const text = (await get(xml.slice(base.length))).body;
  const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => unescaped(url));
  expect(data.map(({ loc }) => loc)).toEqual(urls);
  expect(total).toBe(urls.length);
});

describe('/developer/guides', () => {
  it('lists every guide by subject, as a page and as Markdown', async () => {
    const page = await get('/developer/guides', asBrowser);
    const markdown = await get('/developer/guides', { accept: 'text/markdown' });
    expect({ status: page.statusCode, 'content-type': markdown.headers['content-type'] }).toEqual({
      status: 200,
      'content-type': 'text/markdown; charset=utf-8',
    });
    expect((await get('/developer/guides.md')).body).toBe(markdown.body);
    for (const { title, guides } of app.services.library.groups()) {
      expect(markdown.body).toContain(`## ${title}`);
      for (const { slug } of guides) {
        expect(page.body).toContain(`href="/developer/guides/${slug}"`);
        expect(markdown.body).toContain(`(${base}/developer/guides/${slug}.md)`);
      }
    }
    expect(page.body).toContain(`<link rel="canonical" href="${base}/developer/guides">`);
  });

  it('hostile: does not change what guides and unknown names answer', async () => {
    expect((await get('/developer/guides/sign-in')).statusCode).toBe(200);
    expect((await get('/developer/guides/nope')).statusCode).toBe(404);
    expect((await get('/developer/guides/No%20Guide')).statusCode).toBe(422);
    expect((await get('/developer/guides/')).statusCode).toBe(200);
  });
});
