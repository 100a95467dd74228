import { escapeHtml, type Html, trusted } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { ChangelogEntry, GuideLibrary } from './guide-library.ts';
import type { SearchResult, Guide } from './library.ts';
import {
  guidePath,
  guideLink,
  referenceLinks,
  searchForm,
  sidebar,
  type NavLink,
  type NavGroup,
} from './navigation.tsx';

/** What the layout of every developer page needs. */
export interface Surroundings {
  library: GuideLibrary;
  appName: string;
  /** URL of the search index. */
  indexPath: string;
}

/** The reference links of the landing page. */
const surfaces: readonly (readonly [href: string, name: string, text: string])[] = [
  [
    '/developer/reference',
    'API reference',
    'Every operation with its fields, its answers and samples in curl, TypeScript and Python. ' +
      'Try it while you are signed in.',
  ],
  [
    '/developer/errors',
    'Error catalogue',
    'Every code of a problem document, with its status and what it means.',
  ],
  [
    '/api/graphql/',
    'GraphQL',
    'One question over people, sites, devices and incidents; subscriptions over WebSocket.',
  ],
  ['/developer/guides/mcp', 'MCP', 'Tools, resources and prompts for assistants, at /api/v2/mcp/.'],
  ['/developer/guides/realtime', 'Realtime', 'WebSockets that catch up with what was missed.'],
  [
    '/api/docs',
    'Swagger UI',
    'The OpenAPI document, to be tried and to be loaded from /api/openapi.json.',
  ],
  ['/developer/changelog', 'Changelog', 'What became better, and when. As a feed too.'],
];

const groupsOf = (library: GuideLibrary): NavGroup[] => [
  ...library.groups().map(({ title, guides }) => ({ title, links: guides.map(guideLink) })),
  { title: 'Reference', links: referenceLinks },
];

/** Adds navigation, script and styles to a page. `extraLinks` are links within the page. */
export function withNavigation(
  page: SitePage,
  { library, indexPath }: Surroundings,
  extraLinks: readonly NavLink[] = [],
): SitePage {
  const { path = '' } = page;
  const groups = groupsOf(library).map(({ title, links }) => ({
    title,
    links: links.flatMap((link) => {
      if (link.href === path) return [{ children: extraLinks, ...link }];
      // The page of a tag is listed below the reference.
      return path.startsWith(`${link.href}/`)
        ? [link, { href: path, text: page.title, children: extraLinks }]
        : [link];
    }),
  }));
  const search = path === '/developer/' ? undefined : searchForm({ id: 'search', indexPath });
  return {
    isWide: true,
    script: 'developer.js',
    styles: ['developer.css'],
    ...page,
    aside: sidebar(groups, path, search),
  };
}

function neighbours(library: GuideLibrary, slug: string): Html {
  const guides = library.guides();
  const at = guides.findIndex((guide) => guide.slug === slug);
  const link = (guide: Guide | undefined, word: string) =>
    guide === undefined ? (
      <span></span>
    ) : (
      <a href={guidePath(guide.slug)}>
        {escapeHtml(word)}: {escapeHtml(guide.title)}
      </a>
    );
  return (
    <nav class="pages" aria-label="Neighbours">
      {link(guides[at - 1], 'Before')}
      {link(guides[at + 1], 'Next')}
    </nav>
  );
}

/** The page of a guide. */
export function guidePage(guide: Guide, surroundings: Surroundings): SitePage {
  const path = guidePath(guide.slug);
  return withNavigation(
    {
      title: guide.title,
      path,
      description: guide.description,
      head: <link rel="alternate" type="text/markdown" href={`${path}.md`} title={guide.title} />,
      body: (
        <>
          <p class="also" data-markdown={`${path}.md`}>
            <a href={`${path}.md`}>This page as Markdown</a>
          </p>
          <div class="text">{trusted(guide.html)}</div>
          {neighbours(surroundings.library, guide.slug)}
        </>
      ),
    },
    surroundings,
  );
}

const resultItem = ({ slug, title, heading, excerpt }: SearchResult): Html => (
  <li>
    <h3>
      <a href={`${guidePath(slug)}${heading === undefined ? '' : `#${heading.id}`}`} safe>
        {heading === undefined ? title : heading.text}
      </a>
    </h3>
    <p>
      {heading === undefined ? undefined : (
        <>
          <b safe>{title}</b> –
        </>
      )}
      {escapeHtml(excerpt)}
    </p>
  </li>
);

function resultList(query: string, found: readonly SearchResult[]): Html {
  if (found.length === 0)
    return (
      <p role="status">
        Nothing was found for “{escapeHtml(query)}”. Try one word of it, the code of an error, or
        the name of a field.
      </p>
    );
  return (
    <>
      <div role="status">
        <h2>
          {escapeHtml(found.length === 1 ? 'One place' : `${found.length} places`)} for “
          {escapeHtml(query)}”
        </h2>
      </div>
      <ul class="cards">{found.map(resultItem)}</ul>
    </>
  );
}

const card = (href: string, name: string, text: string): Html => (
  <li>
    <h3>
      <a href={href} safe>
        {name}
      </a>
    </h3>
    <p safe>{text}</p>
  </li>
);

/** The landing page: the results of a search, if any, and all guides. */
export function landingPage(
  search: { query: string; found: readonly SearchResult[] } | undefined,
  surroundings: Surroundings,
): SitePage {
  const { library, appName, indexPath } = surroundings;
  const groups = library.groups().map(({ title, guides }) => (
    <>
      <h2 safe>{title}</h2>
      <ul class="cards">
        {guides.map(({ slug, title: name, description }) =>
          card(guidePath(slug), name, description),
        )}
      </ul>
    </>
  ));
  const available = surfaces.filter(
    ([href]) =>
      !href.startsWith('/developer/guides/') ||
      library.find(href.slice('/developer/guides/'.length)) !== undefined,
  );
  return withNavigation(
    {
      title: search === undefined ? 'Developers' : `Search: ${search.query.slice(0, 60)}`,
      path: '/developer/',
      description:
        `Guides, API reference and error catalogue of ${appName}: from the first event and ` +
        'the first sign-in to realtime, GraphQL and MCP.',
      heading: <h1>Build with {escapeHtml(appName)}</h1>,
      head: (
        <link
          rel="alternate"
          type="application/atom+xml"
          href="/developer/changelog/feed.atom"
          title="Changelog"
        />
      ),
      body: (
        <>
          <p class="lead">
            Guides with examples to paste, a reference that is made from the code, and one place for
            every error.
          </p>
          {searchForm({
            id: 'search',
            indexPath,
            ...(search === undefined ? {} : { query: search.query }),
          })}
          {search === undefined ? undefined : resultList(search.query, search.found)}
          {groups}
          <h2>Reference</h2>
          <ul class="cards">{available.map(([href, name, text]) => card(href, name, text))}</ul>
          <p>
            For programs that read: <a href="/llms.txt">llms.txt</a> lists the guides,{' '}
            <a href="/developer/llms-full.txt">llms-full.txt</a> has all of their text, and each
            guide is Markdown at its address with <code>.md</code>.
          </p>
        </>
      ),
    },
    surroundings,
  );
}

/** The changelog. `entries` are newest first. */
export function changelogPage(
  entries: readonly ChangelogEntry[],
  surroundings: Surroundings,
): SitePage {
  return withNavigation(
    {
      title: 'Changelog',
      path: '/developer/changelog',
      description: `What changed in ${surroundings.appName}, the newest first.`,
      head: (
        <link
          rel="alternate"
          type="application/atom+xml"
          href="/developer/changelog/feed.atom"
          title="Changelog"
        />
      ),
      body: (
        <>
          <p class="also">
            <a href="/developer/changelog/feed.atom">Atom</a>{' '}
            <a href="/developer/changelog/feed.rss">RSS</a>{' '}
            <a href="/developer/changelog/feed.json">JSON Feed</a>
          </p>
          <div class="text">
            {entries.map(({ id, date, title, html: text }) => (
              <>
                <h2 id={id}>
                  <a href={`#${id}`} safe>
                    {title}
                  </a>
                </h2>
                <p class="updated">
                  <time datetime={date} safe>
                    {date}
                  </time>
                </p>
                {trusted(text)}
              </>
            ))}
          </div>
        </>
      ),
    },
    surroundings,
  );
}

/** The error page for an unknown guide, with suggestions. */
export function missingGuidePage(
  slug: string,
  near: readonly Guide[],
  surroundings: Surroundings,
): SitePage {
  return withNavigation(
    {
      title: 'There is no such guide',
      isError: true,
      body: (
        <>
          <p>Nothing is called “{escapeHtml(slug)}” here.</p>
          {near.length === 0 ? undefined : (
            <>
              <p>Did you mean one of these?</p>
              <ul>
                {near.map(({ slug: other, title }) => (
                  <li>
                    <a href={guidePath(other)} safe>
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p>
            <a href="/developer/">All guides</a>
          </p>
        </>
      ),
    },
    surroundings,
  );
}
