import { sql } from 'kysely';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { openApp, type FreshApp, type TestApp } from './app.ts';

/**
 * The settings of the apps that test files share. A file that needs others, counts whole tables,
 * or stops a store asks for `freshApp()`.
 */
const profiles = {
  /** The defaults, without rate limits. */
  plain: {},
  /** A public address and a name, as for what people print, embed or get by email. */
  named: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme' },
  /** Sessions are enough for the console. */
  console: { DEVICE_BINDING: 'none', BASE_URL: 'http://127.0.0.1:3000' },
  /** As many codes as a test wants, and sessions are enough for the console. */
  people: { DEVICE_BINDING: 'none', OTP_LIMITS: 'off', CONTACT_EMAIL: 'help@example.com' },
  /** The first admin's device must be approved, too. */
  devices: { DEVICE_FIRST: 'nobody' },
  /** Rate limits are on. */
  limited: { RATE_LIMIT: 'on' },
} as const satisfies Record<string, Record<string, string>>;

export type Profile = keyof typeof profiles;

interface Shared {
  app: FreshApp;
  /** The clock of the file that uses the app. */
  clock: { current: Clock };
  /** Tables that stay: the app filled them at its start, or remembers them in memory. */
  keptTables: readonly string[];
}

/** The apps of this worker, each built on first use. */
const apps = new Map<Profile, Promise<Shared>>();

async function listFilledTables({ stores: { db } }: TestApp): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

async function build(profile: Profile): Promise<Shared> {
  const clock = { current: systemClock };
  const app = await openApp({
    env: profiles[profile],
    clock: { now: () => clock.current.now() },
  });
  await app.services.queues.start();
  return { app, clock, keptTables: [...(await listFilledTables(app)), 'sites', 'salts'] };
}

/**
 * Deletes the rows of the other tables, in one statement and whatever refers to them. The status is
 * read again only when its version changes.
 */
async function emptyTables({ app, keptTables }: Shared): Promise<void> {
  const kept = keptTables.map((name) => `'${name}'`).join(', ');
  await sql
    .raw(
      `do $$ declare name text; has_rows boolean; begin
        set local session_replication_role = replica;
        for name in
          select table_name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'
            and table_name not in (${kept})
        loop
          execute format('select exists (select from %I)', name) into has_rows;
          if has_rows then execute format('delete from %I', name); end if;
        end loop;
        update status_heartbeat set version = version + 1;
      end $$`,
    )
    .execute(app.stores.db);
}

/** Deletes every key but those of BullMQ and of the bus, which go on. */
async function emptyRedis({ stores: { redis } }: TestApp): Promise<void> {
  const keys = (await redis.keys('*')).filter((key) => !/^(?:jobs|bus\d*:)/.test(key));
  if (keys.length > 0) await redis.unlink(...keys);
}

/**
 * Returns the app that this worker's test files share, as new: without users, records, sessions,
 * limits and messages of earlier files. Sites and their events stay, so a file names its sites.
 * Jobs run. With `clock`, the app's time is the file's.
 */
export async function sharedApp(
  profile: Profile = 'plain',
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<TestApp> {
  const building = apps.get(profile) ?? build(profile);
  apps.set(profile, building);
  const shared = await building;
  const { app } = shared;
  shared.clock.current = clock;
  await app.settled();
  await Promise.all([emptyTables(shared), emptyRedis(app)]);
  app.forget();
  await app.services.status.refresh();
  return app;
}

/** Closes the shared apps of this worker. */
export async function closeSharedApps(): Promise<void> {
  const open = [...apps.values()];
  apps.clear();
  await Promise.all(open.map(async (shared) => (await shared).app.close()));
}
