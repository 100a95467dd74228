import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, buildTestApp, type FreshApp } from '../support/app.ts';

// A fixed clock, so that no two answers differ by their time.
const now = Date.UTC(2026, 10, 22, 15);
let app: FreshApp;
beforeAll(async () => {
  app = await buildTestApp({ clock: { now: () => now } });
});
afterAll(() => app.close());

type Method = 'GET' | 'HEAD' | 'OPTIONS';
type Headers = Record<string, string>;
interface Target {
  url: string;
  headers: Headers;
}

const id = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Returns every path that answers GET, once, without a slash at the end. */
function getPaths(): string[] {
  const routes = app.http.registeredRoutes.filter(({ method }) => [method].flat().includes('GET'));
  const pathOf = ({ url }: RouteOptions): string =>
    withoutSlash(url.replace(/:\w+/g, id).replace('*', 'x'));
  return [...new Set(routes.map(pathOf))].filter((path) => path !== '/' && path !== '');
}

const ask = (method: Method, { url, headers }: Target): Promise<LightMyRequestResponse> =>
  app.http.inject({ method, url, headers } satisfies InjectOptions);

/** Headers that differ from request to request. */
const perRequestHeaders = /^(?:date|x-request-id|connection|keep-alive|ratelimit.*|x-ratelimit.*)$/;
const headersOf = ({ headers }: LightMyRequestResponse): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !perRequestHeaders.test(name))
      .map(([name, value]) => [name, String(value)]),
  );
const bodyOf = ({ body }: LightMyRequestResponse): string =>
  body.replace(/"request_id":\s*"[^"]*"/g, '"request_id":""');

/** What may differ with the slash, and why. Everything else is identical byte by byte. */
const echoesOfAddress: readonly (readonly [path: RegExp, names: readonly string[], why: string])[] =
  [
    [
      /^\/api\/docs$/,
      ['content-length', 'body'],
      'the page names its files relative to its own address',
    ],
    [/^\/contact$/, ['body'], 'the form has the time at which it was loaded'],
    [/^\/api\/v1\/contact\/challenge$/, ['body'], 'every challenge is new'],
    [
      /oauth-protected-resource|^\/api\/v2\/mcp$/,
      ['content-length', 'body', 'www-authenticate'],
      'RFC 9728 §3.3: `resource` is the URL that the client requested',
    ],
    [
      /^\/api\/docs\/|^\/account\/devices|^\/api\/svc\/console/,
      ['location'],
      'leads back to the requested path',
    ],
  ];
/** Where GET has an effect, HEAD must not have it: it is 405. */
const actsOnGet: readonly (readonly [path: RegExp, why: string])[] = [
  [/\/idp\/(?:start|callback)$/, 'begins, or ends, a sign-in at the provider'],
  [/\/dev\/bypass\//, 'signs in'],
  [/^\/ws\//, 'opens a socket'],
  [/^\/api\/v2\/mcp$/, 'opens the stream of a session'],
];
/** True when the answer to GET contains the request's method: HEAD has another length. */
const namesItsMethod = ({ body }: LightMyRequestResponse): boolean =>
  /"method":\s*"GET"/.test(body);

/** Describes how two answers differ. Returns an empty list when they do not. */
function differences(
  one: LightMyRequestResponse,
  other: LightMyRequestResponse,
  { except = [] }: { except?: readonly string[] | undefined } = {},
): string[] {
  const [left, right] = [headersOf(one), headersOf(other)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => left[name] !== right[name] && !except.includes(name),
  );
  return [
    ...(one.statusCode === other.statusCode
      ? []
      : [`status ${one.statusCode} and ${other.statusCode}`]),
    ...names.map((name) => `${name}: ${left[name] ?? 'nothing'} and ${right[name] ?? 'nothing'}`),
    ...(except.includes('body') || bodyOf(one) === bodyOf(other)
      ? []
      : [`bodies ${bodyOf(one).slice(0, 200)} and ${bodyOf(other).slice(0, 200)}`]),
  ];
}

/**
 * The clients that request each path.
 */
const clients: readonly (readonly [name: string, headers: Headers])[] = [
  ['a program', {}],
  ['a browser', browser],
  ['an admin', asAdmin],
];

async function faultsOf(
  compare: (target: Target) => Promise<string[]>,
): Promise<{ faults: string[]; compared: number }> {
  const faults: string[] = [];
  let compared = 0;
  for (const url of getPaths()) {
    for (const [name, headers] of clients) {
      compared += 1;
      // A measured value, such as a response time, may change between the two requests. A real
      // difference remains after retries.
      let found = await compare({ url, headers });
      for (let retry = 0; found.length > 0 && retry < 2; retry += 1)
        found = await compare({ url, headers });
      faults.push(...found.map((fault) => `${url} for ${name}: ${fault}`));
    }
  }
  return { faults, compared };
}

describe('every path that answers GET', () => {
  it('gives the same status, headers and body with and without a slash at the end', async () => {
    const { faults, compared } = await faultsOf(async (target) => {
      const except = echoesOfAddress.find(([path]) => path.test(target.url))?.[1];
      return differences(
        await ask('GET', target),
        await ask('GET', { ...target, url: `${target.url}/` }),
        { except },
      );
    });
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(400);
  }, 120_000);

  it('answers HEAD as GET, without a body, or 405 where GET has an effect', async () => {
    const { faults } = await faultsOf(async (target) => {
      const [get, head] = [await ask('GET', target), await ask('HEAD', target)];
      const withBody = head.body === '' ? [] : ['HEAD has a body'];
      if (actsOnGet.some(([path]) => path.test(target.url))) {
        return head.statusCode === 405 && !String(head.headers.allow).includes('HEAD')
          ? withBody
          : ['HEAD is answered although GET acts', ...withBody];
      }
      // The pixel counts no event for HEAD, and names the reason in this header.
      const except = [
        'body',
        // A file that is sent in pieces: HEAD has no pieces (RFC 9112 §6.1).
        'transfer-encoding',
        ...(namesItsMethod(get) ? ['content-length'] : []),
        ...(target.url.endsWith('/pixel.gif') ? ['x-svc-reason'] : []),
      ];
      return [...differences(get, head, { except }), ...withBody];
    });
    expect(faults).toEqual([]);
  }, 120_000);

  it('answers OPTIONS the same with and without a slash at the end', async () => {
    const { faults } = await faultsOf(async (target) =>
      differences(
        await ask('OPTIONS', target),
        await ask('OPTIONS', { ...target, url: `${target.url}/` }),
      ),
    );
    expect(faults).toEqual([]);
  }, 120_000);
});
