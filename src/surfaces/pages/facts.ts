import type { Config } from '../../config.ts';
import { createSiteLayout, type MenuEntry, type SiteLayout } from '../../platform/ui/pages.ts';
import { pricing, type PricingView } from './pricing.ts';

/** What the pages say of the service and of who offers it. */
export interface SiteFacts {
  appName: string;
  /** The public URL without a slash at the end. */
  baseUrl: string;
  contactEmail: string | undefined;
  /** Who offers the service. */
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

/** The site as the operator has configured it. */
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
