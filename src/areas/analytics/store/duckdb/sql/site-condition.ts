import type { SelectionQuestion } from '../../questions.ts';

/** The condition that a row is of the site, or of one of the sites. */
export function ofSites(siteId: SelectionQuestion['siteId']): string {
  if (typeof siteId === 'number') return `site_id = ${siteId}`;
  return `site_id IN (${siteId.length === 0 ? 'NULL' : siteId.join(', ')})`;
}
