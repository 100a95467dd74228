import type { Feed } from 'feed';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { isUuid } from '../../../lib/ids.ts';
import { formatDateTimeRange } from '../../../platform/i18n/dates.ts';
import { Time } from '../../../platform/ui/time.tsx';
import { addFeedEntry, type FeedKind, writeFeed } from '../../../platform/ui/feeds.ts';
import type { IncidentState, StatusState, UpdateState } from '../model.ts';
import { texts } from '../texts/en.ts';

const maxEntries = 100;

/** All incidents and maintenance, last changed first. */
const entriesOf = ({ incidents, maintenances, history }: StatusState): IncidentState[] =>
  [...incidents, ...maintenances, ...history]
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, maxEntries);

/** Feed readers have no style sheet that would keep the line breaks of a text. */
const withBreaks = (line: string, at: number): Html => (
  <>
    {at > 0 && <br />}
    {escapeHtml(line)}
  </>
);

const paragraph = (text: string): Html => <p>{text.trim().split('\n').map(withBreaks)}</p>;

const update = ({ status, body, displayAt }: UpdateState): Html => (
  <>
    <p>
      {rich(texts.feed.update({ phase: texts.phases[status] }), {
        strong: (inner) => <strong>{inner}</strong>,
        time: () => <Time at={displayAt} />,
      })}
    </p>
    {body
      .trim()
      .split(/\n\s*\n/)
      .map(paragraph)}
  </>
);

function contentOf(
  { kind, impact, scheduledFor, scheduledUntil, updates }: IncidentState,
  names: readonly string[],
): string {
  const words = texts.feed;
  const facts: string[] = [];
  if (kind !== 'maintenance') facts.push(words.impact({ impact: texts.impacts[impact] }));
  if (scheduledFor !== null && scheduledUntil !== null)
    facts.push(words.scheduled({ period: formatDateTimeRange(scheduledFor, scheduledUntil) }));
  if (names.length > 0) facts.push(words.affects({ components: names.join(', ') }));
  return (
    <>
      {facts.length > 0 && <p safe>{facts.join(' ')}</p>}
      {updates.map(update)}
    </>
  );
}

function addEntry(
  feed: Feed,
  incident: IncidentState,
  { state: { components }, baseUrl, kind }: { state: StatusState; baseUrl: string; kind: FeedKind },
): void {
  const names = incident.components.flatMap(
    (id) => components.find((component) => component.id === id)?.name ?? [],
  );
  const link = new URL(`/status/incidents/${encodeURIComponent(incident.id)}`, baseUrl).href;
  addFeedEntry(feed, kind, {
    title: texts.feed.entry({ name: incident.name, phase: texts.phases[incident.status] }),
    id: isUuid(incident.id) ? `urn:uuid:${incident.id.toLowerCase()}` : link,
    link,
    date: new Date(incident.updatedAt),
    published: new Date(incident.createdAt),
    content: contentOf(incident, names),
  });
}

/** When the feed last changed, in Unix ms. Repeated checks do not count. */
const lastChangedAt = ({ components }: StatusState, entries: readonly IncidentState[]): number =>
  Math.max(
    0,
    ...entries.map(({ updatedAt }) => updatedAt),
    ...components.map(({ createdAt }) => createdAt),
  );

export interface FeedOptions {
  appName: string;
  baseUrl: string;
}

/** Renders incidents and maintenance as a feed. Entries keep their ids when they are updated. */
export async function renderFeed(
  kind: FeedKind,
  state: StatusState,
  { appName, baseUrl }: FeedOptions,
): Promise<string> {
  const { Feed: FeedBuilder } = await import('feed');
  const entries = entriesOf(state);
  const page = new URL('/status', baseUrl).href;
  const feed = new FeedBuilder({
    id: page,
    link: page,
    title: texts.feed.title({ app: appName }),
    description: texts.feed.description({ app: appName }),
    language: 'en',
    generator: false,
    updated: new Date(lastChangedAt(state, entries)),
    author: { name: appName },
    feedLinks: { atom: `${page}/feed.atom`, rss: `${page}/feed.rss`, json: `${page}/feed.json` },
  });
  for (const incident of entries) addEntry(feed, incident, { state, baseUrl, kind });
  return writeFeed(feed, kind);
}
