import type { Selectable } from 'kysely';
import type { Tables } from '../../../../platform/database/tables.ts';
import type { Database } from '../../../../platform/database/database.ts';

export type ShareRecord = Omit<Selectable<Tables['analytics_shares']>, 'slug_hash'>;

const columns = [
  'id',
  'site',
  'name',
  'password_hash',
  'expires_at',
  'created_by',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

/** Returns whether the share was active until now; undefined if the site has none with this id. */
async function revoke(
  transaction: Database,
  siteKey: string,
  id: string,
  now: Date,
): Promise<boolean | undefined> {
  const found = await transaction
    .selectFrom('analytics_shares')
    .innerJoin('sites', 'sites.id', 'analytics_shares.site')
    .select('revoked_at')
    .where('analytics_shares.id', '=', id)
    .where('sites.site_id', '=', siteKey)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { numUpdatedRows } = await transaction
    .updateTable('analytics_shares')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Reads and writes the table `analytics_shares`, which holds only hashes of the link secrets. */
export const createShareStore = (db: Database) => ({
  revoke,

  async count(transaction: Database, site: number): Promise<number> {
    const { count } = await transaction
      .selectFrom('analytics_shares')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('site', '=', site)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  async insert(transaction: Database, share: ShareRecord, slugHash: string): Promise<void> {
    const row = { ...share, slug_hash: slugHash };
    await transaction.insertInto('analytics_shares').values(row).execute();
  },

  /** Lists the active shares of a site, newest first. */
  list: (site: number): Promise<ShareRecord[]> =>
    db
      .selectFrom('analytics_shares')
      .select(columns)
      .where('site', '=', site)
      .where('revoked_at', 'is', null)
      .orderBy('id', 'desc')
      .execute(),

  /** Returns the share with this secret, unless revoked, with the `site_id` of its site. */
  find: (slugHash: string): Promise<(ShareRecord & { site_id: string }) | undefined> =>
    db
      .selectFrom('analytics_shares')
      .innerJoin('sites', 'sites.id', 'analytics_shares.site')
      .select([...columns.map((column) => `analytics_shares.${column}` as const), 'sites.site_id'])
      .where('slug_hash', '=', slugHash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),

  /** Records the use of a link, unless a use after `unlessSince` is recorded. */
  async touch(id: string, now: Date, unlessSince: Date): Promise<void> {
    await db
      .updateTable('analytics_shares')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', unlessSince)]))
      .execute();
  },
});

export type ShareStore = ReturnType<typeof createShareStore>;
