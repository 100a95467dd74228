import { asAdmin } from '../../support/app.ts';
import { rounds } from '../../support/rounds.ts';
import { type Method, methodTable, targetsOf, urlOf } from './routes.ts';
import {
  type Answer,
  checkEach,
  type Findings,
  type Headers,
  inTurn,
  type Request,
  type Sweep,
} from './sweep.ts';

export const asBrowser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const namesOf = (list: Iterable<string>): string =>
  [...new Set(list)]
    .filter((name) => name !== 'HEAD')
    .sort()
    .join(', ');

/** Returns the faults of a 405 for a program and for a browser. */
function faultsOf405(program: Answer, browser: Answer, routed: ReadonlySet<Method>): string[] {
  const { allow } = program.headers;
  const allowed = namesOf([...routed, 'OPTIONS']);
  return [
    ...(allow !== undefined && namesOf(allow.split(', ')) === allowed
      ? []
      : [`Allow is ${allow ?? 'not there'}, not ${allowed}`]),
    ...(browser.status === 405 && browser.type === 'text/html' && browser.headers.allow === allow
      ? []
      : [`${browser.status} ${browser.type} ${browser.headers.allow ?? 'no Allow'}`]),
    ...[program, browser]
      .filter(({ vary }) => !vary.includes('accept'))
      .map(({ headers }) => `Vary is ${headers.vary ?? 'not there'}`),
  ];
}

/** Asks every path by methods that it has no route for, as a program and as a browser. */
export async function checkWrongMethods({ routes, ask }: Sweep): Promise<Findings> {
  const methodsAt = methodTable(routes);
  let checked = 0;
  const urls = new Set(routes.map((route) => urlOf(route)));
  const requests = [...urls].flatMap((url) =>
    methods
      .filter((method) => !methodsAt(url).has(method))
      // Some methods without a route are enough. GET comes first, as people try it.
      .slice(0, rounds(1, 2))
      .map((method) => ({ method, url })),
  );
  const faults = await checkEach(requests, async ({ method, url }) => {
    const program = await ask({ method, url });
    // MCP answers the methods of its standard itself, when they are called without a session.
    if (program.status !== 405 || program.type !== 'application/problem+json') return [];
    checked += 1;
    const browser = await ask({ method, url, headers: asBrowser });
    return faultsOf405(program, browser, methodsAt(url)).map(
      (fault) => `${method} ${url}: ${fault}`,
    );
  });
  return { faults, checked };
}

export const asForm = {
  ...asBrowser,
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'http://127.0.0.1:3000',
};

/** Requests that a form's route refuses, by what is wrong. */
export const badForms: [what: string, status: number, sent: Omit<Request, 'url'>][] = [
  ['a body that is too large', 413, { payload: `a=${'x'.repeat(600_000)}`, headers: asForm }],
  [
    'a body of another content type',
    415,
    { payload: '<a/>', headers: { ...asForm, 'content-type': 'application/xml' } },
  ],
  ['a form with unknown fields', 422, { payload: `__=${'y'.repeat(10)}`, headers: asForm }],
  [
    'a body that is shorter than it says',
    400,
    { payload: 'a=1', headers: { ...asForm, 'content-length': '4' } },
  ],
];

/** Sends a bad form to the routes of all pages. `checked` counts those that answer `status`. */
export async function checkBadForm(
  { routes, ask }: Sweep,
  status: number,
  sent: Omit<Request, 'url'>,
): Promise<Findings> {
  const refused = new Set<string>();
  const forms = targetsOf(routes.filter(({ config }) => config?.errorPages !== undefined)).filter(
    ({ method }) => method === 'POST',
  );
  const faults = await checkEach(forms, async ({ route, method, url }) => {
    const answer = await ask({ method, url, ...sent });
    if (answer.status === status) refused.add(route.url);
    return answer.status >= 400 && answer.type !== 'text/html'
      ? [`${route.url}: ${answer.status} ${answer.type}`]
      : [];
  });
  return { faults, checked: refused.size };
}

const plain: Headers = {};
const html: Headers = { accept: 'text/html' };
/** Types with which some routes answer, by their paths. */
const ownTypes: readonly (readonly [path: RegExp, headers: Headers])[] = [
  [/^\/developer\b/, { accept: 'text/markdown' }],
  [/\/health\b/, { accept: 'application/health+json' }],
  [/graphql/, { accept: 'application/graphql-response+json' }],
];
const variants: readonly Headers[] = [
  ...ownTypes.map(([, headers]) => headers),
  { accept: 'application/xml' },
  { 'sec-fetch-mode': 'navigate' },
];

/** Headers to send to a route: those of its own types, and in turn those of others. */
const variantsOf = (url: string, at: number): readonly Headers[] => [
  plain,
  html,
  ...ownTypes.flatMap(([path, headers]) => (path.test(url) ? [headers] : [])),
  ...inTurn(variants, at),
];
const formOf = ({ status, type, headers }: Answer): string =>
  `${status} ${type} ${headers.location ?? ''}`;

/** Asks with each variant. Returns where the form of the answer depends on a header not in Vary. */
async function faultsOfVary(
  name: string,
  asked: readonly Headers[],
  ask: (headers: Headers) => Promise<Answer>,
): Promise<string[]> {
  const usual = await ask(plain);
  return checkEach(asked, async (headers) => {
    const answer = await ask(headers);
    const [header = ''] = Object.keys(headers);
    if (formOf(answer) === formOf(usual)) return [];
    return [usual, answer]
      .filter(({ vary }) => !vary.includes(header))
      .map(
        (each) =>
          `${name}: ${formOf(each)} depends on ${header}, ` +
          `Vary is ${each.headers.vary ?? 'not there'}`,
      );
  });
}

/** Asks every GET route with and without the headers that an answer's form may depend on. */
export async function checkVaryOfGets({ routes, ask }: Sweep): Promise<Findings> {
  const gets = targetsOf(routes).filter(({ method }) => method === 'GET');
  const faults = await checkEach(gets, async ({ route, url }, at) => {
    const open = await ask({ url });
    const credential = open.status === 401 ? asAdmin : {};
    return [
      ...(await faultsOfVary(`GET ${route.url}`, variantsOf(route.url, at), (headers) =>
        ask({ url, headers: { ...credential, ...headers } }),
      )),
      // The refusal of a request without a credential also has two forms.
      ...(open.status === 401
        ? await faultsOfVary(`GET ${route.url} without a credential`, [html], (headers) =>
            ask({ url, headers }),
          )
        : []),
    ];
  });
  return { faults, checked: gets.length };
}

/** Posts a form to every route with and without these headers. */
export async function checkVaryOfForms({ routes, ask }: Sweep): Promise<Findings> {
  const posts = targetsOf(routes).filter(({ method }) => method === 'POST');
  const faults = await checkEach(posts, async ({ route, method, url }, at) =>
    faultsOfVary(`POST ${route.url}`, variantsOf(route.url, at), (headers) =>
      ask({
        method,
        url,
        payload: 'a=1',
        headers: {
          ...asAdmin,
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
        },
      }),
    ),
  );
  return { faults, checked: posts.length };
}
