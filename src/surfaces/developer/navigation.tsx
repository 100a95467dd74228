import { type Html } from '../../lib/text/html.ts';
import type { Guide } from './library.ts';
import { texts } from './texts/en/pages.ts';

/** A link of the navigation. Its `children` are shown while its page is the current one. */
export interface NavLink {
  href: string;
  text: string;
  children?: readonly NavLink[];
}

export interface NavGroup {
  title: string;
  links: readonly NavLink[];
}

/** The links of the navigation besides the guides. */
export const referenceLinks: readonly NavLink[] = [
  { href: '/developer/reference', text: texts.navigation.apiReference },
  { href: '/developer/errors', text: texts.navigation.errors },
  { href: '/developer/changelog', text: texts.navigation.changelog },
];

export const guidePath = (slug: string): string => `/developer/guides/${slug}`;

/** The link to a guide, with its chapters as children. */
export const guideLink = ({ slug, title, headings }: Guide): NavLink => ({
  href: guidePath(slug),
  text: title,
  children: headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => ({ href: `#${id}`, text })),
});

function item({ href, text, children = [] }: NavLink, current: string): Html {
  const isCurrent = href === current;
  const sublist =
    !isCurrent || children.length === 0 ? undefined : (
      <ul>
        {children.map((child) => (
          <li>
            <a href={child.href} safe>
              {child.text}
            </a>
          </li>
        ))}
      </ul>
    );
  return (
    <li>
      <a href={href} {...(isCurrent ? { 'aria-current': 'page' } : undefined)} safe>
        {text}
      </a>
      {sublist}
    </li>
  );
}

export interface SearchBox {
  /** The id of its input element, since a page may have two search forms. */
  id: string;
  /** The current search query. */
  query?: string;
  /** URL of the index that the script of the page searches. */
  indexPath: string;
}

/** The search form. The script of the page shows results while typing; it works without too. */
export const searchForm = ({ id, query = '', indexPath }: SearchBox): Html => (
  <form
    class="find"
    action="/developer/"
    method="get"
    role="search"
    aria-label={texts.search.name}
    data-index={indexPath}
  >
    <label for={id} safe>
      {texts.search.label}
    </label>{' '}
    <input id={id} type="search" name="q" value={query} maxlength="200" autocomplete="off" />{' '}
    <button type="submit" safe>
      {texts.search.button}
    </button>
  </form>
);

/** The sidebar of each page: the search, and links to all other pages. */
export const sidebar = (
  groups: readonly NavGroup[],
  current: string,
  search: Html | undefined,
): Html => (
  <>
    <nav class="home" aria-label={texts.navigation.overview}>
      <a
        href="/developer/"
        {...(current === '/developer/' ? { 'aria-current': 'page' } : undefined)}
        safe
      >
        {texts.navigation.home}
      </a>
    </nav>
    {search}
    <details class="menu">
      <summary safe>{texts.navigation.menu}</summary>
      <nav aria-label={texts.navigation.pages}>
        {groups.map(({ title, links }) => (
          <>
            <p safe>{title}</p>
            <ul>{links.map((link) => item(link, current))}</ul>
          </>
        ))}
      </nav>
    </details>
  </>
);
