import type { MenuEntry } from '../../platform/ui/pages.tsx';
import type { PublicPage } from './page-parts.tsx';
import { texts } from './texts/en/web.ts';

/** The links of the layout: header, account links of the header, and footer. */
export interface Menus {
  main: readonly MenuEntry[];
  account: readonly MenuEntry[];
  footer: readonly MenuEntry[];
}
type MenuName = keyof Menus;

/** A public page of the service, whichever part of it shows the page. */
export interface ListedPage {
  path: string;
  title: string;
  description: string;
  /** A date (RFC 3339), if it is recorded. */
  lastModified: string | undefined;
  menus: MenuName[];
  /** Whether search engines should find it. */
  isInSitemap: boolean;
}

/** The parts of the developer library that the list needs. */
export interface PageLibrary {
  guides: () => readonly { slug: string; title: string; description: string }[];
  changelog: () => readonly { date: string }[];
}

interface OtherPage {
  path: string;
  title: string;
  description: string;
  lastModified?: string | undefined;
  isInSitemap?: boolean;
}

/** The pages of other surfaces and areas. A new public page belongs into this list. */
const otherPages = (library: PageLibrary): OtherPage[] => [
  { path: '/developer/', ...texts.developers },
  { path: '/developer/reference', ...texts.reference },
  { path: '/developer/errors', ...texts.errors },
  {
    path: '/developer/changelog',
    ...texts.changelog,
    lastModified: library.changelog()[0]?.date,
  },
  { path: '/pricing', ...texts.pricing },
  { path: '/signup', ...texts.signUp },
  { path: '/waitlist', ...texts.waitlist },
  { path: '/contact', ...texts.contact },
  { path: '/demo/deliverability/', ...texts.deliverability },
  { path: '/status', ...texts.status },
  { path: '/status/history', ...texts.statusHistory },
  { path: '/login', ...texts.signIn, isInSitemap: false },
  { path: '/developer/guides', ...texts.guides },
];

const guidePages = (library: PageLibrary): OtherPage[] =>
  library.guides().map(({ slug, title, description }) => ({
    path: `/developer/guides/${encodeURIComponent(slug)}`,
    title,
    description,
  }));

/** Lists the public pages: those of the site, those of other parts of the service, and guides. */
export function listPages(
  own: readonly PublicPage[],
  { library, menus }: { library: PageLibrary; menus: Menus },
): ListedPage[] {
  const isIn = (entries: readonly MenuEntry[], path: string): boolean =>
    entries.some(([href]) => href === path);
  return [...own, ...otherPages(library), ...guidePages(library)].map((page: OtherPage) => {
    const { path, title, description, lastModified, isInSitemap = true } = page;
    const names: readonly MenuName[] = ['main', 'account', 'footer'];
    return {
      path,
      title,
      description,
      lastModified,
      menus: names.filter((name) => isIn(menus[name], path)),
      isInSitemap,
    };
  });
}
