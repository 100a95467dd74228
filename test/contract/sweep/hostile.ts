import { targetsOf } from './routes.ts';
import { checkEach, type Findings, type Sweep } from './sweep.ts';

/** The longest refusal, however long the refused request is. */
const maxCharacters = 24_000;
const long = 'A'.repeat(30_000);
const names = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`${'n'.repeat(120)}${at}`, at]),
);

const many = (text: (at: number) => string, between: string): string =>
  Array.from({ length: 9 }, (_, at) => text(at)).join(between);

const filtered = 'query ($f: [String!]) { dashboard(siteId: "x", filters: $f) { siteId } }';

const hostile: readonly (readonly [name: string, body: unknown])[] = [
  ['many unknown members', names],
  ['a member with a long name', { [long]: long }],
  ['a long list', Array.from({ length: 8000 }, () => 1)],
  [
    'long texts where something else belongs',
    Object.fromEntries(
      ['email', 'phone', 'identifier', 'code', 'token', 'events', 'query', 'url', 'site_id'].map(
        (name) => [name, [long.slice(0, 6000)]],
      ),
    ),
  ],
  [
    'a document that names what is not there',
    { query: `{ ${Array.from({ length: 20 }, (_, at) => `${'f'.repeat(700)}${at}`).join(' ')} }` },
  ],
  ['variables of the wrong type', { query: filtered, variables: { f: [[long, long]] } }],
  [
    'many wrong variables',
    { query: filtered, variables: { f: Array.from({ length: 900 }, () => [long.slice(0, 50)]) } },
  ],
  [
    'wrong variables of fields that everybody may have',
    {
      query:
        `query (${many((at) => `$v${at}: Int`, ', ')}) { ` +
        `${many((at) => `q${at}: incidents(first: $v${at}) { nodes { id } }`, ' ')} }`,
      variables: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`v${at}`, long.slice(0, 5000)]),
      ),
    },
  ],
  [
    'a document with long aliases',
    { query: `{ ${many((at) => `${'a'.repeat(700)}${at}: node(id: "x") { id }`, ' ')} }` },
  ],
];
const bodies = hostile.map(([name, body]) => ({ name, payload: JSON.stringify(body) }));

/** Posts hostile bodies to every route, anonymously. `checked` counts the requests. */
export async function checkSizeOfRefusals({ routes, ask }: Sweep): Promise<Findings> {
  const posts = targetsOf(routes, 'x').filter(({ method }) => method === 'POST');
  // The guard of a route that is not public refuses before the body is read: one is enough.
  const requests = posts.flatMap(({ url, route }) =>
    bodies
      .slice(0, route.config?.scope === 'public' ? bodies.length : 1)
      .map((sent) => ({ url, ...sent })),
  );
  const faults = await checkEach(requests, async ({ url, name, payload }) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await ask({ method: 'POST', url, headers, payload });
    return body.length > maxCharacters
      ? [`${url}, ${name}: ${status}, ${body.length} characters`]
      : [];
  });
  return { faults, checked: requests.length };
}

const broken = [
  { payload: '{', headers: { 'content-type': 'application/json' } },
  { payload: '<a/>', headers: { 'content-type': 'text/xml' } },
];

/** Sends every route bodies that it cannot read, anonymously. Returns the number of requests. */
export async function sendBrokenBodies({ routes, ask }: Sweep): Promise<number> {
  const requests = targetsOf(routes, '%00').flatMap(({ method, url }) =>
    broken.map(({ payload, headers }) => ({
      method,
      url,
      headers,
      ...(method === 'GET' || method === 'HEAD' ? {} : { payload }),
    })),
  );
  await checkEach(requests, async (request) => {
    await ask(request);
    return [];
  });
  return requests.length;
}

/** Headers that an answer must have, by status. */
const required: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Looks for the headers of its status in every answer of the sweep. */
export async function checkHeadersOfStatus({ asked }: Sweep): Promise<Findings> {
  const faults = (await asked()).flatMap(([{ method = 'GET', url }, { status, headers }]) => {
    const name = required[status];
    return name === undefined || headers[name] !== undefined
      ? []
      : [`${method} ${url}: ${status} without ${name}`];
  });
  return { faults: [...new Set(faults)], checked: (await asked()).length };
}
