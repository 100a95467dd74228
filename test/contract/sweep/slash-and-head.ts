import { asAdmin } from '../../support/app.ts';
import { methodsOf, type Method, pathsOf } from './routes.ts';
import type { Answer, Findings, Headers, Sweep } from './sweep.ts';

/** Who requests each path. */
const clients: readonly (readonly [name: string, headers: Headers])[] = [
  ['a program', {}],
  ['a browser', { accept: 'text/html', 'sec-fetch-mode': 'navigate' }],
  ['an admin', asAdmin],
];

/** Headers that differ from request to request. */
const perRequest = /^(?:date|x-request-id|connection|keep-alive|ratelimit.*|x-ratelimit.*)$/;

/** Members whose values the service measures while it answers, by path. */
const measured: readonly (readonly [path: RegExp, members: readonly string[], why: string])[] = [
  [/^\/api\/health$/, ['observedValue'], 'memory in use, and times of the stores'],
  [/^\/analytics\/dashboard$/, ['dropped'], 'counts the events that the sweep itself sends'],
];

/** What may differ with the slash, and why. Everything else is identical byte by byte. */
const echoesOfAddress: readonly (readonly [path: RegExp, names: readonly string[], why: string])[] =
  [
    [
      /^\/api\/docs$/,
      ['content-length', 'body'],
      'the page names its files relative to its own address',
    ],
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
const namesItsMethod = ({ body }: Answer): boolean => /"method":\s*"GET"/.test(body);

const measuredAt = (path: string): string[] =>
  measured.flatMap(([pattern, members]) => (pattern.test(path) ? members : []));

/** Replaces the values of these members, which are numbers, strings or flat objects. */
const withoutValues = (body: string, members: readonly string[]): string =>
  body.replaceAll(
    new RegExp(`"(${members.join('|')})":\\s*(?:"[^"]*"|\\{[^{}]*\\}|[^,{}\\[\\]]+)`, 'g'),
    '"$1":0',
  );

interface Comparison {
  path: string;
  except?: readonly string[] | undefined;
}

/** Describes where two bodies differ, besides the values of these members. */
function bodyFault(one: string, other: string, members: readonly string[]): string[] {
  if (one === other) return [];
  const [left, right] = [withoutValues(one, members), withoutValues(other, members)];
  if (left === right) return [];
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const around = (body: string): string => body.slice(Math.max(0, at - 60), at + 60);
  return [`bodies ${around(left)} and ${around(right)}`];
}

/** Describes how two answers differ. Returns an empty list when they do not. */
function differences(one: Answer, other: Answer, { path, except = [] }: Comparison): string[] {
  const members = measuredAt(path);
  const names = new Set([...Object.keys(one.headers), ...Object.keys(other.headers)]);
  // A measured value has another length now and then.
  const isLengthMeasured = members.length > 0;
  return [
    ...(one.status === other.status ? [] : [`status ${one.status} and ${other.status}`]),
    ...[...names]
      .filter((name) => !perRequest.test(name) && !except.includes(name))
      .filter((name) => !(isLengthMeasured && name === 'content-length'))
      .filter((name) => one.headers[name] !== other.headers[name])
      .map(
        (name) =>
          `${name}: ${one.headers[name] ?? 'nothing'} and ${other.headers[name] ?? 'nothing'}`,
      ),
    ...(except.includes('body') ? [] : bodyFault(one.body, other.body, ['request_id', ...members])),
  ];
}

interface Visit extends Record<'get' | 'slash' | 'head' | 'options' | 'optionsSlash', Answer> {
  path: string;
  client: string;
}

/**
 * Asks every path that answers GET by all methods that have to agree, for each client. All requests
 * for one path follow one another, as requests to other paths may change its answer.
 */
export async function visitPaths({ routes, ask }: Sweep): Promise<Visit[]> {
  const paths = pathsOf(routes.filter((route) => methodsOf(route).includes('GET')));
  const visits: Visit[] = [];
  for (const path of paths.filter((each) => each !== '/' && each !== '')) {
    for (const [client, headers] of clients) {
      const to = (method: Method, url = path): Promise<Answer> => ask({ method, url, headers });
      visits.push({
        path,
        client,
        get: await to('GET'),
        slash: await to('GET', `${path}/`),
        head: await to('HEAD'),
        options: await to('OPTIONS'),
        optionsSlash: await to('OPTIONS', `${path}/`),
      });
    }
  }
  return visits;
}

const findingsOf = (
  visits: readonly Visit[],
  compare: (visit: Visit) => readonly string[],
): Findings => ({
  faults: visits.flatMap((visit) =>
    compare(visit).map((fault) => `${visit.path} for ${visit.client}: ${fault}`),
  ),
  checked: visits.length,
});

/** Compares what each path answers with and without a slash at the end. */
export const compareSlash = (visits: readonly Visit[]): Findings =>
  findingsOf(visits, ({ path, get, slash }) =>
    differences(get, slash, {
      path,
      except: echoesOfAddress.find(([pattern]) => pattern.test(path))?.[1],
    }),
  );

export const compareSlashOfOptions = (visits: readonly Visit[]): Findings =>
  findingsOf(visits, ({ path, options, optionsSlash }) =>
    differences(options, optionsSlash, { path }),
  );

/** Compares HEAD with GET; where GET has an effect, HEAD has to be 405. */
export const compareHead = (visits: readonly Visit[]): Findings =>
  findingsOf(visits, ({ path, get, head }) => {
    const withBody = head.body === '' ? [] : ['HEAD has a body'];
    if (actsOnGet.some(([pattern]) => pattern.test(path))) {
      return head.status === 405 && !(head.headers.allow ?? '').includes('HEAD')
        ? withBody
        : ['HEAD is answered although GET acts', ...withBody];
    }
    const except = [
      'body',
      // A file that is sent in pieces: HEAD has no pieces (RFC 9112 §6.1).
      'transfer-encoding',
      ...(namesItsMethod(get) ? ['content-length'] : []),
      // The pixel counts no event for HEAD, and names the reason in this header.
      ...(path.endsWith('/pixel.gif') ? ['x-svc-reason'] : []),
    ];
    return [...differences(get, head, { path, except }), ...withBody];
  });
