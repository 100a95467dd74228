import { groupBy } from '../../lib/group-by.ts';
import { escapeHtml, type Html, trusted } from '../../lib/text/html.ts';
import { formatDate } from '../../platform/i18n/dates.ts';
import { Badge, type Tone } from '../../platform/ui/components/badge.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { EmptyState } from '../../platform/ui/components/feedback.tsx';
import { type NavLink, Tabs } from '../../platform/ui/components/navigation.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { type ChangeKind, changeKinds, type ChangelogEntry } from './guide-library.ts';
import { changelogLink } from './page-landing.tsx';
import { type Surroundings, withNavigation } from './pages.tsx';
import { texts } from './texts/en/pages.ts';

const { changelog } = texts;
const path = '/developer/changelog';

/** Which changes the page shows. Default: all. */
export interface ChangelogFilter {
  kind?: ChangeKind | undefined;
  /** The part of the service: `Sign-in`. */
  area?: string | undefined;
}

const feeds = [
  ['feed.atom', 'Atom'],
  ['feed.rss', 'RSS'],
  ['feed.json', 'JSON Feed'],
] as const;

const tones: Readonly<Record<ChangeKind, Tone>> = {
  added: 'ok',
  changed: 'info',
  fixed: 'warn',
  removed: 'bad',
};

/** The newest changes are open. */
const openCount = 3;

const hrefOf = ({ kind, area }: ChangelogFilter): string => {
  const query = new URLSearchParams({
    ...(kind !== undefined && { kind }),
    ...(area !== undefined && { area }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
};

const matches = ({ kind, area }: ChangelogFilter, entry: ChangelogEntry): boolean =>
  (kind === undefined || entry.kind === kind) && (area === undefined || entry.area === area);

/** Links that set one part of the filter and keep the other, each with its number of changes. */
function filterTabs(entries: readonly ChangelogEntry[], filter: ChangelogFilter): Html {
  const link = (text: string, to: ChangelogFilter): NavLink => ({
    href: hrefOf(to),
    text,
    isCurrent: to.kind === filter.kind && to.area === filter.area,
    count: entries.filter((entry) => matches(to, entry)).length,
  });
  const areas = [...new Set(entries.map(({ area }) => area))].toSorted();
  return (
    <div class="change-filter">
      <Tabs
        label={changelog.byKind}
        links={[undefined, ...changeKinds].map((kind) =>
          link(kind === undefined ? changelog.all : changelog.kinds[kind], { ...filter, kind }),
        )}
      />
      <Tabs
        label={changelog.byArea}
        isCompact
        links={[undefined, ...areas].map((area) => ({
          ...link(area ?? changelog.allAreas, { ...filter, area }),
          count: 0,
        }))}
      />
    </div>
  );
}

/** A change: its title, and its text when opened. A link to its text opens it. */
const change = ({ id, title, kind, area, html }: ChangelogEntry, isOpen: boolean): Html => (
  <details class="log-entry" open={isOpen}>
    <summary>
      <Badge text={changelog.kinds[kind]} tone={tones[kind]} />
      <h3 safe>{title}</h3>
      <span class="change-area">{escapeHtml(area)}</span>
      <Icon name="chevron-down" />
    </summary>
    <div class="prose" id={id}>
      {trusted(html)}
    </div>
  </details>
);

/** The changes of one day beside its date. */
const day = (
  date: string,
  entries: readonly ChangelogEntry[],
  open: ReadonlySet<ChangelogEntry>,
): Html => (
  <section class="change-day">
    <h2 id={date}>
      <a href={`#${date}`}>
        <time datetime={date} safe>
          {formatDate(date)}
        </time>
      </a>
    </h2>
    <div>{entries.map((entry) => change(entry, open.has(entry)))}</div>
  </section>
);

const feedLinks = (
  <p class="hint change-feeds">
    {escapeHtml(changelog.feeds)}
    {feeds.map(([file, label]) => (
      <a href={`${path}/${file}`}>{escapeHtml(label)}</a>
    ))}
  </p>
);

function changes(shown: readonly ChangelogEntry[]): Html {
  const open = new Set(shown.slice(0, openCount));
  const days = [...groupBy(shown, ({ date }) => date)];
  return days.length === 0 ? (
    <EmptyState
      icon="search"
      text={changelog.none}
      action={<Button href={path} label={changelog.showAll} />}
    />
  ) : (
    <>{days.map(([date, ofDay]) => day(date, ofDay, open))}</>
  );
}

/** The changelog, newest first, as far as `filter` lets it through. */
export function changelogPage(filter: ChangelogFilter, surroundings: Surroundings): SitePage {
  const entries = surroundings.library.changelog();
  return withNavigation(
    {
      title: changelog.title,
      path,
      description: changelog.description({ appName: surroundings.appName }),
      head: changelogLink,
      styles: ['developer.css', 'folds.css'],
      body: (
        <>
          <p class="lead" safe>
            {changelog.lead}
          </p>
          {feedLinks}
          {filterTabs(entries, filter)}
          {changes(entries.filter((entry) => matches(filter, entry)))}
        </>
      ),
    },
    surroundings,
  );
}
