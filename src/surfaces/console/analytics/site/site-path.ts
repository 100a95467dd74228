import { withQuery } from '../../components/navigation.tsx';
import { analyticsPath } from '../view-params.ts';

export const sitePath = `${analyticsPath}/site`;

/** The pages of a site's settings. */
export const siteParts = ['', 'tag', 'annotations', 'shares', 'reports', 'excluded'] as const;
export type SitePart = (typeof siteParts)[number];

/** The address of a page of a site's settings. */
export const sitePartPath = (part: SitePart, site: string): string =>
  withQuery(part === '' ? sitePath : `${sitePath}/${part}`, { site_id: site });
