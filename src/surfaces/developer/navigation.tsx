import { type Html } from '../../lib/text/html.ts';
import { Field, Form } from '../../platform/ui/components/form.tsx';
import { Nav, type NavGroup, type NavLink } from '../../platform/ui/components/navigation.tsx';
import { Disclosure } from '../../platform/ui/components/overlay.tsx';
import type { Guide } from './library.ts';
import { texts } from './texts/en/pages.ts';

/** The links of the navigation besides the guides. */
export const referenceLinks: readonly NavLink[] = [
  { href: '/developer/reference', text: texts.navigation.apiReference },
  { href: '/developer/errors', text: texts.navigation.errors },
  { href: '/developer/changelog', text: texts.navigation.changelog },
];

/** The path of the list of guides. */
export const guidesPath = '/developer/guides';

export const guidePath = (slug: string): string => `/developer/guides/${slug}`;

/** The link to a guide, with its chapters as children. */
export const guideLink = ({ slug, title, headings }: Guide): NavLink => ({
  href: guidePath(slug),
  text: title,
  children: headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => ({ href: `#${id}`, text })),
});

export interface SearchBox {
  /** The id of its input element, since a page may have two search forms. */
  id: string;
  /** The current search query. */
  query?: string;
  /** URL of the index that the script of the page searches. */
  indexPath: string;
}

/** The search form. The script of the page shows results while typing; it works without too. */
export const searchForm = ({ id, query, indexPath }: SearchBox): Html => (
  <Form
    action="/developer/"
    method="get"
    isInline
    submit={{ label: texts.search.button, kind: 'secondary' }}
    attributes={{ role: 'search', 'aria-label': texts.search.name, 'data-index': indexPath }}
  >
    <Field id={id} name="q" type="search" label={texts.search.label} value={query} />
  </Form>
);

/** Marks the link to the current page. Only this one shows the links below it. */
const marked =
  (current: string) =>
  ({ children = [], ...link }: NavLink): NavLink =>
    link.href === current ? { ...link, isCurrent: true, children } : link;

/** The sidebar of each page: the search, and links to all other pages. */
export const sidebar = (
  groups: readonly NavGroup[],
  current: string,
  search: Html | undefined,
): Html => (
  <>
    <Nav
      label={texts.navigation.overview}
      links={[marked(current)({ href: '/developer/', text: texts.navigation.home, icon: 'book' })]}
    />
    {search}
    <Disclosure summary={texts.navigation.menu}>
      <Nav
        label={texts.navigation.pages}
        groups={groups.map(({ title, links }) => ({ title, links: links.map(marked(current)) }))}
      />
    </Disclosure>
  </>
);
