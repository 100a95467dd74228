import { accountPath, consolePath } from '../../lib/site-paths.ts';
import { memoizeByObject } from '../../lib/memoize.ts';
import type { Brand } from '../../platform/brand/brand.ts';
import type { Resources } from '../../platform/resources.ts';
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
  isSignupOpen: boolean;
}

export interface Site {
  /** The facts as they are now: the same object until one of them changes. */
  site: () => SiteFacts;
  siteLayout: SiteLayout;
  /** Of pages for people who scanned a code or tapped a tag. */
  visitorLayout: Layout;
  menus: (site: SiteFacts) => Menus;
}

const main: readonly MenuEntry[] = [
  ['/pricing', texts.menu.pricing],
  ['/developer/', texts.menu.developers],
  ['/install', texts.menu.install],
  ['/status', texts.menu.status],
];
const signIn: MenuEntry = ['/login', texts.menu.signIn];
const signUp: MenuEntry = ['/signup', texts.menu.signUp];
const signedIn = [
  [accountPath, texts.menu.account, 'when-in'],
  [consolePath, texts.menu.console, 'when-console'],
] as const;
const footer: readonly MenuEntry[] = [
  ['/contact', texts.menu.contact],
  ['/privacy', texts.menu.privacy],
  ['/terms', texts.menu.terms],
  ['/data-policy', texts.menu.dataPolicy],
  ['/status', texts.menu.status],
];

/** Creates the site. Its header leads to the sign-up while that is open. A change of that makes the
 * brand another object, so that pages kept with it are made anew. */
export function createSite(
  { brand, baseUrl }: Pick<Resources, 'brand' | 'baseUrl'>,
  { isOpen, assets }: { isOpen: () => boolean; assets: Assets },
): Site {
  const accountOf = (isSignupOpen: boolean) => (isSignupOpen ? [signIn, signUp] : [signIn]);
  const factsOf = memoizeByObject((now: Brand): SiteFacts => ({
    appName: now.name,
    baseUrl,
    contactEmail: now.contactEmail,
    legalName: now.legalName,
    legalAddress: now.legalAddress,
    isSignupOpen: isOpen(),
  }));
  return {
    site: () => factsOf(brand()),
    siteLayout: createSiteLayout({
      brand,
      baseUrl,
      assets,
      menu: main,
      account: () => accountOf(isOpen()),
      signedIn,
      smallPrint: footer,
    }),
    visitorLayout: createVisitorLayout({ assets, brand, baseUrl }),
    menus: ({ isSignupOpen }) => ({ main, account: accountOf(isSignupOpen), footer }),
  };
}
