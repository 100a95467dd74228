import type { StoreQuery } from '../../queries.ts';

/** Returns the condition that a row belongs to the site, or to one of the sites. */
export function siteCondition(siteId: StoreQuery['siteId']): string {
  if (typeof siteId === 'number') return `site_id = ${siteId}`;
  return `site_id IN (${siteId.length === 0 ? 'NULL' : siteId.join(', ')})`;
}
