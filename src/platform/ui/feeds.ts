import type { Feed } from 'feed';
import { z } from 'zod';

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
export function feedAnswer(kind: FeedKind) {
  const [type = ''] = feedTypes[kind].split(';');
  return { content: { [type]: { schema: kind === 'json' ? JsonFeed : z.string() } } };
}

/** Serializes a feed. */
export const writeFeed = (feed: Feed, kind: FeedKind): string =>
  ({ atom: () => feed.atom1(), rss: () => feed.rss2(), json: () => feed.json1() })[kind]();
