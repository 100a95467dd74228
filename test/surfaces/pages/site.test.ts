import { beforeAll, describe, expect, it } from 'vitest';
import { adminKey, asAdmin, freshApp } from '../../support/app.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { listen } from '../../support/sockets.ts';
import { sourceFiles } from '../../contract/source-files.ts';
import { differences } from '../../guides/answers.ts';
import { requireCurl, runShell } from '../../guides/shell.ts';
import { codeIn, origin, titleOf, unescaped } from './support.ts';

const pagesWithCode = ['/cmyk/', '/', '/install', '/cmyk/docs/'];
const legalPages = ['/privacy', '/terms', '/data-policy'];
const pages = ['/', '/install', '/docs', ...legalPages, '/cmyk/', '/cmyk/docs/'];
const html = 'text/html; charset=utf-8';

const app = await freshApp({
  clock: { now: () => Date.UTC(2026, 10, 22, 15) },
  env: {
    APP_NAME: 'A & B',
    LEGAL_NAME: 'A <B> Ltd',
    LEGAL_ADDRESS: '1 Some Street, Somewhere',
    CONTACT_EMAIL: 'help@a-b.example',
  },
});
const client = new TestClient(app);

const textOf = async (url: string) => (await client.get(url)).text;
const attribute = (page: string, pattern: RegExp) =>
  unescaped(pattern.exec(page)?.[1] ?? '(missing)');
const descriptionOf = (page: string) =>
  attribute(page, /<meta name="description" content="([^"]*)"/);

describe('each public page', () => {
  it.each(pages)(
    '%s is the same for everyone, cacheable, and 304 while unchanged',
    async (path) => {
      const { status, headers, text } = await client.get(path);
      expect(status).toBe(200);
      const hasCode = pagesWithCode.includes(path);
      expect(headers).toMatchObject({
        'content-type': html,
        'cache-control': 'public, max-age=600',
        'content-security-policy': expect.stringMatching(
          hasCode
            ? /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'/
            : /^default-src 'none'; style-src 'self'/,
        ) as string,
      });
      expect(text.includes('<script type="module"')).toBe(hasCode);
      expect(headers).not.toHaveProperty('set-cookie');
      const otherSlash = path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/`;
      const withCookie = client.as({ cookie: 'svc_session=x' });
      expect((await withCookie.get(otherSlash)).text).toBe(text);
      const etag = String(headers.etag);
      const again = await client.get(path, { headers: { 'if-none-match': etag } });
      expect(again).toMatchObject({ status: 304, text: '' });
      const head = await client.send('HEAD', path);
      expect(head).toMatchObject({ status: 200, text: '', headers: { etag } });
    },
  );

  it.each(pages)(
    '%s has metadata and structure for search engines and screen readers',
    async (path) => {
      const text = await textOf(path);
      expect(attribute(text, /<link rel="canonical" href="([^"]*)"/)).toBe(`${origin}${path}`);
      expect(attribute(text, /<meta property="og:url" content="([^"]*)"/)).toBe(`${origin}${path}`);
      const description = descriptionOf(text);
      expect(description.length).toBeGreaterThan(50);
      expect(description.length).toBeLessThan(200);
      expect(titleOf(text)).toMatch(/ – A & B$/);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).toMatch(/<body class="site"><a class="skip" href="#content">/);
      expect(text).not.toMatch(/undefined|\[object|\sstyle=|<style|<b>|lorem/i);
      expect(text.match(/ aria-current="page"/g)?.length ?? 0).toBe(
        ['/install', ...legalPages].includes(path) ? 1 : 0,
      );
    },
  );

  it('is at most 35 KB on the wire with its files and without the font', async () => {
    const texts = await Promise.all(pages.map(textOf));
    const urls = texts.flatMap((text) => [...text.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)]);
    const files = [...new Set(urls.map(([, url = '']) => url))];
    const others = files.filter((url) => !url.endsWith('.woff2'));
    expect(files).toHaveLength(others.length + 1);
    const compressed = client.as({ 'accept-encoding': 'gzip' });
    let weight = 0;
    for (const url of others) {
      const { headers, bytes } = await compressed.get(url);
      if (!url.startsWith('/assets/icons.svg'))
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      weight += bytes.length;
    }
    for (const path of pages)
      expect(weight + (await compressed.get(path)).bytes.length, path).toBeLessThan(35 * 1024);
  });

  it('has a unique title and description', async () => {
    const texts = await Promise.all(pages.map(textOf));
    expect(new Set(texts.map(titleOf)).size).toBe(pages.length);
    expect(new Set(texts.map(descriptionOf)).size).toBe(pages.length);
  });

  it('the privacy notice names every cookie of the service, and no other', async () => {
    const set = sourceFiles()
      .filter(({ text }) => /setCookieHeader|svc_known/.test(text))
      .flatMap(({ text }) => [...text.matchAll(/'(svc_[a-z]+|theme)'/g)].map(([, name]) => name));
    const rows = (await textOf('/privacy')).matchAll(/<th scope="row"><code>(\w+)<\/code>/g);
    const named = [...rows].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.sort()).toEqual([...new Set(set)].sort());
  });

  it.each(legalPages)('%s names the configured operator', async (path) => {
    const text = await textOf(path);
    expect(text).toContain('A &lt;B&gt; Ltd, 1 Some Street, Somewhere.');
    expect(text).toContain('href="mailto:help@a-b.example"');
  });

  it('has structured data for search engines on the home page', async () => {
    const text = await textOf('/');
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    const site = { name: 'A & B', url: `${origin}/`, publisher: { name: 'A <B> Ltd' } };
    expect((JSON.parse(data) as { '@graph': object[] })['@graph'][0]).toMatchObject({
      '@type': 'WebSite',
      ...site,
    });
  });
});

/** Crawlers ask for pages without saying that a person does. */
const asCrawler = { accept: 'text/html' };

describe('for programs, the site', () => {
  it('has a price list with the limits of this server', async () => {
    const { body } = await client.get<{ plans: object[] }>('/pricing');
    expect(body).toMatchObject({ currency: 'EUR' });
    expect(body.plans).toHaveLength(1);
    expect(body.plans[0]).toMatchObject({
      id: 'self-hosted',
      price: 0,
      interval: 'month',
      limits: { sites: 1000, events_per_batch: 500, realtime_connections: 50_000 },
    });
    expect((await client.get('/pricing/')).status).toBe(200);
  });

  it('shows people the plans and the developer pages where programs get data', async () => {
    const shown = await client.page('/pricing');
    expect(shown.headers['content-type']).toContain('text/html');
    expect(shown.text).toContain('Self-hosted');
    expect(shown.headers.vary).toMatch(/accept/i);
    expect(await client.page('/docs')).toMatchObject({
      status: 302,
      headers: { location: '/developer/' },
    });
  });

  it('has a sitemap of existing pages', async () => {
    const { headers, text } = await client.get('/web/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const urls = [...text.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g)].map(([, url = '']) => url);
    expect(urls).toEqual(expect.arrayContaining(pages.map((path) => `${origin}${path}`)));
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.filter((url) => url.includes('/developer/guides/'))).toHaveLength(
      app.services.library.guides().length,
    );
    for (const url of urls) {
      const page = await client.get(url.slice(origin.length), { headers: asCrawler });
      expect(page.status, url).toBe(200);
      expect(/<link rel="canonical" href="([^"]*)"/.exec(page.text)?.[1], url).toBe(
        url.startsWith(`${origin}/status`) ? undefined : url,
      );
    }
    expect(await client.send('OPTIONS', '/web/sitemap.xml/')).toMatchObject({
      status: 200,
      headers: { allow: 'GET, HEAD, OPTIONS' },
      text: '',
    });
    expect((await client.post('/web/sitemap.xml')).status).toBe(405);
  });

  it('has robots.txt, security.txt, a manifest and an icon', async () => {
    const robots = await client.get('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(robots.text).toContain(`\nSitemap: ${origin}/web/sitemap.xml\n`);
    expect(await textOf('/.well-known/security.txt')).toBe(
      'Contact: mailto:help@a-b.example\nExpires: 2027-05-21T00:00:00.000Z\n' +
        `Preferred-Languages: en\nCanonical: ${origin}/.well-known/security.txt\n`,
    );
    const manifest = await client.get<{ icons: { src: string }[] }>('/site.webmanifest');
    expect(manifest.headers['content-type']).toMatch(/^application\/manifest\+json/);
    for (const { src } of manifest.body.icons)
      expect((await client.get(src)).headers['content-type']).toMatch(/^image\//);
    const icon = await client.get('/favicon.ico');
    expect(icon.bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });
});

describe('an unknown path', () => {
  const asBrowser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' };

  it('answers browsers with a page, and programs with a problem document', async () => {
    const page = await client.page('/nowhere');
    expect(page).toMatchObject({
      status: 404,
      headers: { 'content-type': html, 'cache-control': 'no-store' },
    });
    expect(titleOf(page.text)).toBe('Error: Page not found – A & B');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).not.toContain('rel="canonical"');
    expect(await client.as(asBrowser).send('HEAD', '/nowhere')).toMatchObject({
      status: 404,
      text: '',
      headers: { 'content-type': html },
    });
    const programs: Record<string, string>[] = [
      {},
      { accept: 'application/json' },
      { accept: '*/*' },
    ];
    for (const headers of programs)
      expect(await client.get('/nowhere', { headers })).toBeProblem(404, 'request.not_found');
  });

  it('has pages for other methods and 405 too; other errors stay JSON', async () => {
    const visitor = client.as(asBrowser);
    expect(await visitor.post('/nowhere', '{}')).toMatchObject({
      status: 404,
      headers: { 'content-type': html },
    });
    expect(await visitor.delete('/privacy')).toMatchObject({
      status: 405,
      headers: { 'content-type': html, allow: 'GET, HEAD, OPTIONS' },
    });
    expect((await visitor.get('/api/auth/sessions')).headers['content-type']).toBe(
      'application/problem+json; charset=utf-8',
    );
  });

  it('gets the same response as a hidden path', async () => {
    const seen = ({ status, headers, text }: TestResponse) => ({
      status,
      text,
      headers: { ...headers, date: '', 'x-request-id': '' },
    });
    const hidden = await client.from('203.0.113.9').page('/dev/outbox');
    expect(seen(hidden)).toEqual(seen(await client.page('/nowhere')));
  });
});

describe('the snippets of the pages', () => {
  let server = '';
  const blocksOf = async (path: string) => {
    const block = /<pre tabindex="0"><code class="language-(\w+)">([^<]*)<\/code><\/pre>/g;
    return [...(await textOf(path)).matchAll(block)].map(([, language = '', text = '']) => ({
      language,
      text: unescaped(text),
    }));
  };

  beforeAll(async () => {
    await requireCurl();
    await app.services.queues.start();
    server = `http://127.0.0.1:${await listen(app)}`;
  });

  /** Runs the code blocks of a page in order; returns the responses. */
  async function run(path: string, recipient: string): Promise<unknown[]> {
    const variables: Record<string, string> = { API_KEY: adminKey };
    const answers: unknown[] = [];
    for (const { language, text } of await blocksOf(path)) {
      if (language === 'sh' && text.startsWith('curl')) {
        if (text.includes('$CODE')) variables.CODE = await codeIn(client, recipient);
        const { text: printed, statuses } = await runShell(text, server, variables);
        expect(statuses, text).toEqual([200]);
        const answer = JSON.parse(printed) as Record<string, unknown>;
        for (const [name, value] of Object.entries(answer))
          if (typeof value === 'string') variables[name.toUpperCase()] = value;
        answers.push(answer);
      } else if (language === 'json')
        expect(differences(JSON.parse(text), answers.at(-1))).toEqual([]);
    }
    return answers;
  }

  it('of /install work as documented', async () => {
    const answers = await run('/install', 'ana@example.com');
    expect(answers).toHaveLength(5);
    expect(answers.at(-1)).toMatchObject({ email: 'ana@example.com', authenticated: true });
  });

  it('of /cmyk/docs/ sign in', async () => {
    const answers = await run('/cmyk/docs/', '+14155550132');
    expect(answers.at(-1)).toMatchObject({
      status: 'authenticated',
      user: { phone_number: '+14155550132' },
    });
  });

  it('of the home page sends an event that is counted', async () => {
    const [block] = await blocksOf('/');
    const call = (block?.text ?? '').replace('my-site', 'first-page');
    const { text } = await runShell(call, server, { API_KEY: adminKey });
    expect(JSON.parse(text)).toMatchObject({ accepted: 1 });
    await app.applied();
    const figures = await client.as(asAdmin).get('/analytics/dashboard?site_id=first-page');
    expect(figures.body).toMatchObject({ totals: { visitors: 1, events: 1 } });
  });

  it('of /install load the tracker, the pixel and the message handler', async () => {
    const blocks = (await blocksOf('/install')).filter(({ language }) => language === 'html');
    expect(blocks).toHaveLength(3);
    const sources = blocks.map(({ text }) => /src="([^"]+)"/.exec(text)?.[1] ?? '');
    const [tracker, pixel, handler] = await Promise.all(
      sources.map((url) =>
        client.as({ referer: 'https://my-site.example/about' }).get(url.slice(origin.length)),
      ),
    );
    expect(tracker?.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(pixel?.headers['content-type']).toBe('image/gif');
    expect(handler?.headers['cache-control']).toContain('immutable');
    const digest = await crypto.subtle.digest('SHA-384', handler?.bytes ?? Buffer.alloc(0));
    expect(/integrity="([^"]+)"/.exec(blocks[2]?.text ?? '')?.[1]).toBe(
      `sha384-${Buffer.from(digest).toString('base64')}`,
    );
  });
});
