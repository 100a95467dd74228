import type { Config } from '../../config.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import {
  createSiteLayout,
  type Layout,
  type MenuEntry,
  type SiteLayout,
} from '../../platform/ui/pages.tsx';
import { createVisitorLayout } from '../../platform/ui/visitor-page.tsx';
import type { Menus } from './page-list.ts';
import { texts } from './texts/en/site.ts';

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
  /** Of pages for people who scanned a code or tapped a tag. */
  visitorLayout: Layout;
  menus: Menus;
  isSignupOpen: boolean;
}

const main: readonly MenuEntry[] = [
  ['/developer/', texts.menu.developers],
  ['/install', texts.menu.install],
  ['/status', texts.menu.status],
];
const signIn: MenuEntry = ['/login', texts.menu.signIn];
const signUp: MenuEntry = ['/signup', texts.menu.signUp];
const footer: readonly MenuEntry[] = [
  ['/contact', texts.menu.contact],
  ['/privacy', texts.menu.privacy],
  ['/terms', texts.menu.terms],
  ['/data-policy', texts.menu.dataPolicy],
  ['/status', texts.menu.status],
];

/** Creates the site from the configuration. Its header leads to the sign-up while that is open. */
export function createSite(
  config: Config,
  baseUrl: string,
  { isOpen, assets }: { isOpen: boolean; assets: Assets },
): Site {
  const {
    APP_NAME: appName,
    CONTACT_EMAIL: contactEmail,
    LEGAL_NAME: legalName = appName,
    LEGAL_ADDRESS: legalAddress,
  } = config;
  const account = isOpen ? [signIn, signUp] : [signIn];
  const site = { appName, baseUrl, contactEmail, legalName, legalAddress };
  return {
    site,
    siteLayout: createSiteLayout({
      ...site,
      assets,
      menu: main,
      account,
      smallPrint: footer,
    }),
    visitorLayout: createVisitorLayout({
      assets,
      brand: () => ({ name: appName, logo: assets.path('icon.svg') }),
    }),
    menus: { main, account, footer },
    isSignupOpen: isOpen,
  };
}
