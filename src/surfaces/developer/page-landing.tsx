import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { EmptyState } from '../../platform/ui/components/feedback.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { GuideLibrary } from './guide-library.ts';
import type { SearchResult } from './library.ts';
import { guidePath, guidesPath, searchForm } from './navigation.tsx';
import { type Entry, entryGroup, type Surroundings, withNavigation } from './pages.tsx';
import { texts } from './texts/en/pages.ts';

const { landing } = texts;

/** The reference links of the landing page. */
const surfaces: readonly Entry[] = [
  { href: '/developer/reference', ...landing.cards.reference },
  { href: '/developer/errors', ...landing.cards.errors },
  { href: '/api/graphql/', ...landing.cards.graphql },
  { href: '/developer/guides/mcp', ...landing.cards.mcp },
  { href: '/developer/guides/realtime', ...landing.cards.realtime },
  { href: '/api/docs', ...landing.cards.swagger },
  { href: '/developer/changelog', ...landing.cards.changelog },
];

const resultItem = ({ slug, title, heading, excerpt }: SearchResult): Html => (
  <li>
    <h3>
      <a href={`${guidePath(slug)}${heading === undefined ? '' : `#${heading.id}`}`} safe>
        {heading === undefined ? title : heading.text}
      </a>
    </h3>
    {heading !== undefined && (
      <p class="hint" safe>
        {title}
      </p>
    )}
    <p safe>{excerpt}</p>
  </li>
);

const resultList = (query: string, found: readonly SearchResult[]): Html =>
  found.length === 0 ? (
    <div role="status">
      <EmptyState icon="search" text={texts.search.none({ query })} />
    </div>
  ) : (
    <>
      <div role="status">
        <h2 safe>{texts.search.found({ count: found.length, query })}</h2>
      </div>
      <ul class="search-results">{found.map(resultItem)}</ul>
    </>
  );

const iconOf = { measure: 'chart', people: 'users', reach: 'qr' } as const;

/** A way through the guides: what one can have in an hour, in order. */
function path(id: keyof typeof iconOf, library: GuideLibrary): Html {
  const { title, text, guides } = landing.paths[id];
  return (
    <section class="start-path">
      <Icon name={iconOf[id]} />
      <h2 safe>{title}</h2>
      <p safe>{text}</p>
      <ol>
        {guides
          .flatMap((slug) => library.find(slug) ?? [])
          .map((guide) => (
            <li>
              <a href={guidePath(guide.slug)} safe>
                {guide.title}
              </a>
            </li>
          ))}
      </ol>
    </section>
  );
}

const paths = (library: GuideLibrary): Html => (
  <>
    <div class="start-paths">
      {path('measure', library)}
      {path('people', library)}
      {path('reach', library)}
    </div>
    <Button href={guidesPath} label={landing.allGuides({ count: library.guides().length })} />
  </>
);

/** The feed of the changelog, for the head of a page. */
export const changelogLink = (
  <link
    rel="alternate"
    type="application/atom+xml"
    href="/developer/changelog/feed.atom"
    title={landing.changelogFeed}
  />
);

/** The landing page: the results of a search, if any, then three paths and the references. */
export function landingPage(
  search: { query: string; found: readonly SearchResult[] } | undefined,
  surroundings: Surroundings,
): SitePage {
  const { library, appName, indexPath } = surroundings;
  const available = surfaces.filter(
    ({ href }) =>
      !href.startsWith('/developer/guides/') ||
      library.find(href.slice('/developer/guides/'.length)) !== undefined,
  );
  return withNavigation(
    {
      title:
        search === undefined
          ? landing.title
          : landing.searchTitle({ query: search.query.slice(0, 60) }),
      path: '/developer/',
      description: landing.description({ appName }),
      heading: <h1 safe>{landing.heading({ appName })}</h1>,
      head: changelogLink,
      body: (
        <>
          <p class="lead" safe>
            {landing.lead}
          </p>
          {searchForm({
            id: 'search',
            indexPath,
            ...(search === undefined ? {} : { query: search.query }),
          })}
          {search === undefined ? undefined : resultList(search.query, search.found)}
          {search === undefined ? paths(library) : undefined}
          {entryGroup(texts.navigation.reference, available)}
          <p class="for-programs">
            {rich(landing.programs, {
              list: linkTo('/llms.txt'),
              full: linkTo('/developer/llms-full.txt'),
              code: inlineCode,
            })}
          </p>
        </>
      ),
    },
    surroundings,
  );
}
