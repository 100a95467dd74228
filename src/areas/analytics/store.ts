import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import type { SaltStore } from './salts.ts';
import type { Site, SiteStore } from './sites.ts';

const Settings = z.object({
  honour_gpc: z.boolean().default(true),
  honour_dnt: z.boolean().default(false),
});

interface SiteRecord {
  id: number;
  site_id: string;
  created_at: Date;
  settings: unknown;
}

const toSite = ({ id, site_id: key, created_at: createdAt, settings }: SiteRecord): Site =>
  ({ id, key, createdAt, settings: Settings.parse(settings) });

const columns = ['id', 'site_id', 'created_at', 'settings'] as const;

/** Sites in SQL: the table `sites`. */
export function createSiteStore(db: Database): SiteStore {
  async function find(key: string): Promise<Site | undefined> {
    const row = await db.selectFrom('sites').select(columns).where('site_id', '=', key).where('closed', '=', false).executeTakeFirst();
    return row === undefined ? undefined : toSite(row);
  }

  return {
    find,
    async all() {
      const rows = await db.selectFrom('sites').select(columns).where('closed', '=', false).orderBy('id').execute();
      return rows.map(toSite);
    },
    async count() {
      const row = await db.selectFrom('sites').select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirst();
      return row?.n ?? 0;
    },
    async insert(key, now) {
      await db.insertInto('sites').values({ site_id: key, created_at: now, registered_by: 'open' }).onConflict((oc) => oc.doNothing()).execute();
      return find(key);
    },
  };
}

/** Visitor salts in SQL: the table `salts`. */
export function createSaltStore(db: Database): SaltStore {
  return {
    async ensure(day, salt) {
      await db.insertInto('salts').values({ day, salt, created_at: sql`now()` }).onConflict((oc) => oc.doNothing()).execute();
      const row = await db.selectFrom('salts').select('salt').where('day', '=', day).executeTakeFirstOrThrow();
      return Buffer.from(row.salt);
    },
    async destroyBefore(day) {
      await db.deleteFrom('salts').where('day', '<', day).execute();
    },
  };
}
