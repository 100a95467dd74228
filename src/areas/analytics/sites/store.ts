import type { Selectable } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { analyticsErrors } from '../errors.ts';
import { compileRules, type SiteRules } from './rules.ts';
import { SiteSettings } from './settings.ts';

export interface Site {
  /** Number in the event store. */
  id: number;
  /** The public `site_id`. */
  key: string;
  createdAt: Date;
  /** Rejects new events; its figures can still be read. */
  closed: boolean;
  settings: SiteSettings;
  /** The compiled settings that reject events; undefined if there are none. */
  rules: SiteRules | undefined;
}

type SiteRow = Omit<Selectable<Tables['sites']>, 'registered_by'>;

function toSite({ id, site_id: key, created_at: createdAt, closed, settings: stored }: SiteRow) {
  const settings = SiteSettings.parse(stored);
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

    /** Inserts the site, or returns the existing one. */
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

export type SiteStore = ReturnType<typeof createSiteStore>;

const selectId = (db: Database, key: string) =>
  db.selectFrom('sites').select('id').where('site_id', '=', key);

async function readId(query: ReturnType<typeof selectId>): Promise<number> {
  const row = await query.executeTakeFirst();
  if (row === undefined) throw analyticsErrors.site_unknown();
  return row.id;
}

/**
 * Returns the number of a site by its `site_id`, from the database, since another replica may have
 * registered it. Throws `analytics.site_unknown`.
 */
export const findSiteId = (db: Database, key: string) => readId(selectId(db, key));

/** The same, with the site locked until the transaction ends, so that counts stay valid. */
export const lockSiteId = (transaction: Database, key: string) =>
  readId(selectId(transaction, key).forUpdate());
