import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { vi } from 'vitest';
import { type Answer, ask, asAdmin, codeOf, post } from './ingest-service.ts';

/** The result of a request: the status or the error's code, and how long it took. */
export interface Outcome {
  status: number | string;
  retryAfter: string | undefined;
  ms: number;
}

/**
 * `always`: needs no store but this replica's own disk. `ingest`: needs the journal. `stores`: may
 * be 503 while a store fails. `probe`: reports failures.
 */
type Kind = 'always' | 'ingest' | 'stores' | 'probe';

export interface Surface {
  name: string;
  kind: Kind;
  ask: () => Promise<Pick<Answer, 'status' | 'headers'>>;
}

export interface Visit {
  port: number;
  /** Ids of events that were answered 200. */
  answered: Set<string>;
  bearer: Record<string, string>;
  shareSlug: string;
}

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

/**
 * Registers a site, creates a share link, and signs in an admin by email. The service must run
 * with DEVICE_BINDING=none.
 */
export async function prepare(port: number, email: string): Promise<Visit> {
  const answered = new Set<string>();
  const first = await sendEvent(port, answered);
  if (first.status !== 200) throw new Error(`track: ${first.status} ${first.text}`);
  const share = await post(
    port,
    '/analytics/sites/site/shares',
    { name: 'Agency' },
    { headers: asAdmin },
  );
  const sent = json((await post(port, '/api/auth/email/initiate', { email })).text);
  const code = await vi.waitFor(
    async () => {
      const { text } = await ask(port, `/dev/outbox?to=${encodeURIComponent(email)}`, {
        headers: { accept: 'application/json' },
      });
      const found = /\b(\d{6})\b/.exec(
        (JSON.parse(text) as { messages: { text: string }[] }).messages[0]?.text ?? '',
      )?.[1];
      if (found === undefined) throw new Error('no code yet');
      return found;
    },
    { timeout: 20_000, interval: 50 },
  );
  const signedIn = json(
    (
      await post(port, '/api/auth/otp/verify', {
        email,
        code,
        verification_id: sent.verification_id,
      })
    ).text,
  );
  const address = json(share.text).url;
  if (typeof address !== 'string') throw new Error(`share: ${share.status} ${share.text}`);
  return {
    port,
    answered,
    bearer: { authorization: `Bearer ${String(signedIn.access_token)}` },
    shareSlug: new URL(address).pathname,
  };
}

async function sendEvent(
  port: number,
  answered: Set<string>,
  path = '/analytics/track',
): Promise<Answer> {
  const id = randomUUID();
  const event = { event: 'pageview', url: '/', site_id: 'site', id };
  const answer = await post(port, path, path.endsWith('batch') ? { events: [event] } : event);
  if (answer.status === 200) answered.add(id);
  return answer;
}

/** Performs a WebSocket handshake. The status is 101 when the socket opens. */
async function handshake(port: number, path: string): Promise<Pick<Answer, 'status' | 'headers'>> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers });
    });
    request.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.on('error', reject);
    request.end();
  });
}

const mcpHello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Returns a request for each kind of answer that the service gives, in the order of the table. */
export function surfacesOf({ port, answered, bearer, shareSlug }: Visit): Surface[] {
  const get = (
    name: string,
    kind: Kind,
    path: string,
    headers: Record<string, string> = {},
  ): Surface => ({ name, kind, ask: () => ask(port, path, { headers }) });
  const page = { accept: 'text/html' };
  return [
    { name: 'event', kind: 'ingest', ask: () => sendEvent(port, answered) },
    {
      name: 'batch of events',
      kind: 'ingest',
      ask: () => sendEvent(port, answered, '/analytics/batch'),
    },
    get('pixel', 'always', '/analytics/pixel.gif?site=site&page=/'),
    get('tracker script', 'always', '/svc.min.js'),
    get('home page', 'always', '/', page),
    get('developer pages', 'always', '/developer/', page),
    get('login page', 'always', '/login', page),
    get('status page', 'always', '/status', page),
    get('status API', 'always', '/api/status'),
    get('live', 'always', '/api/health/live'),
    get('ready', 'probe', '/api/health/ready'),
    get('health', 'probe', '/api/health'),
    get('dashboard', 'stores', '/analytics/dashboard?site_id=site', asAdmin),
    get('share page', 'stores', shareSlug, page),
    {
      name: 'send a code',
      kind: 'stores',
      ask: () => post(port, '/api/auth/email/initiate', { email: `${randomUUID()}@example.com` }),
    },
    {
      name: 'enter a wrong code',
      kind: 'stores',
      ask: () =>
        post(port, '/api/auth/otp/verify', {
          email: `${randomUUID()}@example.com`,
          code: '000000',
          verification_id: randomUUID(),
        }),
    },
    get('session', 'stores', '/api/auth/me', bearer),
    get('account page', 'stores', '/account', { ...bearer, ...page }),
    get('console', 'stores', '/api/svc/console/', bearer),
    get('console: people', 'stores', '/api/svc/console/users', bearer),
    get('console: jobs', 'stores', '/api/svc/console/jobs', bearer),
    get('audit log', 'stores', '/api/v1/audit', asAdmin),
    get('jobs', 'stores', '/api/v1/jobs', asAdmin),
    get('deliverability', 'stores', '/api/v1/deliverability?country=US&postal_code=10001'),
    {
      name: 'GraphQL',
      kind: 'stores',
      ask: () => post(port, '/api/graphql/', { query: '{ hello }' }),
    },
    {
      name: 'GraphQL: audit',
      kind: 'stores',
      ask: () =>
        post(port, '/api/graphql/', { query: '{ audit { nodes { id } } }' }, { headers: asAdmin }),
    },
    {
      name: 'MCP',
      kind: 'stores',
      ask: () =>
        post(port, '/api/v2/mcp', mcpHello, {
          headers: { ...asAdmin, accept: 'application/json, text/event-stream' },
        }),
    },
    { name: 'WebSocket', kind: 'stores', ask: () => handshake(port, '/ws/status/') },
  ];
}

/** Sends the request once. Without an answer in 15 seconds the status is `none`. */
export async function askOnce(surface: Surface): Promise<Outcome> {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Pick<Outcome, 'status' | 'retryAfter'>>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'none', retryAfter: undefined }), 15_000);
  });
  const answer = surface.ask().then(
    ({ status, headers }) => ({ status, retryAfter: headers['retry-after'] }),
    (error: unknown) => ({ status: codeOf(error), retryAfter: undefined }),
  );
  const outcome = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
  return { ...outcome, ms: Math.round(performance.now() - began) };
}
