import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, buildTestApp, type FreshApp } from '../support/app.ts';

let app: FreshApp;
beforeAll(async () => {
  app = await buildTestApp({ env: { RATE_LIMIT: 'on' } });
});
afterAll(() => app.close());

const asBrowser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
let sent = 0;
/** Sends each request from another IP address, so that none meets a rate limit by chance. */
const ask = (options: InjectOptions): Promise<LightMyRequestResponse> => {
  sent += 1;
  return app.http.inject({
    remoteAddress: `198.51.${Math.floor(sent / 250) % 250}.${sent % 250}`,
    ...options,
  });
};
const typeOf = ({ headers }: LightMyRequestResponse): string =>
  String(headers['content-type'] ?? '').replace(/;.*/, '');
const varyOf = ({ headers }: LightMyRequestResponse): string[] =>
  (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
const pathOf = ({ url }: RouteOptions): string =>
  url.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000').replace('*', 'x');
const methodsOf = ({ method }: RouteOptions): string[] => [method].flat();

describe('a browser request that no route accepts', () => {
  it('gets a 405 page with Allow where a program gets a problem document', async () => {
    const faults: string[] = [];
    const paths = new Map(
      app.http.registeredRoutes.map((route) => [
        pathOf(route),
        app.http.registeredRoutes.filter((other) => other.url === route.url),
      ]),
    );
    let refused = 0;
    for (const [url, routes] of paths) {
      const answered = routes.flatMap(methodsOf);
      // Two methods without a route are enough. GET comes first, as people try it.
      for (const method of methods.filter((each) => !answered.includes(each)).slice(0, 2)) {
        const program = await ask({ method, url });
        if (program.statusCode !== 405 || program.headers['x-request-id'] === undefined) continue;
        // MCP answers the methods of its standard itself, when they are called without a session.
        if (typeOf(program) !== 'application/problem+json') continue;
        refused += 1;
        const browser = await ask({ method, url, headers: asBrowser });
        const isPage =
          browser.statusCode === 405 &&
          typeOf(browser) === 'text/html' &&
          browser.headers.allow === program.headers.allow;
        if (!isPage || program.headers.allow === undefined)
          faults.push(
            `${method} ${url}: ${browser.statusCode} ${typeOf(browser)} ` +
              (browser.headers.allow ?? 'no Allow'),
          );
        for (const answer of [program, browser])
          if (!varyOf(answer).includes('accept'))
            faults.push(`${method} ${url}: Vary is ${answer.headers.vary ?? 'not there'}`);
      }
    }
    expect(faults).toEqual([]);
    expect(refused).toBeGreaterThan(300);
  }, 60_000);

  it("gets the site's layout and a link to the start page, not framed, not cached", async () => {
    for (const [method, url, status] of [
      ['GET', '/api/auth/logout', 405],
      ['POST', '/privacy', 405],
      ['GET', '/nowhere', 404],
      ['POST', '/nowhere', 404],
    ] as const) {
      const { statusCode, headers, body } = await ask({ method, url, headers: asBrowser });
      expect([method, url, statusCode, typeOf({ headers } as LightMyRequestResponse)]).toEqual([
        method,
        url,
        status,
        'text/html',
      ]);
      expect(body).toContain('<a class="brand" href="/">');
      expect(body).toMatch(/<a [^>]*href="\/"[^>]*>(?:Go to the home page|Home)<\/a>/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});

describe('a browser that meets an error on a page', () => {
  const pages = () =>
    app.http.registeredRoutes.filter(({ config }) => config?.errorPages !== undefined);
  const form = {
    ...asBrowser,
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'http://127.0.0.1:3000',
  };

  it.each([
    ['a body that is too large', 413, { payload: `a=${'x'.repeat(600_000)}`, headers: form }],
    [
      'a body of another content type',
      415,
      { payload: '<a/>', headers: { ...form, 'content-type': 'application/xml' } },
    ],
    ['a form with unknown fields', 422, { payload: `__=${'y'.repeat(10)}`, headers: form }],
    [
      'a body that is shorter than it says',
      400,
      { payload: 'a=1', headers: { ...form, 'content-length': '4' } },
    ],
  ])('gets a page for %s: %i', async (_what, status, sent) => {
    const found = new Set<string>();
    const faults: string[] = [];
    for (const route of pages().filter((each) => methodsOf(each).includes('POST'))) {
      const answer = await ask({ method: 'POST', url: pathOf(route), ...sent });
      if (answer.statusCode === status) found.add(route.url);
      if (answer.statusCode >= 400 && typeOf(answer) !== 'text/html')
        faults.push(`${route.url}: ${answer.statusCode} ${typeOf(answer)}`);
    }
    expect(faults).toEqual([]);
    expect(found.size).toBeGreaterThan(3);
  });

  it('gets a page with Retry-After when it is rate limited: 429', async () => {
    let answer: LightMyRequestResponse | undefined;
    for (let tries = 0; tries < 12; tries += 1) {
      answer = await ask({
        method: 'POST',
        url: '/signup',
        payload: 'email=x',
        headers: form,
        remoteAddress: '203.0.113.9',
      });
    }
    expect(
      answer && [answer.statusCode, typeOf(answer), Number(answer.headers['retry-after']) > 0],
    ).toEqual([429, 'text/html', true]);
  });
});

describe('an answer whose form depends on a request header', () => {
  const variants: Record<string, string>[] = [
    {},
    { accept: 'text/html' },
    { accept: 'text/markdown' },
    { accept: 'application/health+json' },
    { accept: 'application/graphql-response+json' },
    { accept: 'application/xml' },
    { 'sec-fetch-mode': 'navigate' },
  ];
  const formOf = (answer: LightMyRequestResponse): string =>
    `${answer.statusCode} ${typeOf(answer)} ${answer.headers.location ?? ''}`;

  function faultsOf(name: string, answers: readonly LightMyRequestResponse[]): string[] {
    const [plain] = answers;
    if (plain === undefined) return [];
    return variants.flatMap((headers, at) => {
      const answer = answers[at];
      const [header = ''] = Object.keys(headers);
      if (answer === undefined || formOf(answer) === formOf(plain)) return [];
      return [plain, answer]
        .filter((each) => !varyOf(each).includes(header))
        .map(
          (each) =>
            `${name}: ${formOf(each)} depends on ${header}, ` +
            `Vary is ${each.headers.vary ?? 'not there'}`,
        );
    });
  }

  /** The refusal of a request without a credential also has two forms. */
  async function refusalsOf(route: RouteOptions): Promise<string[]> {
    const answers: LightMyRequestResponse[] = [];
    for (const headers of variants.slice(0, 2))
      answers.push(await ask({ method: 'GET', url: pathOf(route), headers }));
    return faultsOf(`GET ${route.url} without a credential`, answers);
  }

  it('names that header in Vary, in each of its forms, on every GET route', async () => {
    const faults: string[] = [];
    for (const route of app.http.registeredRoutes.filter((each) =>
      methodsOf(each).includes('GET'),
    )) {
      const open = await ask({ method: 'GET', url: pathOf(route) });
      const credential = open.statusCode === 401 ? asAdmin : {};
      const answers: LightMyRequestResponse[] = [];
      for (const headers of variants)
        answers.push(
          await ask({ method: 'GET', url: pathOf(route), headers: { ...credential, ...headers } }),
        );
      faults.push(
        ...faultsOf(`GET ${route.url}`, answers),
        ...(open.statusCode === 401 ? await refusalsOf(route) : []),
      );
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('names that header in Vary for every POST of a form', async () => {
    const faults: string[] = [];
    for (const route of app.http.registeredRoutes.filter((each) =>
      methodsOf(each).includes('POST'),
    )) {
      const answers: LightMyRequestResponse[] = [];
      for (const headers of variants)
        answers.push(
          await ask({
            method: 'POST',
            url: pathOf(route),
            payload: 'a=1',
            headers: {
              ...asAdmin,
              ...headers,
              'content-type': 'application/x-www-form-urlencoded',
            },
          }),
        );
      faults.push(...faultsOf(`POST ${route.url}`, answers));
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
