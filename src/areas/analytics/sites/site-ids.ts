import type { Database } from '../../../platform/database/database.ts';
import { analyticsErrors } from '../errors.ts';

const selectId = (db: Database, key: string) =>
  db.selectFrom('sites').select('id').where('site_id', '=', key);

/**
 * Returns the number of a site by its `site_id`, from the database, since another replica may have
 * registered it. Throws `analytics.site_unknown`.
 */
export async function findSiteId(db: Database, key: string): Promise<number> {
  const row = await selectId(db, key).executeTakeFirst();
  if (row === undefined) throw analyticsErrors.site_unknown();
  return row.id;
}

/** The same, with the site locked until the transaction ends, so that counts stay valid. */
export async function lockSiteId(transaction: Database, key: string): Promise<number> {
  const row = await selectId(transaction, key).forUpdate().executeTakeFirst();
  if (row === undefined) throw analyticsErrors.site_unknown();
  return row.id;
}
