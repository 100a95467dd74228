import type { Selectable } from 'kysely';
import type { Tables } from '../../../../platform/database/tables.ts';
import type { Database } from '../../../../platform/database/database.ts';

export type ShareRecord = Selectable<Tables['analytics_shares']>;

/**
 * Revokes a share at a time, or brings it back (null). Returns whether it changed; undefined if
 * the site has none with this id.
 */
async function setRevoked(
  transaction: Database,
  siteKey: string,
  id: string,
  at: Date | null,
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
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', at === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Reads and writes the table `analytics_shares`, which holds only hashes of the link secrets. */
export const createShareStore = (db: Database) => ({
  setRevoked,

  async insert(transaction: Database, share: ShareRecord): Promise<void> {
    await transaction.insertInto('analytics_shares').values(share).execute();
  },

  /** Lists the active shares of a site, newest first. */
  list: (site: number, within = db): Promise<ShareRecord[]> =>
    within
      .selectFrom('analytics_shares')
      .selectAll()
      .where('site', '=', site)
      .where('revoked_at', 'is', null)
      .orderBy('id', 'desc')
      .execute(),

  /** Returns the share with this secret, unless revoked, with the `site_id` of its site. */
  find: (slugHash: string): Promise<(ShareRecord & { site_id: string }) | undefined> =>
    db
      .selectFrom('analytics_shares')
      .innerJoin('sites', 'sites.id', 'analytics_shares.site')
      .selectAll('analytics_shares')
      .select('sites.site_id')
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
