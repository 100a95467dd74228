import { escapeHtml, type Html, trusted } from '../../lib/text/html.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import type { NavGroup, NavLink } from '../../platform/ui/components/navigation.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { GuideLibrary } from './guide-library.ts';
import type { Guide } from './library.ts';
import {
  guidePath,
  guideLink,
  guidesPath,
  referenceLinks,
  searchForm,
  sidebar,
} from './navigation.tsx';
import { texts } from './texts/en/pages.ts';

/** What the layout of every developer page needs. */
export interface Surroundings {
  library: GuideLibrary;
  appName: string;
  /** URL of the search index. */
  indexPath: string;
}

export interface Entry {
  href: string;
  title: string;
  text: string;
}

const { guideList, guide: guideTexts, missing } = texts;

const groupsOf = (library: GuideLibrary): NavGroup[] => [
  ...library.groups().map(({ title, guides }) => ({ title, links: guides.map(guideLink) })),
  { title: texts.navigation.reference, links: referenceLinks },
];

/** The navigation of guides and references. `extraLinks` are links within the page. */
const navigationGroups = (
  { path }: SitePage,
  library: GuideLibrary,
  extraLinks: readonly NavLink[],
): NavGroup[] =>
  groupsOf(library).map(({ title, links }) => ({
    title,
    links: links.map((link) => (link.href === path ? { children: extraLinks, ...link } : link)),
  }));

/**
 * Adds navigation, script and styles to a page. `extraLinks` are links within the page; the
 * reference has `ownGroups` of links, by resource.
 */
export function withNavigation(
  page: SitePage,
  { library, indexPath }: Surroundings,
  extraLinks: readonly NavLink[] = [],
  ownGroups?: readonly NavGroup[],
): SitePage {
  const { path = '' } = page;
  const groups = ownGroups ?? navigationGroups(page, library, extraLinks);
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
  const [before, after] = [guides[at - 1], guides[at + 1]];
  return (
    <nav class="neighbours" aria-label={guideTexts.neighbours}>
      {before && (
        <a href={guidePath(before.slug)} rel="prev">
          <Icon name="arrow-left" />
          {escapeHtml(guideTexts.previous({ title: before.title }))}
        </a>
      )}
      {after && (
        <a href={guidePath(after.slug)} rel="next">
          {escapeHtml(guideTexts.next({ title: after.title }))}
          <Icon name="arrow-right" />
        </a>
      )}
    </nav>
  );
}

/** The Markdown of a page, for its head. */
const markdownLink = (path: string, title: string): Html => (
  <link rel="alternate" type="text/markdown" href={`${path}.md`} title={title} />
);

const markdownButton = (path: string): Html => (
  <div class="also btn-row" data-markdown={`${path}.md`}>
    <Button href={`${path}.md`} label={guideTexts.markdown} kind="ghost" size="small" />
  </div>
);

/** The page of a guide. */
export function guidePage(guide: Guide, surroundings: Surroundings): SitePage {
  const path = guidePath(guide.slug);
  return withNavigation(
    {
      title: guide.title,
      path,
      description: guide.description,
      head: markdownLink(path, guide.title),
      body: (
        <>
          {markdownButton(path)}
          <div class="prose">{trusted(guide.html)}</div>
          {neighbours(surroundings.library, guide.slug)}
        </>
      ),
    },
    surroundings,
  );
}

const entry = ({ href, title, text }: Entry): Html => (
  <li>
    <h3>
      <a href={href} safe>
        {title}
      </a>
    </h3>
    <p safe>{text}</p>
  </li>
);

/** A group of links: its title above them. */
export const entryGroup = (title: string, entries: readonly Entry[]): Html => (
  <section class="guide-group">
    <h2 safe>{title}</h2>
    <ul class="guide-list">{entries.map(entry)}</ul>
  </section>
);

const guideGroups = (library: GuideLibrary): Html[] =>
  library.groups().map(({ title, guides }) =>
    entryGroup(
      title,
      guides.map(({ slug, title: name, description: text }) => ({
        href: guidePath(slug),
        title: name,
        text,
      })),
    ),
  );

/** The list of all guides. */
export function guidesPage(surroundings: Surroundings): SitePage {
  const { library, appName } = surroundings;
  return withNavigation(
    {
      title: guideList.title,
      path: guidesPath,
      description: guideList.description({ appName }),
      head: markdownLink(guidesPath, guideList.title),
      body: (
        <>
          {markdownButton(guidesPath)}
          <p class="lead" safe>
            {guideList.lead}
          </p>
          {guideGroups(library)}
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
      title: missing.title,
      isError: true,
      body: (
        <>
          <p safe>{missing.text({ slug })}</p>
          {near.length === 0 ? undefined : (
            <>
              <p safe>{missing.suggestions}</p>
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
          <Button href={guidesPath} label={missing.all} icon="book" />
        </>
      ),
    },
    surroundings,
  );
}
