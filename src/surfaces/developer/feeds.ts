import { addFeedEntry, type FeedKind, writeFeed } from '../../platform/ui/feeds.ts';
import type { ChangelogEntry } from './guide-library.ts';
import type { Site } from './markdown-pages.ts';
import { texts } from './texts/en/pages.ts';

/** The changelog as a feed. The id of an entry is its URL, which never changes. */
export async function changelogFeed(
  kind: FeedKind,
  entries: readonly ChangelogEntry[],
  { appName, baseUrl }: Site,
): Promise<string> {
  const { Feed } = await import('feed');
  const page = `${baseUrl}/developer/changelog`;
  const feed = new Feed({
    id: page,
    link: page,
    title: texts.changelog.feedTitle({ appName }),
    description: texts.changelog.feedDescription({ appName }),
    language: 'en',
    generator: false,
    author: { name: appName },
    updated: new Date(entries[0]?.date ?? 0),
    feedLinks: { atom: `${page}/feed.atom`, rss: `${page}/feed.rss`, json: `${page}/feed.json` },
  });
  for (const { id, date, title, html } of entries) {
    const link = `${page}#${id}`;
    addFeedEntry(feed, kind, { title, id: link, link, date: new Date(date), content: html });
  }
  return writeFeed(feed, kind);
}
