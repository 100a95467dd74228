import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { analyticsErrors } from '../../../../src/areas/analytics/errors.ts';
import { EventStoreError } from '../../../../src/areas/analytics/worker/event-thread.ts';
import { toQueryError } from '../../../../src/areas/analytics/figures/queries.ts';
import type { JournalEvent } from '../../../../src/areas/analytics/store/journal-record.ts';
import {
  type DashboardResult,
  type DashboardStoreQuery,
  exportColumns,
  type ExportStoreQuery,
  type Filter,
} from '../../../../src/areas/analytics/store/queries.ts';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../../../src/lib/durations.ts';
import { emptyQuery } from '../figures/empty-result.ts';
import { rowsIn } from '../site-data.ts';
import { agents, untagged } from '../reference/catalog.ts';
import { type Pipeline, openPipeline } from '../reference/pipeline.ts';

const start = Date.parse('2026-03-29T12:00:00Z');
const [anna, ben] = ['00000000000000aa', '00000000000000bb'];

let pipeline: Pipeline;
let ids = 0;
beforeEach(async () => {
  pipeline = await openPipeline();
});
afterEach(() => pipeline.end());

function event(at: number, given: Partial<JournalEvent> = {}): JournalEvent {
  ids += 1;
  return {
    s: 1,
    t: start + at,
    i: `00000000-0000-4000-8000-${ids.toString(16).padStart(12, '0')}`,
    p: '/',
    v: anna,
    ...given,
  };
}

/** Delivers events in one request, received at the time of the newest or at a later one. */
const deliverAt = (received: number, ...events: readonly JournalEvent[]): Promise<void> => {
  const entries = events.map((journal) => ({ journal }));
  return pipeline.deliver([{ received, agent: agents[0]!, drops: [], events: entries }], () => 100);
};
const deliver = (...events: readonly JournalEvent[]): Promise<void> =>
  deliverAt(Math.max(...events.map(({ t }) => t)), ...events);
const closeVisits = (after: number) => pipeline.closeVisits(start + after, true);

function ask(given: Partial<DashboardStoreQuery> = {}): Promise<DashboardResult> {
  const range = { from: start - 400 * day, to: start + 400 * day };
  const query = { ...emptyQuery, range, buckets: [range.from], limit: 1000, now: start };
  return pipeline.reader().read('dashboard', { ...query, ...given });
}

/** The first row that a statement selects. */
const first = async (sql: string) => (await pipeline.query(sql))[0];
const repeatedInDictionary = (columns: string) =>
  pipeline.query(`SELECT ${columns} FROM dict GROUP BY ALL HAVING count(*) > 1`);

const totals = async (given: Partial<DashboardStoreQuery> = {}) => (await ask(given)).totals;

/** Counts the events that a filter selects. */
const count = async (
  dimension: Filter['dimension'],
  operator: Filter['operator'],
  ...values: string[]
) => (await totals({ filters: [{ dimension, operator, values }] })).events;

async function exportRows(
  given: Partial<ExportStoreQuery> = {},
): Promise<Record<string, unknown>[]> {
  const parts: Uint8Array[] = [];
  const query: ExportStoreQuery = {
    siteId: undefined,
    sites: [[1, 'one']],
    from: undefined,
    to: undefined,
    filters: [],
    columns: exportColumns,
    format: 'ndjson',
    ...given,
  };
  await pipeline.reader().export(query, async (part) => {
    parts.push(Buffer.from(part));
  });
  return rowsIn(Buffer.concat(parts).toString('utf8'));
}

describe('late events', () => {
  it('bridge two closed visits in the same transaction', async () => {
    await deliver(event(0), event(50 * minute));
    await closeVisits(5 * hour);
    expect(await first('SELECT count(*) FROM visits')).toEqual([2n]);
    await deliver(event(25 * minute), event(-20 * minute), event(5 * hour));
    expect(await totals()).toMatchObject({ visits: 2, visitors: 1, pageviews: 5, events: 5 });
    const counts = await first('SELECT count(*), count(DISTINCT session_id) FROM events');
    expect(counts).toEqual([5n, 2n]);
    const sessions = (await exportRows({ columns: ['id', 'timestamp', 'session_id'] }))
      .sort((a, b) => (String(a.timestamp) < String(b.timestamp) ? -1 : 1))
      .map((row) => row.session_id);
    expect(new Set(sessions.slice(0, 4)).size).toBe(1);
    expect(sessions[4]).not.toBe(sessions[0]);
  });

  it('that bridge a visit waiting to be closed leave no part of it behind', async () => {
    await deliver(event(0));
    await deliver(event(50 * minute));
    await deliver(event(25 * minute));
    await closeVisits(51 * minute);
    await deliver(event(60 * minute));
    await closeVisits(5 * hour);
    const visits = 'SELECT events, epoch_ms(ended) - epoch_ms(started) FROM visits';
    expect(await pipeline.query(visits)).toEqual([[3 + 1, BigInt(60 * minute)]]);
  });

  it('join their visit after a restart as before it', async () => {
    await deliver(event(0));
    await closeVisits(2 * hour);
    await pipeline.restart();
    await deliver(event(20 * minute));
    expect(await totals()).toMatchObject({ visits: 1, events: 2 });
  });

  it('join the open visit to the closed one before it, even after a restart', async () => {
    await deliver(event(0), event(50 * minute));
    await closeVisits(51 * minute);
    await pipeline.restart();
    await deliver(event(25 * minute));
    expect(await totals()).toMatchObject({ visits: 1, events: 3, visit_duration_mean: 50 * 60 });
  });

  it('do not absorb events with the same hash on another site', async () => {
    await deliver(event(0), event(10 * minute, { s: 2 }));
    await closeVisits(5 * hour);
    await deliverAt(start + 5 * hour, event(20 * minute));
    expect(await totals()).toMatchObject({ visits: 1, events: 2 });
    expect(await totals({ siteId: 2 })).toMatchObject({ visits: 1, events: 1 });
  });
});

describe('a named visit', () => {
  it('stays one visit of its first visitor when reopened, open and closed', async () => {
    await deliver(event(0, { z: 'a' }));
    await closeVisits(3 * hour);
    await deliver(event(4 * hour, { z: 'a', v: ben }));
    const reopened = { visits: 1, visitors: 1, visit_duration_mean: 4 * 3600 };
    expect(await totals()).toMatchObject(reopened);
    await pipeline.restart();
    expect(await totals()).toMatchObject(reopened);
    await closeVisits(10 * hour);
    expect(await totals()).toMatchObject(reopened);
    expect((await ask()).pages).toMatchObject([{ value: '/', visitors: 1, pageviews: 2 }]);
  });

  it('whose reopening fails is reopened by the retry', async () => {
    await deliver(event(0, { z: 'a' }));
    await closeVisits(3 * hour);
    pipeline.faults.append = true;
    await deliver(event(4 * hour, { z: 'a' }));
    await closeVisits(10 * hour);
    expect(await totals()).toMatchObject({ visits: 1, events: 2, visit_duration_mean: 4 * 3600 });
  });

  it('that begins on a summarised day is in the figures at once', async () => {
    await deliver(event(-5 * day, { v: ben }), event(0));
    await closeVisits(3 * hour);
    await pipeline.summariseAll();
    await deliverAt(start + 3 * hour, event(-5 * day, { z: 'late', l: 'fr' }));
    const { totals: counted, breakdowns } = await ask();
    expect(counted.visits).toBe(3);
    expect(breakdowns.languages).toEqual([
      { value: null, visitors: 2, visits: 2, bounce_rate: 100 },
      { value: 'fr', visitors: 1, visits: 1, bounce_rate: 100 },
    ]);
  });
});

describe('summarised days', () => {
  const visitorsSeen = async () => {
    const { totals: counted, pages, events, breakdowns } = await ask();
    return {
      total: counted.visitors,
      page: pages[0]?.visitors,
      signup: events[0]?.visitors,
      device: breakdowns.devices[0]?.visitors,
    };
  };

  it('count a visitor once who came on two of them and today', async () => {
    const seen = { total: 1, page: 1, signup: 1, device: 1 };
    for (const at of [-9 * day, -6 * day, -6 * day + 2 * hour, 0]) {
      await deliver(event(at), event(at + minute, { n: 'signup' }));
      expect(await visitorsSeen()).toEqual(seen);
      await closeVisits(at + 26 * hour);
      await pipeline.summariseAll();
      expect(await visitorsSeen()).toEqual(seen);
    }
    expect(await first('SELECT count(*) FROM regulars')).toEqual([1n]);
  });

  it('are summarised again when the file has summaries of an earlier version', async () => {
    await deliver(event(-9 * day), event(-8 * day), event(-8 * day, { v: ben, n: 'signup' }));
    await closeVisits(0);
    await pipeline.summariseAll();
    const before = await ask();
    for (const sql of [
      'DROP TABLE visit_days',
      'CREATE TABLE visit_days (site_id UINTEGER, visits UINTEGER)',
      'UPDATE summary_version SET version = 1',
    ])
      await pipeline.query(sql);
    await pipeline.restart();
    expect(await first('SELECT count(*) FROM summarised_days')).toEqual([0n]);
    expect(await ask()).toEqual(before);
    await pipeline.summariseAll();
    expect(await ask()).toEqual(before);
    expect(await first('SELECT count(*) > 0 FROM visit_days')).toEqual([true]);
  });
});

describe('a store that fails', () => {
  it('keeps nothing of the transaction, and the retry applies all of it once', async () => {
    await deliver(event(0, { p: '/first', n: 'known' }));
    pipeline.faults.append = true;
    await deliver(
      event(minute, { p: '/new page', n: 'new name', ti: 'new title' }),
      event(2 * minute, { p: '/first', n: 'known' }),
    );
    const { events, breakdowns } = await ask();
    expect(events).toMatchObject([
      { value: 'known', events: 2 },
      { value: 'new name', events: 1 },
    ]);
    expect(breakdowns.entry_pages).toEqual([]);
    expect(await repeatedInDictionary('kind, value')).toEqual([]);
    expect(await repeatedInDictionary('id')).toEqual([]);
    const words = "SELECT count(*) FROM dict WHERE value IN ('new name', '/new page', 'new title')";
    expect(await first(words)).toEqual([3n]);
  });

  it('in its very first transaction still recognises page views', async () => {
    pipeline.faults.append = true;
    await deliver(event(0), event(minute, { n: 'x' }));
    expect(await totals()).toMatchObject({ pageviews: 1, events: 2 });
  });

  it('while closing visits closes them the next time', async () => {
    await deliver(event(0), event(0, { z: 'a' }), event(50 * minute));
    pipeline.faults.closeVisits = true;
    await closeVisits(5 * hour);
    expect(await first('SELECT count(*) FROM visits')).toEqual([0n]);
    await deliver(event(6 * hour, { v: ben }));
    await closeVisits(6 * hour);
    expect(await first('SELECT count(*) FROM visits')).toEqual([3n]);
    expect((await totals()).visits).toBe(4);
  });
});

describe('strings', () => {
  const odd = [
    ...['a', 'A', ' a', '0', 'pageview', 'null', 'NULL', 'true', ''],
    ...['%', '_', '100%', '?', '$1', '$filter0', 'a|b', '\\', '\\n', 'line\nbreak', 'tab\t'],
    ...["it's", '"quoted"', "O'Reilly; DROP TABLE events; --", 'nul\u0000nul', '\uFFFD'],
    ...['ünï', 'ÜNÏ', '🎉', '👨‍👩‍👧', '家', 'e\u0301', '\u00e9', 'x'.repeat(100_000)],
  ];

  it('of every kind round-trip and stay distinct', async () => {
    await deliver(
      ...odd.map((text, n) => {
        const own = { p: `/${text}`, n: `n${text}`, pr: { [`k${text}`]: text } };
        const m = { ...untagged, utmSource: text, utmMedium: text, utmCampaign: text };
        const click = { kind: 'gclid', value: text } as const;
        const campaign = { ...m, utmTerm: text, utmContent: text, clickId: click };
        return event(n, { ...own, ti: text, tg: text, u: text, q: text, m: campaign });
      }),
    );
    const rows = (await exportRows()).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    expect(rows).toMatchObject(
      odd.map((text) => ({
        pathname: `/${text}`,
        event: `n${text}`,
        title: text,
        tag: text,
        user_id: text,
        query: text,
        utm_source: text,
        utm_content: text,
        click_id: `gclid:${text}`,
      })),
    );
    expect(rows.map((row) => row.props)).toEqual(odd.map((text) => ({ [`k${text}`]: text })));
    for (const text of odd) {
      expect(await count('title', 'is', text), text).toBe(1);
      expect(await count('page', 'is', `/${text}`), text).toBe(1);
      expect(await count(`props.k${text}`, 'is', text), text).toBe(text === '' ? odd.length : 1);
    }
  });

  it('with SQL metacharacters are matched literally by `contains`', async () => {
    await deliver(
      ...['100%', '100 per cent', 'a_b', 'aXb', "it's", 'back\\slash', '[x]', 'UPPER'].map(
        (title, n) => event(n, { ti: title }),
      ),
    );
    for (const value of ['%', '_', "'", '\\', '[', 'upper'])
      expect(await count('title', 'contains', value), value).toBe(1);
    expect(await count('title', 'contains', '%', '_')).toBe(2);
    expect(await count('title', 'contains', '.')).toBe(0);
    expect(await count('title', 'contains_not', '%', '_')).toBe(6);
  });

  it.each(['title', 'user_id', 'props.k'] as const)(
    'that are not set count as empty for every operator: %s',
    async (dimension) => {
      await deliver(event(0, { ti: 'x', u: 'x', pr: { k: 'x' } }), event(1));
      for (const [operator, value, found] of [
        ['is', '', 1],
        ['is_not', '', 1],
        ['contains', '', 2],
        ['contains_not', '', 0],
        ['matches', '^$', 1],
        ['matches_not', '^$', 1],
        ['matches', '', 2],
      ] as const)
        expect(await count(dimension, operator, value), `${operator} '${value}'`).toBe(found);
    },
  );

  it('that are equal across dimensions are not mixed up', async () => {
    const m = { ...untagged, utmSource: '/x', utmCampaign: 'pageview' };
    const swapped = event(0, { p: 'pageview', n: '/x', ti: '/x', tg: 'pageview', m });
    await deliver(swapped, event(1, { p: '/x' }));
    const { totals: counted, pages, events } = await ask();
    expect(counted).toMatchObject({ pageviews: 1, events: 2 });
    expect(pages.map(({ value }) => value)).toEqual(['/x']);
    expect(events.map(({ value }) => value)).toEqual(['/x']);
    expect(await count('page', 'is', 'pageview')).toBe(1);
    // The whole visit that has the view.
    expect(await count('event', 'is', 'pageview')).toBe(2);
    expect(await count('title', 'is', 'pageview')).toBe(0);
  });

  it('with lone surrogates are repaired and break no query', async () => {
    const broken = 'a\ud83d';
    await deliver(
      event(0, { ti: broken, u: broken, pr: { [broken]: broken, '\\ud83d': 'kept' } }),
      event(1, { ti: 'a\ude00', pr: { k: '1' } }),
    );
    await deliver(event(2, { ti: broken }));
    expect(await count('props.k', 'is', '1')).toBe(1);
    expect(await count('title', 'is', 'a\uFFFD')).toBe(3);
    const [first] = await exportRows({ columns: ['props', 'title', 'user_id'], to: start + 1 });
    expect(first).toEqual({
      props: { 'a\uFFFD': 'a\uFFFD', '\\ud83d': 'kept' },
      title: 'a\uFFFD',
      user_id: 'a\uFFFD',
    });
    expect(await repeatedInDictionary('kind, value')).toEqual([]);
  });
});

describe('an invalid regular expression', () => {
  const bad = [
    ...['[', '(', ')', '*', 'a**', '(?=x)', '(?<!x)', '\\', '\\8', '\\pX'],
    ...['[z-a]', 'a{2000}', '[[:what:]]'],
  ];

  it.each(['page', 'entry_page', 'user_id', 'props.k'] as const)(
    'is refused with 400 in figures and exports, for %s',
    async (dimension) => {
      await deliver(event(0));
      for (const pattern of bad) {
        const filters: Filter[] = [{ dimension, operator: 'matches_not', values: [pattern] }];
        for (const runQuery of [
          () => ask({ filters }),
          () => exportRows({ filters }),
          () => exportRows({ filters, format: 'parquet' }),
        ]) {
          const error: unknown = await runQuery().catch((cause: unknown) => cause);
          const message = error instanceof Error ? error.message : '';
          expect(toQueryError(new EventStoreError(message)), pattern).toMatchObject({
            status: 400,
            code: analyticsErrors.bad_pattern().code,
          });
        }
      }
      expect((await totals()).events).toBe(1);
    },
  );
});

describe('an export', () => {
  it('filtered by visits includes open ones', async () => {
    await deliver(event(0, { l: 'de' }), event(1, { v: ben, l: 'fr' }));
    const filters: Filter[] = [{ dimension: 'language', operator: 'is', values: ['de'] }];
    const germans = () => exportRows({ filters, columns: ['language'] });
    expect(await germans()).toEqual([{ language: 'de' }]);
    await closeVisits(5 * hour);
    expect(await germans()).toEqual([{ language: 'de' }]);
  });

  it('without sites or events is empty', async () => {
    expect(await exportRows({ sites: [] })).toEqual([]);
    await deliver(event(0));
    const nameless = await exportRows({ sites: [], columns: ['id', 'site_id'] });
    expect(nameless).toMatchObject([{ site_id: null }]);
    expect(await exportRows({ siteId: 9 })).toEqual([]);
  });

  it('has the highest visitor number and short decimals', async () => {
    const v = 'ffffffffffffffff';
    await deliver(event(0, { v, wv: [0.1, null, null, null, 0.0001], re: ['-0.0001', 'EUR'] }));
    expect(await exportRows({ columns: ['visitor_id', 'lcp', 'cls', 'revenue_amount'] })).toEqual([
      { visitor_id: 'ffffffffffffffff', lcp: 0.1, cls: 0.0001, revenue_amount: -0.0001 },
    ]);
  });
});

describe('lists', () => {
  it('rank rows by visitors even where one visitor has several visits', async () => {
    const once = Array.from({ length: 5 }, (_, n) =>
      event(n, { l: 'en', v: `000000000000010${n}` }),
    );
    await deliver(...once, ...[0, hour, 2 * hour].map((at) => event(at, { l: 'de' })));
    expect((await ask({ limit: 1 })).breakdowns.languages).toEqual([
      { value: 'en', visitors: 5, visits: 5, bounce_rate: 100 },
    ]);
  });

  it('order tied rows by code points', async () => {
    await deliver(
      ...['\u{1F389}', '\uFF21', 'a', 'Z', 'ä'].map((title, n) => event(n, { p: `/${title}` })),
    );
    const ranked = (await ask()).pages.map(({ value }) => value);
    expect(ranked).toEqual(['/Z', '/a', '/ä', '/\uFF21', '/\u{1F389}']);
    expect((await ask({ limit: 4 })).pages).toHaveLength(4);
  });
});
