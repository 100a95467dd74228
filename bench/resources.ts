import { Agent, request } from 'node:http';
import { sql } from 'kysely';
import { parseArgs } from 'node:util';
import { migrations } from '../src/app/migrations.ts';
import { userResource } from '../src/areas/identity/directory/resource.ts';
import { listUserIds } from '../src/areas/identity/users/queries/list.ts';
import { searchUsers } from '../src/areas/identity/users/queries/search.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { createTableService, viewFromRow } from '../src/platform/resource/table-service.ts';
import { createLogger } from '../src/platform/process/logger.ts';
import { type Lifetime, runBenchmark } from './support/lifetime.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';
import { startService } from './support/service.ts';

/**
 * Lists of 20 of many users on PGlite, and users created through REST with an audit entry each.
 * `--users N` for another size of the list.
 */
const { values: options } = parseArgs({ options: { users: { type: 'string' } } });
const users = Number(options.users ?? 100_000);
const goals = { listMs: 5, searchMs: 50, createsPerSecond: 2000 };
const runs = 101;
const createSeconds = 6;
const clients = 64;

async function fill(db: Database): Promise<void> {
  for (let from = 0; from < users; from += 10_000) {
    const to = Math.min(users, from + 10_000) - 1;
    const numbers = sql`generate_series(${from}::int, ${to}::int) i`;
    await sql`insert into users (id, name, roles, created_at, disabled_at)
      select ('01986a2b-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
        'Person ' || md5(i::text), case when i % 50 = 0 then '{viewer}'::text[] else '{}' end,
        timestamptz '2026-01-01' + i * interval '1 minute',
        case when i % 100 = 7 then now() end
      from ${numbers}`.execute(db);
    await sql`insert into identities (id, user_id, kind, key, value, verified_at, created_at)
      select gen_random_uuid(), ('01986a2b-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
        'email', md5(i::text) || '@example.com', md5(i::text) || '@example.com',
        case when i % 10 > 0 then now() end, now()
      from ${numbers}`.execute(db);
  }
  await sql`analyze users`.execute(db);
  await sql`analyze identities`.execute(db);
}

const p95 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return times.slice(1);
}

const listService = (db: Database) =>
  createTableService(userResource, {
    db,
    clock: { now: Date.now },
    keys: () => Buffer.alloc(32),
    audit: { recordIn: async () => undefined },
    table: 'user_directory',
    kind: 'user',
    actions: {},
    toView: (row) => viewFromRow(userResource, row),
    filters: { role: (role) => sql<boolean>`${role} = any(roles)` },
    sorts: { name: sql`coalesce(lower(name), '')` },
    search: searchUsers,
  });

const queries = {
  'first page': {},
  'role=viewer': { role: 'viewer' },
  'disabled=true': { disabled: true },
  'email_verified=false': { email_verified: false },
  'sort=name': { sort: 'name' },
  'q, one match': { q: 'c4ca4238a0b9' },
  'q, some hundred matches': { q: 'abc' },
};

/** What people type into the search of the console: rare, frequent and absent texts. */
const searches = ['c4ca4238a0b9', 'abc', 'ab', '.com', 'Person', 'nobody-at-all'];

async function measureLists(lifetime: Lifetime): Promise<{ rows: string[][]; missed: number }> {
  const logger = createLogger({ level: 'error' });
  const db = await openDatabase({ dataDir: lifetime.folder(), logger, migrations });
  lifetime.atEnd(() => db.destroy());
  await fill(db);
  const { list } = listService(db);
  const limit = median(await timesOf(() => sql`select 1`.execute(db)));
  const measured: [name: string, goal: number, call: () => Promise<unknown>][] = [
    ...Object.entries(queries).map(([name, query]): (typeof measured)[number] => [
      `list: ${name}`,
      goals.listMs,
      () => list({ limit: 20, sort: '-created_at', ...query }),
    ]),
    ...searches.map((text): (typeof measured)[number] => [
      `console search: ${text}`,
      goals.searchMs,
      () => listUserIds(db, 9, { text }),
    ]),
  ];
  let missed = 0;
  const rows: string[][] = [];
  for (const [name, goal, call] of measured) {
    const times = await timesOf(call);
    const slow = p95(times);
    missed += slow < goal ? 0 : 1;
    rows.push([
      name,
      `p95 ${ms(slow)}, median ${ms(median(times))}`,
      `p95 < ${goal} ms`,
      verdict(slow < goal),
      ms(limit),
      (median(times) / limit).toFixed(1),
    ]);
  }
  return { rows, missed };
}

function post(
  { port, adminKey }: { port: number; adminKey: string },
  agent: Agent,
  body: object,
): Promise<number> {
  const payload = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/v1/users',
        agent,
        headers: {
          authorization: `Bearer ${adminKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

async function measureCreates(lifetime: Lifetime): Promise<{ rows: string[][]; missed: number }> {
  const service = await startService(lifetime, lifetime.folder());
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  lifetime.atEnd(() => agent.destroy());
  let next = 0;
  let created = 0;
  const until = performance.now() + createSeconds * 1000;
  const client = async () => {
    while (performance.now() < until) {
      const status = await post(service, agent, { email: `bench-${(next += 1)}@example.com` });
      if (status !== 200) throw new Error(`a creation was answered ${status}`);
      created += 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = created / ((performance.now() - began) / 1000);
  const isMet = perSecond >= goals.createsPerSecond;
  return {
    rows: [
      [
        'create users through REST, with audit',
        `${whole(perSecond)}/s`,
        `≥ ${whole(goals.createsPerSecond)}/s`,
        verdict(isMet),
        '',
        '',
      ],
    ],
    missed: isMet ? 0 : 1,
  };
}

await runBenchmark(async (lifetime) => {
  printConditions(`npm run bench -- resources --users ${users}`);
  const lists = await measureLists(lifetime);
  const creates = await measureCreates(lifetime);
  printTable([
    ['measured', 'service', 'goal', 'result', 'limit', 'ratio'],
    ...lists.rows,
    ...creates.rows,
  ]);
  console.log(
    `\n${whole(users)} users on PGlite. Limit of lists: \`select 1\` on the same database. ` +
      `Creations: ${clients} connections for ${createSeconds} s.`,
  );
  return lists.missed + creates.missed;
});
