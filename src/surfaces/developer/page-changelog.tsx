import { groupBy } from '../../lib/group-by.ts';
import { type Html, trusted } from '../../lib/text/html.ts';
import { formatDate } from '../../platform/i18n/dates.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import type { ChangelogEntry } from './guide-library.ts';
import { changelogLink } from './page-landing.tsx';
import { type Surroundings, withNavigation } from './pages.tsx';
import { texts } from './texts/en/pages.ts';

const { changelog } = texts;

const feeds = [
  ['feed.atom', 'Atom'],
  ['feed.rss', 'RSS'],
  ['feed.json', 'JSON Feed'],
] as const;

const byDay = (entries: readonly ChangelogEntry[]) => groupBy(entries, ({ date }) => date);

/** The changes of one day under its date. */
const day = (date: string, entries: readonly ChangelogEntry[]): Html => (
  <>
    <h2 id={date}>
      <a href={`#${date}`}>
        <time datetime={date} safe>
          {formatDate(date)}
        </time>
      </a>
    </h2>
    {entries.map(({ id, title, html: text }) => (
      <>
        <h3 id={id}>
          <a href={`#${id}`} safe>
            {title}
          </a>
        </h3>
        {trusted(text)}
      </>
    ))}
  </>
);

/** The changelog. `entries` are newest first. */
export function changelogPage(
  entries: readonly ChangelogEntry[],
  surroundings: Surroundings,
): SitePage {
  return withNavigation(
    {
      title: changelog.title,
      path: '/developer/changelog',
      description: changelog.description({ appName: surroundings.appName }),
      head: changelogLink,
      body: (
        <>
          <div class="also btn-row">
            {feeds.map(([file, label]) => (
              <Button
                href={`/developer/changelog/${file}`}
                label={label}
                kind="ghost"
                size="small"
              />
            ))}
          </div>
          <div class="prose">{[...byDay(entries)].map(([date, ofDay]) => day(date, ofDay))}</div>
        </>
      ),
    },
    surroundings,
  );
}
