import type { Database } from '../../../platform/database/database.ts';

/**
 * The number of a site by its `site_id`, whichever replica registered it; undefined when there is
 * none.
 */
export async function findSiteId(db: Database, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('site_id', '=', key)
    .executeTakeFirst();
  return row?.id;
}

/**
 * The same, locked until the end of the transaction: what is counted of the site in it stays true.
 */
export async function lockSiteId(within: Database, key: string): Promise<number | undefined> {
  const row = await within
    .selectFrom('sites')
    .select('id')
    .where('site_id', '=', key)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
}
