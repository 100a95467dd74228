import type { Config } from '../../config.ts';
import { createSiteLayout, type MenuEntry, type SiteLayout } from '../../platform/ui/pages.tsx';
import { pricing, type PricingView } from './pricing.ts';

/** Facts about the service and its operator, for the pages. */
export interface SiteFacts {
  appName: string;
  /** The public URL, without a trailing slash. */
  baseUrl: string;
  contactEmail: string | undefined;
  /** The legal name of the operator. */
  legalName: string;
  legalAddress: string | undefined;
}

export interface Site {
  site: SiteFacts;
  siteLayout: SiteLayout;
  pricing: PricingView;
}

const menu: readonly MenuEntry[] = [
  ['/developer/', 'Developers'],
  ['/install', 'Install'],
  ['/status', 'Status'],
  ['/login', 'Sign in'],
];
const smallPrint: readonly MenuEntry[] = [
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/data-policy', 'Data policy'],
  ['/status', 'Status'],
];

/** Creates the site from the configuration. */
export function createSite(config: Config, baseUrl: string): Site {
  const {
    APP_NAME: appName,
    CONTACT_EMAIL: contactEmail,
    LEGAL_NAME: legalName = appName,
    LEGAL_ADDRESS: legalAddress,
  } = config;
  const site = { appName, baseUrl, contactEmail, legalName, legalAddress };
  return {
    site,
    siteLayout: createSiteLayout({ ...site, menu, smallPrint }),
    pricing: pricing(config),
  };
}
