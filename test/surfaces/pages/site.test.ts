import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { codeFor } from '../../support/sign-in.ts';
import { sourceFiles } from '../../contract/source-files.ts';
import { differences } from '../../guides/answers.ts';
import { requireCurl, runShell } from '../../guides/shell.ts';
import { origin, titleOf, unescaped } from './support.ts';

const now = Date.UTC(2026, 10, 22, 15);
const asBrowser = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
};
const pagesWithCode = ['/', '/install', '/cmyk/docs/'];
const pages = [
  '/',
  '/install',
  '/docs',
  '/privacy',
  '/terms',
  '/data-policy',
  '/cmyk/',
  '/cmyk/docs/',
];

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({
    clock: { now: () => now },
    env: {
      APP_NAME: 'A & B',
      LEGAL_NAME: 'A <B> Ltd',
      LEGAL_ADDRESS: '1 Some Street, Somewhere',
      CONTACT_EMAIL: 'help@a-b.example',
    },
  });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });
const attribute = (page: string, pattern: RegExp) =>
  unescaped(pattern.exec(page)?.[1] ?? '(missing)');

describe('each public page', () => {
  it.each(pages)(
    '%s is the same for everyone, cacheable, and 304 while unchanged',
    async (path) => {
      const first = await get(path);
      expect(first.statusCode).toBe(200);
      expect(first.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=600',
        'content-security-policy': expect.stringMatching(
          pagesWithCode.includes(path)
            ? /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'/
            : /^default-src 'none'; style-src 'self'/,
        ) as string,
      });
      expect(first.body.includes('<script type="module"')).toBe(pagesWithCode.includes(path));
      expect(first.headers).not.toHaveProperty('set-cookie');
      expect(
        (
          await get(path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/`, {
            cookie: 'svc_session=x',
          })
        ).body,
      ).toBe(first.body);
      const again = await get(path, { 'if-none-match': String(first.headers.etag) });
      expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
      const head = await app.http.inject({ method: 'HEAD', url: path });
      expect({ status: head.statusCode, body: head.body, etag: head.headers.etag }).toEqual({
        status: 200,
        body: '',
        etag: first.headers.etag,
      });
    },
  );

  it.each(pages)(
    '%s has metadata and structure for search engines and screen readers',
    async (path) => {
      const { body } = await get(path);
      expect(attribute(body, /<link rel="canonical" href="([^"]*)"/)).toBe(`${origin}${path}`);
      expect(attribute(body, /<meta property="og:url" content="([^"]*)"/)).toBe(`${origin}${path}`);
      const description = attribute(body, /<meta name="description" content="([^"]*)"/);
      expect(description.length).toBeGreaterThan(50);
      expect(description.length).toBeLessThan(200);
      expect(titleOf(body)).toMatch(/ – A & B$/);
      expect(body.match(/<h1/g)).toHaveLength(1);
      expect(body).toMatch(/<body class="site"><a class="skip" href="#content">/);
      expect(body).not.toMatch(/undefined|\[object|\sstyle=|<style|<b>|lorem/i);
      expect(body.match(/ aria-current="page"/g)?.length ?? 0).toBe(
        ['/install', '/privacy', '/terms', '/data-policy'].includes(path) ? 1 : 0,
      );
    },
  );

  it('is at most 35 KB on the wire with its files and without the font', async () => {
    const wire = async (url: string) => get(url, { 'accept-encoding': 'gzip' });
    const bodies = await Promise.all(pages.map(async (path) => (await get(path)).body));
    const urls = bodies.flatMap((body) => [...body.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)]);
    const files = [...new Set(urls.map(([, url = '']) => url))];
    const [fonts, others] = [
      files.filter((url) => url.endsWith('.woff2')),
      files.filter((url) => !url.endsWith('.woff2')),
    ];
    expect(fonts).toHaveLength(1);
    const answers = await Promise.all(others.map(wire));
    const kept = answers.filter((_, at) => others[at]?.startsWith('/assets/icons.svg') === false);
    for (const { headers } of kept)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const weight = answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
    for (const path of pages)
      expect(weight + (await wire(path)).rawPayload.length, path).toBeLessThan(35 * 1024);
  });

  it('has a unique title and description', async () => {
    const bodies = await Promise.all(pages.map(async (path) => (await get(path)).body));
    expect(new Set(bodies.map(titleOf)).size).toBe(pages.length);
    const descriptions = bodies.map((body) =>
      attribute(body, /<meta name="description" content="([^"]*)"/),
    );
    expect(new Set(descriptions).size).toBe(pages.length);
  });

  it('the privacy notice names every cookie of the service, and no other', async () => {
    const set = sourceFiles()
      .filter(({ text }) => /setCookieHeader|svc_known/.test(text))
      .flatMap(({ text }) => [...text.matchAll(/'(svc_[a-z]+|theme)'/g)].map(([, name]) => name));
    const { body } = await get('/privacy');
    const named = [...body.matchAll(/<th scope="row"><code>(\w+)<\/code>/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.sort()).toEqual([...new Set(set)].sort());
  });

  it('names the configured operator', async () => {
    for (const path of ['/privacy', '/terms', '/data-policy']) {
      const { body } = await get(path);
      expect(body).toContain('A &lt;B&gt; Ltd, 1 Some Street, Somewhere.');
      expect(body).toContain('href="mailto:help@a-b.example"');
    }
  });

  it('has structured data for search engines on the home page', async () => {
    const data = JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec((await get('/')).body)?.[1] ?? '',
    ) as { '@graph': { name: string; publisher?: { name: string } }[] };
    expect(data['@graph'][0]).toMatchObject({
      '@type': 'WebSite',
      name: 'A & B',
      url: `${origin}/`,
      publisher: { name: 'A <B> Ltd' },
    });
  });
});

describe('for programs, the site', () => {
  it('has a price list with the limits of this server', async () => {
    const { plans, currency } = (await get('/pricing')).json<{
      currency: string;
      plans: { id: string; price: number; limits: Record<string, number> }[];
    }>();
    expect(currency).toBe('EUR');
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatchObject({
      id: 'self-hosted',
      price: 0,
      interval: 'month',
      limits: { sites: 1000, events_per_batch: 500, realtime_connections: 50_000 },
    });
    expect((await get('/pricing/')).statusCode).toBe(200);
  });

  it('has a sitemap of existing pages', async () => {
    const answer = await get('/web/sitemap.xml');
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
    const urls = [...answer.body.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g)].map(
      ([, url = '']) => url,
    );
    expect(urls).toEqual(expect.arrayContaining(pages.map((path) => `${origin}${path}`)));
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.filter((url) => url.includes('/developer/guides/'))).toHaveLength(
      app.services.library.guides().length,
    );
    for (const url of urls) {
      const { statusCode, body } = await get(url.slice(origin.length));
      expect({ url, statusCode }).toEqual({ url, statusCode: 200 });
      expect({ url, match1: /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1] }).toEqual({
        url,
        match1: url.startsWith(`${origin}/status`) ? undefined : url,
      });
    }
    const options = await app.http.inject({ method: 'OPTIONS', url: '/web/sitemap.xml/' });
    expect({
      status: options.statusCode,
      allow: options.headers.allow,
      body: options.body,
    }).toEqual({ status: 200, allow: 'GET, HEAD, OPTIONS', body: '' });
    expect((await app.http.inject({ method: 'POST', url: '/web/sitemap.xml' })).statusCode).toBe(
      405,
    );
  });

  it('has robots.txt, security.txt, a manifest and an icon', async () => {
    const robots = await get('/robots.txt');
    expect({ 'content-type': robots.headers['content-type'], body: robots.body }).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      body: expect.stringContaining(`\nSitemap: ${origin}/web/sitemap.xml\n`) as string,
    });
    expect((await get('/.well-known/security.txt')).body).toBe(
      'Contact: mailto:help@a-b.example\nExpires: 2027-05-21T00:00:00.000Z\n' +
        `Preferred-Languages: en\nCanonical: ${origin}/.well-known/security.txt\n`,
    );
    const manifest = await get('/site.webmanifest');
    expect(manifest.headers['content-type']).toMatch(/^application\/manifest\+json/);
    for (const { src } of manifest.json<{ icons: { src: string }[] }>().icons)
      expect((await get(src)).headers['content-type']).toMatch(/^image\//);
    expect((await get('/favicon.ico')).rawPayload.subarray(0, 4)).toEqual(
      Buffer.from([0, 0, 1, 0]),
    );
  });
});

describe('an unknown path', () => {
  it('answers browsers with a page, and programs with a problem document', async () => {
    const page = await get('/nowhere', asBrowser);
    expect({
      status: page.statusCode,
      'content-type': page.headers['content-type'],
      'cache-control': page.headers['cache-control'],
    }).toEqual({
      status: 404,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(titleOf(page.body)).toBe('Error: Page not found – A & B');
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    expect(page.body).not.toContain('rel="canonical"');
    const head = await app.http.inject({ method: 'HEAD', url: '/nowhere', headers: asBrowser });
    expect({
      status: head.statusCode,
      body: head.body,
      'content-type': head.headers['content-type'],
    }).toEqual({ status: 404, body: '', 'content-type': 'text/html; charset=utf-8' });
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const problem = await get('/nowhere', headers);
      expect({
        status: problem.statusCode,
        'content-type': problem.headers['content-type'],
        code: problem.json<{ code: string }>().code,
      }).toEqual({
        status: 404,
        'content-type': 'application/problem+json; charset=utf-8',
        code: 'request.not_found',
      });
    }
  });

  it('has pages for other methods and 405 too; other errors stay JSON', async () => {
    const post = await app.http.inject({
      method: 'POST',
      url: '/nowhere',
      headers: asBrowser,
      payload: '{}',
    });
    expect({ status: post.statusCode, 'content-type': post.headers['content-type'] }).toEqual({
      status: 404,
      'content-type': 'text/html; charset=utf-8',
    });
    const wrong = await app.http.inject({ method: 'DELETE', url: '/privacy', headers: asBrowser });
    expect({
      status: wrong.statusCode,
      'content-type': wrong.headers['content-type'],
      allow: wrong.headers.allow,
    }).toEqual({
      status: 405,
      'content-type': 'text/html; charset=utf-8',
      allow: 'GET, HEAD, OPTIONS',
    });
    expect((await get('/api/auth/sessions', asBrowser)).headers['content-type']).toBe(
      'application/problem+json; charset=utf-8',
    );
  });

  it('gets the same response as a hidden path', async () => {
    const [hidden, unknown] = [
      await app.http.inject({
        url: '/dev/outbox',
        headers: asBrowser,
        remoteAddress: '203.0.113.9',
      }),
      await get('/nowhere', asBrowser),
    ];
    const seen = ({ statusCode, headers, body }: typeof hidden) => ({
      statusCode,
      body,
      headers: { ...headers, date: '', 'x-request-id': '' },
    });
    expect(seen(hidden)).toEqual(seen(unknown));
  });
});

describe('the snippets of the pages', () => {
  let server = '';
  const blocksOf = (page: string) =>
    [
      ...page.matchAll(/<pre tabindex="0"><code class="language-(\w+)">([^<]*)<\/code><\/pre>/g),
    ].map(([, language = '', text = '']) => ({ language, text: unescaped(text) }));

  beforeAll(async () => {
    await requireCurl();
    await app.services.queues.start();
    await app.http.listen({ host: '127.0.0.1', port: 0 });
    server = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  });

  /** Runs the code blocks of a page in order; returns the responses. */
  async function run(path: string, recipient: string): Promise<unknown[]> {
    const variables: Record<string, string> = {};
    const answers: unknown[] = [];
    for (const { language, text } of blocksOf((await get(path)).body)) {
      if (language === 'sh' && text.startsWith('curl')) {
        if (text.includes('$CODE')) variables.CODE = await codeFor(app, recipient, { after: 0 });
        const { text: printed, statuses } = await runShell(text, server, variables);
        expect({ text, statuses }).toEqual({ text, statuses: [200] });
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
    const figures = async () =>
      (
        await app.http.inject({
          url: '/analytics/dashboard?site_id=first-page',
          headers: asAdmin,
        })
      ).json<{ totals: object }>().totals;
    const [block] = blocksOf((await get('/')).body);
    const { text } = await runShell(
      (block?.text ?? '').replace('my-site', 'first-page'),
      server,
      {},
    );
    expect(JSON.parse(text)).toMatchObject({ accepted: 1 });
    await app.applied();
    expect(await figures()).toMatchObject({ visitors: 1, events: 1 });
  });

  it('reference the tracker, the pixel and the message handler', async () => {
    const markup = blocksOf((await get('/install')).body)
      .filter(({ language }) => language === 'html')
      .map(({ text }) => text);
    expect(markup).toHaveLength(3);
    const [counting, pixel] = markup.map((each) => /src="([^"]+)"/.exec(each)?.[1] ?? '') as [
      string,
      string,
    ];
    expect((await get(counting.slice(origin.length))).headers['content-type']).toBe(
      'text/javascript; charset=utf-8',
    );
    expect(
      (await get(pixel.slice(origin.length), { referer: 'https://my-site.example/about' })).headers[
        'content-type'
      ],
    ).toBe('image/gif');
    const [, script = '', integrity] =
      /src="([^"]+)"\s+integrity="([^"]+)"/.exec(markup[2] ?? '') ?? [];
    const answer = await get(script.slice(origin.length));
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(integrity).toBe(
      `sha384-${Buffer.from(await crypto.subtle.digest('SHA-384', answer.rawPayload)).toString(
        'base64',
      )}`,
    );
  });
});
