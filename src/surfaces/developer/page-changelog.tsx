import { trusted } from '../../lib/text/html.ts';
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
          <div class="prose">
            {entries.map(({ id, date, title, html: text }) => (
              <>
                <h2 id={id}>
                  <a href={`#${id}`} safe>
                    {title}
                  </a>
                </h2>
                <p class="hint">
                  <time datetime={date} safe>
                    {formatDate(date)}
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
