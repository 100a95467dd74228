import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import type { AnalyticsResources } from '../resources.ts';

/**
 * Creates the function that returns the site whose figures count the openings of a link: the one
 * that an admin has named, or the service itself. It registers the site, so that the first opening
 * counts even where registration is closed, and throws a RequestValidationError if there are as
 * many as SITE_LIMIT allows.
 */
export const createLinkSite =
  ({ sites, baseOrigin }: Pick<AnalyticsResources, 'sites' | 'baseOrigin'>) =>
  async (key: string = new URL(baseOrigin).hostname): Promise<string> => {
    if ((await sites.add(key)) !== undefined) return key;
    throw new RequestValidationError([
      valueError(['body', 'site_id'], 'is not a site yet, and SITE_LIMIT is reached'),
    ]);
  };
