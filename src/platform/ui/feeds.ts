import type { Feed } from 'feed';
import { z } from 'zod';
import { escapeHtml } from '../../lib/text/html.ts';

export type FeedKind = 'atom' | 'rss' | 'json';
export const feedKinds = ['atom', 'rss', 'json'] as const satisfies readonly FeedKind[];
export const feedNames: Readonly<Record<FeedKind, string>> = {
  atom: 'Atom',
  rss: 'RSS 2.0',
  json: 'JSON Feed',
};

/** The media type of each kind of feed (RFC 4287, RSS 2.0, JSON Feed). */
export const feedTypes: Readonly<Record<FeedKind, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

const JsonFeed = z
  .looseObject({
    version: z.string(),
    title: z.string(),
    items: z.array(z.looseObject({ id: z.string() })),
  })
  .meta({
    examples: [
      {
        version: 'https://jsonfeed.org/version/1',
        title: 'Status',
        items: [
          {
            id: 'urn:uuid:01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
            title: 'Slow API responses',
            date_modified: '2026-05-04T10:15:00.000Z',
          },
        ],
      },
    ],
  });

/** The response schema of an operation that sends this kind of feed. */
export function feedResponse(kind: FeedKind) {
  const [type = ''] = feedTypes[kind].split(';');
  return { content: { [type]: { schema: kind === 'json' ? JsonFeed : z.string() } } };
}

// Characters that XML 1.0 §2.2 can't represent.
const invalidInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

export interface FeedEntry {
  /** Never changes, even when the entry does. */
  id: string;
  link: string;
  /** Plain text. */
  title: string;
  /** HTML. */
  content: string;
  /** When it last changed. */
  date: Date;
  published?: Date;
}

/**
 * Adds an entry. Its title is plain text in RSS (2.0 Best Practices) and JSON Feed, but HTML in
 * Atom, where the library declares it so (RFC 4287 §3.1.1.2). Readers of RSS that know no
 * `content:encoded` show the `description`.
 */
export function addFeedEntry(feed: Feed, kind: FeedKind, { title, content, ...entry }: FeedEntry) {
  const text = title.replace(invalidInXml, '');
  const html = content.replace(invalidInXml, '');
  feed.addItem({
    ...entry,
    title: kind === 'atom' ? escapeHtml(text) : text,
    content: html,
    ...(kind === 'rss' ? { description: html } : {}),
  });
}

/**
 * Writes the titles of RSS as escaped text instead of as CDATA, which some readers insert into
 * their page as it is.
 */
const withEscapedTitles = (rss: string): string =>
  rss.replace(
    /<title><!\[CDATA\[(.*?)\]\]><\/title>/gs,
    (_element, parts: string) =>
      `<title>${escapeHtml(parts.replaceAll(']]><![CDATA[', ''))}</title>`,
  );

/** Serializes a feed. */
export const writeFeed = (feed: Feed, kind: FeedKind): string =>
  ({
    atom: () => feed.atom1(),
    rss: () => withEscapedTitles(feed.rss2()),
    json: () => feed.json1(),
  })[kind]();
