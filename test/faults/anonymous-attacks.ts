import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { collidingIds } from './colliding-ids.ts';

/** One request of an attack. */
export interface AttackRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** A kind of request that one address sends at full rate, without a credential. */
export interface Attack {
  name: string;
  /** Returns the next request. */
  next: () => AttackRequest;
}

const json = { 'content-type': 'application/json' };
const zipped = { ...json, 'content-encoding': 'gzip' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const text = (length: number): string => randomBytes(length).toString('hex').slice(0, length);
const always = (request: AttackRequest) => () => request;
const post = (
  path: string,
  body: Buffer | string,
  headers: Record<string, string> = json,
): AttackRequest => ({ method: 'POST', path, headers, body });
const get = (path: string, headers: Record<string, string> = {}): AttackRequest => ({
  method: 'GET',
  path,
  headers,
});
const batch = (events: unknown[]): string => JSON.stringify({ events });

function batchesOf(event: (index: number) => unknown, size = 500): () => AttackRequest {
  let sent = 0;
  return () =>
    post('/analytics/batch/', batch(Array.from({ length: size }, () => event((sent += 1)))));
}

/** Ids that shared one slot of the set of remembered ids when its hash had no key. */
function colliding(): () => AttackRequest {
  const ids = collidingIds(120_000);
  let at = 0;
  return batchesOf(() => ({
    event: 'pageview',
    url: '/',
    site_id: 'victim',
    id: ids[(at += 1) % ids.length],
  }));
}

const wideProps = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`p${at}`, { nested: [at] }]),
);

/**
 * Returns attacks on everything that needs no credential. `share` is the path of a share link that
 * the attacker knows.
 */
export function anonymousAttacks(share: string): Attack[] {
  const nested = gzipSync(`{"events":${'['.repeat(1_000_000)}`);
  const escaped = gzipSync(`{"events":[${'"\\u0031",'.repeat(115_000)}1]}`);
  const numbers = gzipSync(`{"events":[${'1,'.repeat(500_000)}1]}`);
  const members = Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`);
  const names = `{"events":[{${members.join(',')}}]}`;
  const bomb = gzipSync(Buffer.alloc(10 * 1024 ** 2, 0x20));
  const filters = Array.from(
    { length: 14 },
    (_, at) => `filter=page:matches:(a|b|c|d|${'x?'.repeat(40)}${at})*z`,
  ).join('&');
  const words = Array.from({ length: 300 }, () => text(200));
  const graph = JSON.stringify({ query: `{${words.map((word) => `f${word}`).join(' ')}}` });
  const variables = JSON.stringify({
    query: 'query($a:[DashboardFilter!]){__typename}',
    variables: { a: words },
  });
  return [
    { name: 'page: GET /', next: always(get('/')) },
    { name: 'page: GET /login', next: always(get('/login')) },
    { name: 'unknown short links', next: () => get(`/q/${text(8)}`, { accept: 'text/html' }) },
    { name: 'drawings', next: () => get(`/api/v1/qr?format=png&size=2048&text=${text(30)}`) },
    { name: 'unknown paths', next: () => get(`/${text(12)}`, { accept: 'text/html' }) },
    { name: 'long search of guides', next: () => get(`/developer?q=${text(60)}`) },
    { name: 'reference, all of it', next: always(get('/developer/reference')) },
    { name: 'OpenAPI document', next: always(get('/api/openapi.json')) },
    { name: 'OpenAPI document for clients', next: always(get('/api/openapi.client.json')) },
    { name: 'OpenAPI document as YAML', next: always(get('/api/openapi.yaml')) },
    { name: 'status page', next: always(get('/status')) },
    { name: 'status feeds', next: always(get('/status/feed.atom')) },
    { name: 'health in detail', next: always(get('/api/health')) },
    {
      name: 'single events',
      next: () =>
        post(
          '/analytics/track/',
          JSON.stringify({
            event: 'pageview',
            url: `/${text(8)}`,
            site_id: 'victim',
            id: randomUUID(),
          }),
        ),
    },
    {
      name: 'batches of 500',
      next: batchesOf((at) => ({
        event: 'pageview',
        url: `/${at}`,
        site_id: 'victim',
        id: randomUUID(),
      })),
    },
    { name: 'batches of colliding ids', next: colliding() },
    {
      name: 'batches of wrong events',
      next: batchesOf(() => ({
        event: 7,
        url: [],
        site_id: {},
        id: 'x',
        props: wideProps,
        timestamp: 'x',
        revenue: 1,
      })),
    },
    {
      name: 'batches of new sites',
      next: batchesOf(() => ({ event: 'pageview', url: '/', site_id: `s-${text(12)}` })),
    },
    { name: 'gzip: a million brackets', next: always(post('/analytics/batch/', nested, zipped)) },
    { name: 'gzip: escaped texts', next: always(post('/analytics/batch/', escaped, zipped)) },
    {
      name: 'gzip: half a million numbers',
      next: always(post('/analytics/batch/', numbers, zipped)),
    },
    { name: 'gzip: 10 MiB of spaces', next: always(post('/analytics/batch/', bomb, zipped)) },
    { name: 'one event of 60,000 members', next: always(post('/analytics/batch/', names)) },
    {
      name: 'broken JSON at its end',
      next: always(
        post('/api/graphql/', '{"query":"{a}","variables":{"a":['.padEnd(60_000, '[1],')),
      ),
    },
    { name: 'GraphQL: 300 unknown fields', next: always(post('/api/graphql/', graph)) },
    { name: 'GraphQL: wrong variables', next: always(post('/api/graphql/', variables)) },
    {
      name: 'GraphQL: introspection',
      next: always(
        post(
          '/api/graphql/',
          JSON.stringify({
            query:
              '{__schema{types{name fields{name type{name ofType{name ' +
              'ofType{name ofType{name}}}}}}}}',
          }),
        ),
      ),
    },
    {
      name: 'MCP: unknown tools',
      next: always(
        post(
          '/api/v2/mcp/',
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: words } }),
          { ...json, accept: 'application/json, text/event-stream' },
        ),
      ),
    },
    {
      name: 'share: 14 regular expressions',
      next: () => get(`${share}?period=12mo&${filters}&filter=page:is:/${text(4)}`),
    },
    { name: 'share: wrong passwords', next: () => post(share, `password=${text(12)}`, form) },
    {
      name: 'codes to new addresses',
      next: () =>
        post('/api/auth/email/initiate', JSON.stringify({ email: `${text(10)}@host.example` })),
    },
    {
      name: 'wrong codes',
      next: () =>
        post(
          '/api/auth/otp/verify',
          JSON.stringify({ identifier: 'owner@host.example', code: '000000' }),
        ),
    },
    {
      name: 'backup codes',
      next: () =>
        post(`/api/auth/backup-codes/verify?code=${text(10)}&user_id=${randomUUID()}`, ''),
    },
    { name: 'passkey challenges', next: always(post('/api/auth/2fa/passkeys/challenge', '{}')) },
    {
      name: 'status subscriptions',
      next: () => post('/status/subscribe', `email=${text(10)}@host.example`, form),
    },
    {
      name: 'signups',
      next: () =>
        post('/signup', JSON.stringify({ email: `${text(10)}@host.example`, name: text(10) })),
    },
    {
      name: 'refresh tokens',
      next: () => post('/api/auth/token/refresh', JSON.stringify({ refresh_token: text(43) })),
    },
    {
      name: 'payment webhooks',
      next: () =>
        post('/api/auth/webhooks/payments', text(250_000), {
          ...json,
          'stripe-signature': `t=1,${'v1=00,'.repeat(500)}`,
        }),
    },
    {
      name: 'bearer tokens',
      next: () =>
        get('/api/auth/me', { authorization: `Bearer ${text(400)}.${text(400)}.${text(80)}` }),
    },
    {
      name: 'cookies',
      next: () =>
        get('/account', {
          cookie: Array.from({ length: 100 }, () => `svc_session=${text(100)}`).join('; '),
          accept: 'text/html',
        }),
    },
  ];
}
