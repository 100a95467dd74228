import type { InjectOptions, LightMyRequestResponse, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, buildTestApp, type TestApp } from '../support/app.ts';

// The same moment for all requests, so that no answer differs by its time.
const now = Date.UTC(2026, 10, 22, 15);
let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({ clock: { now: () => now } });
});
afterAll(() => app.close());

type Method = 'GET' | 'HEAD' | 'OPTIONS';
type Headers = Record<string, string>;
interface Asked {
  url: string;
  headers: Headers;
}

const id = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Every address that GET is answered at, once, without a slash at the end. */
function addresses(): string[] {
  const routes = app.http.registeredRoutes.filter(({ method }) => [method].flat().includes('GET'));
  const pathOf = ({ url }: RouteOptions): string =>
    withoutSlash(url.replace(/:\w+/g, id).replace('*', 'x'));
  return [...new Set(routes.map(pathOf))].filter((path) => path !== '/' && path !== '');
}

const ask = (method: Method, { url, headers }: Asked): Promise<LightMyRequestResponse> =>
  app.http.inject({ method, url, headers } satisfies InjectOptions);

/** What belongs to one request and not to the address. */
const ofTheRequest = /^(?:date|x-request-id|connection|keep-alive|ratelimit.*|x-ratelimit.*)$/;
const headersOf = ({ headers }: LightMyRequestResponse): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofTheRequest.test(name))
      .map(([name, value]) => [name, String(value)]),
  );
const bodyOf = ({ body }: LightMyRequestResponse): string =>
  body.replace(/"request_id":\s*"[^"]*"/g, '"request_id":""');

/** What may differ by the slash, and why. Everything else is the same to the byte. */
const echoesOfAddress: readonly (readonly [path: RegExp, names: readonly string[], why: string])[] =
  [
    [
      /^\/api\/docs$/,
      ['content-length', 'body'],
      'the page names its files relative to its own address',
    ],
    [
      /oauth-protected-resource|^\/api\/v2\/mcp$/,
      ['content-length', 'body', 'www-authenticate'],
      'RFC 9728 §3.3: `resource` is what the client asked',
    ],
    [
      /^\/api\/docs\/|^\/account\/devices|^\/api\/svc\/console/,
      ['location'],
      'leads back to the address that was asked',
    ],
  ];
/** Where GET does something, HEAD must not: it is 405. */
const actsOnGet: readonly (readonly [path: RegExp, why: string])[] = [
  [/\/idp\/(?:start|callback)$/, 'begins, or ends, a sign-in at the provider'],
  [/\/dev\/bypass\//, 'signs in'],
  [/^\/ws\//, 'opens a socket'],
  [/^\/api\/v2\/mcp$/, 'opens the stream of a session'],
];
/** Answers of GET that say by which method they were asked for, so that HEAD has another length. */
const namesItsMethod = ({ body }: LightMyRequestResponse): boolean =>
  /"method":\s*"GET"/.test(body);

/** How two answers differ, in words. Empty: not at all. */
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
 * How each address is asked: as a program, as a browser, and by whoever may see what it is about.
 */
const clients: readonly (readonly [name: string, headers: Headers])[] = [
  ['a program', {}],
  ['a browser', browser],
  ['an admin', asAdmin],
];

async function faultsOf(
  compare: (asked: Asked) => Promise<string[]>,
): Promise<{ faults: string[]; compared: number }> {
  const faults: string[] = [];
  let compared = 0;
  for (const url of addresses()) {
    for (const [name, headers] of clients) {
      compared += 1;
      // A measured value, such as a response time, may change between the two requests: a real
      // difference stays.
      let found = await compare({ url, headers });
      for (let again = 0; found.length > 0 && again < 2; again += 1)
        found = await compare({ url, headers });
      faults.push(...found.map((fault) => `${url} for ${name}: ${fault}`));
    }
  }
  return { faults, compared };
}

describe('every address that answers GET', () => {
  it('gives the same status, headers and body with and without a slash at the end', async () => {
    const { faults, compared } = await faultsOf(async (asked) => {
      const except = echoesOfAddress.find(([path]) => path.test(asked.url))?.[1];
      return differences(
        await ask('GET', asked),
        await ask('GET', { ...asked, url: `${asked.url}/` }),
        { except },
      );
    });
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(400);
  }, 120_000);

  it('answers HEAD as GET, without a body, and does nothing by it', async () => {
    const { faults } = await faultsOf(async (asked) => {
      const [get, head] = [await ask('GET', asked), await ask('HEAD', asked)];
      const withBody = head.body === '' ? [] : ['HEAD has a body'];
      if (actsOnGet.some(([path]) => path.test(asked.url))) {
        return head.statusCode === 405 && !String(head.headers.allow).includes('HEAD')
          ? withBody
          : ['HEAD is answered although GET acts', ...withBody];
      }
      // The pixel counts nothing for HEAD, and says so.
      const except = [
        'body',
        ...(namesItsMethod(get) ? ['content-length'] : []),
        ...(asked.url.endsWith('/pixel.gif') ? ['x-svc-reason'] : []),
      ];
      return [...differences(get, head, { except }), ...withBody];
    });
    expect(faults).toEqual([]);
  }, 120_000);

  it('answers OPTIONS the same with and without a slash at the end', async () => {
    const { faults } = await faultsOf(async (asked) =>
      differences(
        await ask('OPTIONS', asked),
        await ask('OPTIONS', { ...asked, url: `${asked.url}/` }),
      ),
    );
    expect(faults).toEqual([]);
  }, 120_000);
});
