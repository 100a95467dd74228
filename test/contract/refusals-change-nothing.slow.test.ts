import { sql } from 'kysely';
import type { RouteOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { exampleBodies } from '../support/example-bodies.ts';
import { openBearer, openCookie } from '../support/sign-in.ts';

type Headers = Record<string, string>;
/** A write that may be refused: what is wrong with it, its headers and its body. */
type Attempt = readonly [what: string, headers: Headers, body: string | undefined];

/**
 * What a refused write may change. `audit_events`: the log says who was refused. The others are
 * written by the service itself, at any time.
 */
const logs = new Set([
  'audit_events',
  'status_heartbeat',
  'status_response_times',
  'status_spans',
  'status_components',
]);
/** Columns that note that somebody was here, whether refused or not. */
const traces = ['last_seen_at', 'last_used_at', 'last_seen', 'last_ip'];
const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const json = { 'content-type': 'application/json' };
const minuteMs = 60_000;

const times = { ahead: 0 };
let tables: string[];
const callers: Record<string, Headers> = {};

const app = await freshApp({
  env: { DEVICE_BINDING: 'none', OTP_LIMITS: 'off' },
  clock: { now: () => Date.now() + times.ahead },
});
const examples = await exampleBodies(app);
beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(app.stores.db);
  tables = rows.map(({ name }) => name).filter((name) => !logs.has(name));
  const { key } = await app.services.apiKeys.create({ name: 'Reads', scopes: ['analytics:read'] });
  const stale = await openBearer(app, 'stale@example.com');
  await app.services.users.setRoles(stale.userId, ['admin']);
  Object.assign(callers, {
    nobody: {},
    'a reading key': { authorization: `Bearer ${key}` },
    'a person': (await openBearer(app, 'person@example.com')).bearer,
    'a stale admin': (await openBearer(app, 'stale@example.com')).bearer,
    'a browser on another site': {
      ...(await openCookie(app, 'browser@example.com')).headers,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    },
  });
  times.ahead = 5 * minuteMs + 1000;
}, 120_000);

/** A hash of the rows of every table, whatever their order. */
async function snapshot(): Promise<Map<string, string>> {
  const queries = tables.map((name) => {
    const row = traces.reduce(
      (value, column) => sql`${value} - ${sql.lit(column)}`,
      sql`to_jsonb(t)`,
    );
    return sql`select ${sql.lit(name)} as name, count(*) || ' ' ||
      coalesce(sum(('x' || left(md5((${row})::text), 8))::bit(32)::bigint), 0) as hash
      from ${sql.table(name)} as t`;
  });
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(
    queries,
    sql` union all `,
  )}`.execute(app.stores.db);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** Writes with something wrong, and correct ones that meet no object or have no right. */
function attemptsAt({ schema }: RouteOptions): Attempt[] {
  const example = examples.get((schema?.operationId ?? '').replace('Short.', '.'));
  const body = example?.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const type = { 'content-type': example?.type ?? 'application/json' };
  const members = typeof body === 'object' ? Object.keys(body) : [];
  const changed = (change: (member: string) => object) =>
    members.map((member) => JSON.stringify({ ...(body as object), ...change(member) }));
  return [
    ...Object.entries(callers).map(
      ([who, headers]) => [who, { ...type, ...headers }, text] as const,
    ),
    ['JSON that ends', { ...asAdmin, ...json }, '{"name":'],
    ['an array', { ...asAdmin, ...json }, '[]'],
    ['null', { ...asAdmin, ...json }, 'null'],
    ['an empty object', { ...asAdmin, ...json }, '{}'],
    ['an unknown member', { ...asAdmin, ...json }, JSON.stringify({ zz_unknown: 1 })],
    ['another type', { ...asAdmin, 'content-type': 'application/xml' }, '<a/>'],
    ['no body', asAdmin, undefined],
    ['too much', { ...asAdmin, ...json }, JSON.stringify({ a: 'x'.repeat(6_000_000) })],
    ['an invalid idempotency key', { ...asAdmin, ...type, 'idempotency-key': '"' }, text],
    ...changed((member) => ({ [member]: { a: 1 } })).map(
      (each) => ['an object as a member', { ...asAdmin, ...json }, each] as const,
    ),
    ...changed((member) => ({ [member]: 'x'.repeat(20_000) })).map(
      (each) => ['a long member', { ...asAdmin, ...json }, each] as const,
    ),
    ...changed((member) => ({ [member]: null })).map(
      (each) => ['a member that is null', { ...asAdmin, ...json }, each] as const,
    ),
    ['nothing wrong, by the admin', { ...asAdmin, ...type }, text],
    ['nothing wrong, again', { ...asAdmin, ...type }, text],
  ];
}

const writes = () =>
  app.http.registeredRoutes.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      .map((method) => ({ route, method: method as 'POST' })),
  );

/** The URL of a route: of the entry that its list has just created, or of none. */
function urlOf({ url }: RouteOptions, created: ReadonlyMap<string, string>): string {
  const list = [...created.keys()].find((path) => url.startsWith(`${path}/:`));
  const id = (list === undefined ? undefined : created.get(list)) ?? unknownId;
  return url.replace(/:\w+/, id).replace(/:\w+/g, unknownId);
}

const changesOf = (before: Map<string, string>, after: Map<string, string>): string[] =>
  tables.filter((name) => before.get(name) !== after.get(name));

describe('a write that is refused', () => {
  it('changes no row, on every route', async () => {
    const faults: object[] = [];
    const count = { routes: 0, refused: 0, accepted: 0, effective: 0 };
    const created = new Map<string, string>();
    let before = await snapshot();
    for (const { route, method } of writes()) {
      count.routes += 1;
      for (const [what, headers, body] of attemptsAt(route)) {
        const url = urlOf(route, created);
        const { status, body: answer } = await new TestClient(app).send(method, url, body, {
          headers,
        });
        const isRefused = status >= 400;
        count[isRefused ? 'refused' : 'accepted'] += 1;
        const after = await snapshot();
        const changed = changesOf(before, after);
        if (!isRefused && typeof answer.id === 'string') created.set(route.url, answer.id);
        if (!isRefused && changed.length > 0) count.effective += 1;
        if (isRefused && changed.length > 0)
          faults.push({ call: `${method} ${route.url}`, what, status, changed });
        before = after;
      }
    }
    console.info(
      `${count.routes} routes, ${count.refused} refused writes, ${count.accepted} accepted ones, ` +
        `${faults.length} refused writes that changed something`,
    );
    expect(faults).toEqual([]);
    expect(count.refused).toBeGreaterThan(2000);
    // Or else the snapshots would see nothing.
    expect(count.effective).toBeGreaterThan(40);
  }, 600_000);
});
