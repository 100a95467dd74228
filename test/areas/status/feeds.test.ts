import { describe, expect, it } from 'vitest';
import { xml2js, type ElementCompact } from 'xml-js';
import { escapeHtml } from '../../../src/lib/text/html.ts';
import { request } from '../../support/client.ts';
import { unescaped } from '../../surfaces/pages/support.ts';
import { openPages } from './page-app.ts';
import { component, goodDay, incident, maintenance, noon, stateOf, update } from './page-states.ts';

const evil = ']]> ]]> <img src=x onerror=alert(1)>"\'& \u{0}\u{b}\u{fffe}\u{d800}';
const id = '018f0000-0000-7000-8000-0000000000aa';
const full = () =>
  stateOf({
    components: [component('api', { name: `API ${evil}` })],
    incidents: [
      incident(`Requests fail ${evil}`, {
        id,
        components: ['api'],
        updatedAt: noon,
        updates: [update('identified', `First ${evil}\nsecond line\n\nNext`, noon)],
      }),
    ],
    maintenances: [maintenance('New version', { updatedAt: noon - 2000 })],
    history: [
      incident('Long ago', { status: 'resolved', resolvedAt: noon - 5000, updatedAt: noon - 5000 }),
    ],
  });

const get = async <Body>(
  state = full(),
  url = '/status/feed.atom',
  headers: Record<string, string> = {},
) => request<Body>(await openPages({ state, appName: 'Acme & <Co>' }), { url, headers });
const parsed = (text: string) => xml2js(text, { compact: true }) as ElementCompact;
const list = (value: unknown): ElementCompact[] => [value].flat() as ElementCompact[];
/** Joins the text nodes of a child of an element. */
function textOf(element: ElementCompact | undefined, child: string): string {
  const { _cdata: cdata = [], _text: text = [] } = (element?.[child] ?? {}) as ElementCompact;
  return [cdata, text].flat().join('');
}

interface JsonFeed {
  version: string;
  items: { id: string; title: string; content_html: string }[];
}

describe('the Atom feed (RFC 4287)', () => {
  it('is well-formed and complete, with the last changed entries first', async () => {
    const feed = parsed((await get()).text).feed as ElementCompact;
    expect(textOf(feed, 'id')).toBe('https://svc.example/status');
    expect(textOf(feed, 'updated')).toBe('2026-11-22T12:00:00.000Z');
    expect(textOf(feed.author as ElementCompact, 'name')).toBe('Acme & <Co>');
    expect(list(feed.link).map(({ _attributes }) => _attributes)).toEqual([
      { rel: 'alternate', href: 'https://svc.example/status' },
      { rel: 'self', href: 'https://svc.example/status/feed.atom' },
    ]);
    const entries = list(feed.entry);
    expect(entries.map((entry) => textOf(entry, 'title').replace(/ \]\].*(?= \()/, ''))).toEqual([
      expect.stringMatching(/^Requests fail .*\(Investigating\)$/),
      'New version (Scheduled)',
      'Long ago (Resolved)',
    ]);
    expect(textOf(entries[0], 'id')).toBe(`urn:uuid:${id}`);
    for (const entry of entries)
      expect(textOf(entry, 'updated')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('keeps the ids of its entries when they are updated', async () => {
    const before = full();
    const after = {
      ...before,
      incidents: [],
      history: before.incidents.map((each) => ({
        ...each,
        name: 'Renamed',
        status: 'resolved' as const,
        updatedAt: noon + 1000,
        resolvedAt: noon + 1000,
      })),
    };
    for (const state of [before, after])
      expect((await get(state)).text).toContain(`<id>urn:uuid:${id}</id>`);
  });
});

describe('the RSS feed (2.0)', () => {
  it('is well-formed and has incidents and maintenance with stable ids', async () => {
    const { text } = await get(full(), '/status/feed.rss');
    const channel = (parsed(text).rss as ElementCompact).channel as ElementCompact;
    expect(textOf(channel, 'title')).toBe('Acme & <Co> status');
    expect(textOf(channel, 'link')).toBe('https://svc.example/status');
    const [first, ...others] = list(channel.item);
    expect(others).toHaveLength(2);
    expect(textOf(first, 'guid')).toBe(`urn:uuid:${id}`);
    expect(textOf(first, 'link')).toBe(`https://svc.example/status/incidents/${id}`);
  });
});

describe('the JSON feed', () => {
  it('has titles as plain text and contents as HTML', async () => {
    const { version, items } = (await get<JsonFeed>(full(), '/status/feed.json')).body;
    expect(version).toBe('https://jsonfeed.org/version/1');
    expect(items).toHaveLength(3);
    expect(items[0]?.id).toBe(`urn:uuid:${id}`);
    expect(items[0]?.title).toContain('<img src=x onerror=alert(1)>"\'&');
    expect(items[0]?.content_html).toMatch(
      new RegExp(
        '<p><strong>Identified</strong> – <time datetime="2026-11-22T12:00:00.000Z">' +
          'Nov 22, 2026, 12:00 UTC</time></p><p>First .*<br>second line</p><p>Next</p>$',
      ),
    );
  });
});

/** Titles that readers have shown with entities, or without a part. */
const titles = [
  'Login & sign-up',
  'Use &amp; and &lt;b&gt; in HTML',
  'A <b>bold</b> claim, 1 < 2 > 0',
  'Ends CDATA ]]> early',
  'Quotes " and \' and emoji 🔥👩‍🚀',
];

describe('the title of an entry', () => {
  it.each(titles)('is the plain text in each feed: %s', async (name) => {
    const state = stateOf({ incidents: [incident(name, { id, components: [] })] });
    const title = `${name} (Investigating)`;
    const { body } = await get<JsonFeed>(state, '/status/feed.json');
    expect(body.items.map((each) => each.title)).toEqual([title]);
    const { text } = await get(state, '/status/feed.rss');
    expect(text).toContain(`<title>${escapeHtml(title)}</title>`);
    const rss = parsed(text).rss as ElementCompact;
    const item = (rss.channel as ElementCompact).item as ElementCompact;
    expect(textOf(item, 'title')).toBe(title);
    // The description is HTML, for readers that know no other element.
    expect(textOf(item, 'description')).toMatch(/^<p>Major impact\./);
    expect(textOf(item, 'description')).toBe(textOf(item, 'content:encoded'));
    const atom = parsed((await get(state)).text).feed as ElementCompact;
    const entry = atom.entry as ElementCompact;
    expect((entry.title as ElementCompact)._attributes).toEqual({ type: 'html' });
    expect(unescaped(textOf(entry, 'title'))).toBe(title);
    expect(textOf(entry, 'title')).toBe(escapeHtml(title));
    expect((entry.content as ElementCompact)._attributes).toEqual({ type: 'html' });
  });
});

describe('every feed', () => {
  it.each(['atom', 'rss', 'json'])(
    '%s escapes texts of admins, and has no character that is invalid in XML',
    async (kind) => {
      const { body, text } = await get<JsonFeed>(full(), `/status/feed.${kind}`);
      expect(kind === 'json' ? body.items[0]?.content_html : text).not.toContain('<img');
      expect(text).not.toMatch(/[\u{0}\u{b}\u{fffe}]|\\u0000|\\ud800/u);
      if (kind !== 'json')
        expect(text.match(/\]\]>/g)?.length).toBe(text.match(/<!\[CDATA\[/g)?.length);
    },
  );

  it.each([
    ['maintenance.ics', 'text/calendar'],
    ['feed.atom', 'application/atom+xml'],
    ['feed.rss', 'application/rss+xml'],
    ['feed.json', 'application/feed+json'],
    ['summary.json', 'application/json'],
  ])(
    '%s (%s) can be cached and read from any origin, and gets 304 while unchanged',
    async (name, type) => {
      const state = goodDay();
      const first = await get(state, `/status/${name}`);
      expect(first.status).toBe(200);
      expect(first.headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=30, stale-while-revalidate=60',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      const unchanged = { 'if-none-match': String(first.headers.etag) };
      // A repeated check does not change a feed.
      const again = await get(
        name === 'summary.json' ? state : { ...state, updatedAt: state.updatedAt + 60_000 },
        `/status/${name}/`,
        unchanged,
      );
      expect(again).toMatchObject({ status: 304, text: '' });
      expect(await get(full(), `/status/${name}`, unchanged)).toMatchObject({ status: 200 });
    },
  );

  it('exists before any incident', async () => {
    for (const kind of ['atom', 'rss'])
      expect(parsed((await get(stateOf(), `/status/feed.${kind}`)).text)).toBeTruthy();
    expect((await get(stateOf(), '/status/feed.json')).body).toMatchObject({ items: [] });
  });
});

describe('the calendar of maintenance (RFC 5545)', () => {
  const start = Date.parse('2031-05-10T02:00:00Z');
  const planned = () =>
    stateOf({
      components: [component('api', { name: 'API' })],
      incidents: [incident('Requests fail', { components: ['api'] })],
      maintenances: [
        maintenance(`Upgrade; part 1, ${'long '.repeat(30)}`, {
          id,
          components: ['api'],
          scheduledFor: start,
          scheduledUntil: start + 5_400_000,
          updates: [update('scheduled', `First line\nsecond \u{0}${evil}`, noon)],
        }),
      ],
    });
  const read = async () => (await get(planned(), '/status/maintenance.ics')).text;

  it('has each maintenance once, with its times in UTC, and no incident', async () => {
    const unfolded = (await read()).replaceAll('\r\n ', '').split('\r\n');
    expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(unfolded).toEqual(
      expect.arrayContaining([
        'VERSION:2.0',
        `UID:${id}@svc.example`,
        'DTSTART:20310510T020000Z',
        'DTEND:20310510T033000Z',
        `SUMMARY:Upgrade\\; part 1\\, ${'long '.repeat(30)}`,
        `URL:https://svc.example/status/incidents/${id}`,
      ]),
    );
    const text = unfolded.find((line) => line.startsWith('DESCRIPTION:'));
    expect(text).toMatch(/^DESCRIPTION:First line\\nsecond .*Affects API\.$/);
  });

  it('has lines of at most 75 octets, and no control characters', async () => {
    const lines = (await read()).split('\r\n');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });
});
