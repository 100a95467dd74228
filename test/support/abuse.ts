import { sql } from 'kysely';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { type Answer, codeFor, post } from './sign-in.ts';

/** Returns a six-digit code that differs from the given one. */
export const notThe = (code: string): string =>
  String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Requests a code, at the path that accepts any identifier. */
export async function ask(app: TestApp, identifier: string): Promise<Answer> {
  return answerOf(
    await app.http.inject({ method: 'POST', url: '/api/auth/otp/send', query: { identifier } }),
  );
}

function answerOf(answer: LightMyRequestResponse): Answer {
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.json<Record<string, unknown>>(),
  };
}

/** Requests a code and reads it from the outbox. */
export async function askCode(
  app: TestApp,
  identifier: string,
): Promise<{ code: string; id: string }> {
  const after = app.services.outbox.list(identifier).length;
  const sent = await ask(app, identifier);
  if (sent.status !== 200) throw new Error(`no code: ${sent.status} ${JSON.stringify(sent.body)}`);
  return { code: await codeFor(app, identifier, { after }), id: String(sent.body.verification_id) };
}

/** Submits a code, at the path that accepts any identifier. */
export const enter = (
  app: TestApp,
  identifier: string,
  code: unknown,
  id?: string,
): Promise<Answer> => post(app, '/api/auth/otp/verify', { identifier, code, verification_id: id });

/** Counts the answers by status code. */
export function tally(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * Makes `count` concurrent calls of `call`. Yields to the event loop every 50 calls: Redis' replies
 * would otherwise not be read before its command timeout.
 */
export async function parallel<T>(count: number, call: (at: number) => Promise<T>): Promise<T[]> {
  const calls: Promise<T>[] = [];
  for (let at = 0; at < count; at += 1) {
    calls.push(call(at));
    if (at % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.all(calls);
}

async function count(
  app: TestApp,
  table: 'users' | 'identities' | 'deliveries' | 'audit_events',
): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)}`.execute(app.stores.db);
  return rows[0]?.count ?? -1;
}

/**
 * Counts the users, identities, messages and sessions of the whole app. A test that expects no
 * sign-in and no message compares the counts before and after.
 */
export async function inventory(
  app: TestApp,
): Promise<{ users: number; identities: number; messages: number; sessions: number }> {
  const keys = await app.stores.redis.keys('auth:{*');
  const sessions = await Promise.all(
    keys.map(
      async (key) =>
        (await app.stores.redis.hkeys(key)).filter((field) => field.startsWith('s:')).length,
    ),
  );
  return {
    users: await count(app, 'users'),
    identities: await count(app, 'identities'),
    messages: await count(app, 'deliveries'),
    sessions: sessions.reduce((sum, each) => sum + each, 0),
  };
}

/** Expects that there are as many users, identities, messages and sessions afterwards as before. */
export async function expectUnchanged<T>(app: TestApp, act: () => Promise<T>): Promise<T> {
  const before = await inventory(app);
  const result = await act();
  expect(await inventory(app)).toEqual(before);
  return result;
}

/** Returns the ids of the users who have verified this address or number. */
export async function ownersOf(app: TestApp, key: string): Promise<string[]> {
  const rows = await app.stores.db
    .selectFrom('identities')
    .select('user_id')
    .where('key', '=', key)
    .execute();
  return rows.map(({ user_id: id }) => id);
}

/** Returns the stored hash and fields of a verification's live code; undefined when it is gone. */
export async function storedCode(
  app: TestApp,
  id: string,
): Promise<{ hash: string; fields: Record<string, string> } | undefined> {
  for (const key of await app.stores.redis.keys('otp:*:code')) {
    const fields = await app.stores.redis.hgetall(key);
    if (fields.id === id) return { hash: key.slice('otp:'.length, -':code'.length), fields };
  }
  return undefined;
}

/**
 * Lets `ms` pass for all Redis keys of codes and rate limits: they expire by Redis' own clock,
 * which no test can set.
 */
export async function elapse(app: TestApp, ms: number): Promise<void> {
  const { redis } = app.stores;
  for (const key of [...(await redis.keys('otp:*')), ...(await redis.keys('rate:*'))]) {
    const left = await redis.pttl(key);
    if (left > 0 && left <= ms) {
      await redis.del(key);
      continue;
    }
    if (left > 0) await redis.pexpire(key, left - ms);
    if ((await redis.type(key)) !== 'zset') continue;
    const entries = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    for (let at = 0; at < entries.length; at += 2)
      await redis.zadd(key, Number(entries[at + 1]) - ms, entries[at] ?? '');
  }
}

/** Asks `/api/auth/me` which user these headers belong to. */
export const me = async (app: TestApp, headers: Record<string, string> = {}): Promise<Answer> =>
  answerOf(await app.http.inject({ url: '/api/auth/me', headers }));

/** Returns every row of a table as a line of JSON. */
export async function tableContent(app: TestApp, name: string): Promise<string> {
  const { rows } = await sql<{
    line: string;
  }>`select row_to_json(t)::text as line from ${sql.table(name)} t`.execute(app.stores.db);
  return rows.map(({ line }) => line).join('\n');
}

/** Returns every row as a line of JSON, by table name. */
export async function sqlContent(app: {
  stores: Pick<TestApp['stores'], 'db'>;
}): Promise<Map<string, string>> {
  const names = sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const { rows: tables } = await names.execute(app.stores.db);
  const contents = tables.map(
    ({ name }) => sql`
      select ${name} as name, coalesce(string_agg(row_to_json(t)::text, E'\n'), '') as lines
      from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; lines: string }>`
    ${sql.join(contents, sql` union all `)}`.execute(app.stores.db);
  return new Map(rows.map(({ name, lines }) => [name, lines]));
}

/** Tables that the service fills every minute, whatever is requested. */
const ownTables = ['status_heartbeat', 'status_response_times', 'status_spans'];

/** As `sqlContent`, without what the service writes by itself: to compare before and after. */
export async function requestedContent(
  app: Parameters<typeof sqlContent>[0],
): Promise<Map<string, string>> {
  const content = await sqlContent(app);
  for (const name of ownTables) content.delete(name);
  const components = content.get('status_components') ?? '';
  content.set('status_components', components.replaceAll(/"check_\w+":"[^"]*",/g, ''));
  return content;
}
