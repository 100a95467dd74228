import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { SaltStore } from '../ingest/admission/salts.ts';
import { compileRules } from './site-rules.ts';
import type { Site } from './sites.ts';

const Settings = z.object({
  honour_gpc: z.boolean().default(true),
  honour_dnt: z.boolean().default(false),
  hosts: z.array(z.string()).default([]),
  shields: z
    .object({
      ips: z.array(z.string()).default([]),
      countries: z.array(z.string()).default([]),
      pages: z.array(z.string()).default([]),
    })
    .prefault({}),
  retention_days: z.int().nullable().default(null),
});

interface SiteRecord {
  id: number;
  site_id: string;
  created_at: Date;
  closed: boolean;
  settings: unknown;
}

function toSite({
  id,
  site_id: key,
  created_at: createdAt,
  closed,
  settings: stored,
}: SiteRecord): Site {
  const settings = Settings.parse(stored);
  return { id, key, createdAt, closed, settings, rules: compileRules(closed, settings) };
}

const columns = ['id', 'site_id', 'created_at', 'closed', 'settings'] as const;

const selectSite = (db: Database, key: string) =>
  db.selectFrom('sites').select(columns).where('site_id', '=', key);

/** Returns false if the site exists. */
async function insertSite(
  db: Database,
  key: string,
  now: Date,
  registeredBy: 'open' | 'admin',
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: rows = 0n } = await db
    .insertInto('sites')
    .values({ site_id: key, created_at: now, registered_by: registeredBy })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return rows > 0n;
}

/** Stores sites in the table `sites`. */
export function createSiteStore(db: Database) {
  async function find(key: string): Promise<Site | undefined> {
    const row = await selectSite(db, key).executeTakeFirst();
    return row && toSite(row);
  }

  return {
    find,
    async all(): Promise<Site[]> {
      const rows = await db.selectFrom('sites').select(columns).orderBy('id').execute();
      return rows.map(toSite);
    },
    async count(): Promise<number> {
      const row = await db
        .selectFrom('sites')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirst();
      return row?.n ?? 0;
    },
    async insert(key: string, now: Date): Promise<Site | undefined> {
      await insertSite(db, key, now, 'open');
      return find(key);
    },

    /** Inserts a site on behalf of an admin. Returns false if it exists. */
    register: (key: string, now: Date, transaction: Database): Promise<boolean> =>
      insertSite(transaction, key, now, 'admin'),

    /** Returns the site, locked against changes until the transaction ends. */
    async lock(key: string, transaction: Database): Promise<Site | undefined> {
      const row = await selectSite(transaction, key).forUpdate().executeTakeFirst();
      return row && toSite(row);
    },

    async update(
      id: number,
      { settings, closed }: Pick<Site, 'settings' | 'closed'>,
      transaction: Database,
    ): Promise<void> {
      await transaction
        .updateTable('sites')
        .set({ settings: JSON.stringify(settings), closed })
        .where('id', '=', id)
        .execute();
    },
  };
}

export type SqlSiteStore = ReturnType<typeof createSiteStore>;

/** Stores visitor salts in the table `salts`. */
export function createSaltStore(db: Database): SaltStore {
  return {
    async ensure(day, salt) {
      await db
        .insertInto('salts')
        .values({ day, salt, created_at: sql`now()` })
        .onConflict((oc) => oc.doNothing())
        .execute();
      const row = await db
        .selectFrom('salts')
        .select('salt')
        .where('day', '=', day)
        .executeTakeFirstOrThrow();
      return Buffer.from(row.salt);
    },
    async destroyBefore(day) {
      await db.deleteFrom('salts').where('day', '<', day).execute();
    },
  };
}
