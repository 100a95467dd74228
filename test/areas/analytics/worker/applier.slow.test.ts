import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { analyticsErrors } from '../../../../src/areas/analytics/errors.ts';
import { EventStoreError } from '../../../../src/areas/analytics/worker/event-thread.ts';
import { toQuestionError } from '../../../../src/areas/analytics/figures/questions.ts';
import type { JournalEvent } from '../../../../src/areas/analytics/ingest/journal-record.ts';
import { AppError } from '../../../../src/platform/errors/errors.ts';
import {
  type DashboardAnswer,
  type DashboardQuestion,
  exportColumns,
  type ExportQuestion,
  type Filter,
} from '../../../../src/areas/analytics/store/questions.ts';
import { agents } from '../reference/catalog.ts';
import { type House, openHouse } from '../reference/house.ts';
import type { Arrival } from '../reference/world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-03-29T12:00:00Z');
const anna = '00000000000000aa';

let house: House;
let ids = 0;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.end());

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

/** A request of these events, received at the newest of them or at `received`. */
function arrival(
  events: readonly JournalEvent[],
  received = Math.max(...events.map(({ t }) => t)),
): Arrival {
  const reference = {
    dimensions: {},
    props: {},
    bot: false,
    interactive: true,
    hash: undefined,
    yesterday: undefined,
    visit: undefined,
  };
  return {
    received,
    agent: agents[0]!,
    drops: [],
    events: events.map((journal) => ({
      ...reference,
      site: journal.s,
      time: journal.t,
      received,
      id: journal.i,
      journal,
    })),
  };
}

const deliver = async (...events: readonly JournalEvent[]) =>
  house.deliver([arrival(events)], () => 100);

async function ask(given: Partial<DashboardQuestion> = {}): Promise<DashboardAnswer> {
  const range = { from: start - 400 * day, to: start + 400 * day };
  return house.reader().dashboard({
    siteId: 1,
    range,
    compare: undefined,
    buckets: [range.from],
    filters: [],
    bots: false,
    limit: 1000,
    now: start,
    ...given,
  });
}

const asked = async (filter: Filter) => (await ask({ filters: [filter] })).totals.events;

async function exported(given: Partial<ExportQuestion> = {}): Promise<Record<string, unknown>[]> {
  const parts: Uint8Array[] = [];
  const question: ExportQuestion = {
    siteId: undefined,
    sites: [[1, 'one']],
    from: undefined,
    to: undefined,
    filters: [],
    columns: exportColumns,
    format: 'ndjson',
    ...given,
  };
  await house.reader().export(question, async (part) => {
    parts.push(Buffer.from(part));
  });
  return Buffer.concat(parts)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function query(sql: string) {
  const connection = await house.store().connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
  }
}

describe('late events', () => {
  it('bridge two closed visits in the transaction that brings them', async () => {
    await deliver(event(0), event(50 * minute));
    await house.closeVisits(start + 5 * hour, true);
    expect(await query('SELECT count(*) FROM visits')).toEqual([[2n]]);
    await house.deliver(
      [arrival([event(25 * minute), event(-20 * minute), event(5 * hour)], start + 5 * hour)],
      () => 100,
    );
    const { totals } = await ask();
    expect(totals).toMatchObject({ visits: 2, visitors: 1, pageviews: 5, events: 5 });
    expect(await query('SELECT count(*), count(DISTINCT session_id) FROM events')).toEqual([
      [5n, 2n],
    ]);
    const sessions = (await exported({ columns: ['id', 'timestamp', 'session_id'] }))
      .sort((a, b) => (String(a.timestamp) < String(b.timestamp) ? -1 : 1))
      .map((row) => row.session_id);
    expect(new Set(sessions.slice(0, 4)).size).toBe(1);
    expect(sessions[4]).not.toBe(sessions[0]);
  });

  it('that bridge a visit waiting to be closed leave no half of it behind', async () => {
    await deliver(event(0));
    await deliver(event(50 * minute));
    await deliver(event(25 * minute));
    await house.closeVisits(start + 51 * minute, true);
    await deliver(event(60 * minute));
    await house.closeVisits(start + 5 * hour, true);
    expect(await query('SELECT events, epoch_ms(ended) - epoch_ms(started) FROM visits')).toEqual([
      [3 + 1, BigInt(60 * minute)],
    ]);
  });

  it('after a restart are sorted in as before it', async () => {
    await deliver(event(0));
    await house.closeVisits(start + 2 * hour, true);
    await house.restart();
    await deliver(event(20 * minute));
    expect((await ask()).totals).toMatchObject({ visits: 1, events: 2 });
  });

  it('join the open visit to the closed one before it, also after a restart', async () => {
    await deliver(event(0), event(50 * minute));
    await house.closeVisits(start + 51 * minute, true);
    await house.restart();
    await deliver(event(25 * minute));
    expect((await ask()).totals).toMatchObject({
      visits: 1,
      events: 3,
      visit_duration_mean: 50 * 60,
    });
  });

  it('do not make the events of the same hash on another site theirs', async () => {
    await deliver(event(0), event(10 * minute, { s: 2 }));
    await house.closeVisits(start + 5 * hour, true);
    await house.deliver([arrival([event(20 * minute)], start + 5 * hour)], () => 100);
    expect((await ask()).totals).toMatchObject({ visits: 1, events: 2 });
    expect((await ask({ siteId: 2 })).totals).toMatchObject({ visits: 1, events: 1 });
  });
});

describe('a named visit', () => {
  it('that is reopened is one visit with its first visitor, open and closed', async () => {
    await deliver(event(0, { z: 'a' }));
    await house.closeVisits(start + 3 * hour, true);
    await deliver(event(4 * hour, { z: 'a', v: '00000000000000bb' }));
    expect((await ask()).totals).toMatchObject({
      visits: 1,
      visitors: 1,
      visit_duration_mean: 4 * 3600,
    });
    await house.restart();
    expect((await ask()).totals).toMatchObject({
      visits: 1,
      visitors: 1,
      visit_duration_mean: 4 * 3600,
    });
    await house.closeVisits(start + 10 * hour, true);
    expect((await ask()).totals).toMatchObject({
      visits: 1,
      visitors: 1,
      visit_duration_mean: 4 * 3600,
    });
    expect((await ask()).pages).toMatchObject([{ value: '/', visitors: 1, pageviews: 2 }]);
  });

  it('that is reopened by a transaction which fails is reopened by the next try', async () => {
    await deliver(event(0, { z: 'a' }));
    await house.closeVisits(start + 3 * hour, true);
    house.faults.append = true;
    await deliver(event(4 * hour, { z: 'a' }));
    await house.closeVisits(start + 10 * hour, true);
    expect((await ask()).totals).toMatchObject({
      visits: 1,
      events: 2,
      visit_duration_mean: 4 * 3600,
    });
  });

  it('that begins on a day already added up is in the figures at once', async () => {
    await deliver(event(-5 * day, { v: '00000000000000bb' }), event(0));
    await house.closeVisits(start + 3 * hour, true);
    while ((await house.store().writer.summarise()) > 0);
    await house.deliver(
      [arrival([event(-5 * day, { z: 'late', l: 'fr' })], start + 3 * hour)],
      () => 100,
    );
    const { totals, breakdowns } = await ask();
    expect(totals.visits).toBe(3);
    expect(breakdowns.languages).toEqual([
      { value: null, visitors: 2, visits: 2, bounce_rate: 100 },
      { value: 'fr', visitors: 1, visits: 1, bounce_rate: 100 },
    ]);
  });
});

describe('days that have been added up', () => {
  const addUp = async () => {
    while ((await house.store().writer.summarise()) > 0);
  };
  const visitorsSeen = async () => {
    const { totals, pages, events, breakdowns } = await ask();
    return {
      total: totals.visitors,
      page: pages[0]?.visitors,
      signup: events[0]?.visitors,
      device: breakdowns.devices[0]?.visitors,
    };
  };

  it('know a visitor once, who came on one of them, then on another, then today', async () => {
    const seen = { total: 1, page: 1, signup: 1, device: 1 };
    for (const at of [-9 * day, -6 * day, -6 * day + 2 * hour, 0]) {
      await deliver(event(at), event(at + minute, { n: 'signup' }));
      expect(await visitorsSeen()).toEqual(seen);
      await house.closeVisits(start + at + 26 * hour, true);
      await addUp();
      expect(await visitorsSeen()).toEqual(seen);
    }
    expect(await query('SELECT count(*) FROM regulars')).toEqual([[1n]]);
  });

  it('are added up anew when the file has summaries of an earlier version', async () => {
    await deliver(
      event(-9 * day),
      event(-8 * day),
      event(-8 * day, { v: '00000000000000bb', n: 'signup' }),
    );
    await house.closeVisits(start, true);
    await addUp();
    const before = await ask();
    await query('DROP TABLE visit_days');
    await query('CREATE TABLE visit_days (site_id UINTEGER, visits UINTEGER)');
    await query('UPDATE summary_version SET version = 1');
    await house.restart();
    expect(await query('SELECT count(*) FROM summarised_days')).toEqual([[0n]]);
    expect(await ask()).toEqual(before);
    await addUp();
    expect(await ask()).toEqual(before);
    expect(await query('SELECT count(*) > 0 FROM visit_days')).toEqual([[true]]);
  });
});

describe('a store that fails', () => {
  it('keeps nothing of the transaction, and the next try brings all of it once', async () => {
    await deliver(event(0, { p: '/first', n: 'known' }));
    house.faults.append = true;
    await deliver(
      event(minute, { p: '/new page', n: 'new name', ti: 'new title' }),
      event(2 * minute, { p: '/first', n: 'known' }),
    );
    const { events, breakdowns } = await ask();
    expect(events.map(({ value, events: n }) => [value, n])).toEqual([
      ['known', 2],
      ['new name', 1],
    ]);
    expect(breakdowns.entry_pages).toEqual([]);
    expect(await query('SELECT kind, value FROM dict GROUP BY ALL HAVING count(*) > 1')).toEqual(
      [],
    );
    expect(await query('SELECT id FROM dict GROUP BY ALL HAVING count(*) > 1')).toEqual([]);
    expect(
      await query(
        `SELECT count(*) FROM dict WHERE value IN ('new name', '/new page', 'new title')`,
      ),
    ).toEqual([[3n]]);
  });

  it('at its very first transaction still knows what a page view is', async () => {
    house.faults.append = true;
    await deliver(event(0), event(minute, { n: 'x' }));
    expect((await ask()).totals).toMatchObject({ pageviews: 1, events: 2 });
  });

  it('when visits are closed closes them the next time', async () => {
    await deliver(event(0), event(0, { z: 'a' }), event(50 * minute));
    house.faults.closeVisits = true;
    await house.closeVisits(start + 5 * hour, true);
    expect(await query('SELECT count(*) FROM visits')).toEqual([[0n]]);
    await house.deliver([arrival([event(6 * hour, { v: '00000000000000bb' })])], () => 100);
    await house.closeVisits(start + 6 * hour, true);
    expect(await query('SELECT count(*) FROM visits')).toEqual([[3n]]);
    expect((await ask()).totals.visits).toBe(4);
  });
});

describe('texts', () => {
  const odd = [
    'a',
    'A',
    ' a',
    'pageview',
    '%',
    '_',
    '100%',
    "it's",
    '"quoted"',
    "O'Reilly; DROP TABLE events; --",
    '\\',
    '\\n',
    'ünï',
    'ÜNÏ',
    '🎉',
    '👨‍👩‍👧',
    '家',
    'a|b',
    '$1',
    '$filter0',
    '?',
    '',
    'line\nbreak',
    'tab\t',
    'null',
    'NULL',
    '0',
    'true',
    'nul\u0000nul',
    '\uFFFD',
    'x'.repeat(100_000),
    'e\u0301',
    '\u00e9',
  ];

  it('of every kind come back as they were sent, and are told apart', async () => {
    await deliver(
      ...odd.map((text, n) =>
        event(n, {
          p: `/${text}`,
          n: `n${text}`,
          ti: text,
          tg: text,
          u: text,
          q: text,
          pr: { [`k${text}`]: text },
          m: {
            utmSource: text,
            utmMedium: text,
            utmCampaign: text,
            utmTerm: text,
            utmContent: text,
            clickId: { kind: 'gclid', value: text },
          },
        }),
      ),
    );
    const rows = (await exported()).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    expect(rows.map((row) => row.title)).toEqual(odd);
    expect(
      rows.map((row) => [
        row.pathname,
        row.event,
        row.tag,
        row.user_id,
        row.query,
        row.utm_source,
        row.utm_content,
        row.click_id,
        row.props,
      ]),
    ).toEqual(
      odd.map((text) => [
        `/${text}`,
        `n${text}`,
        text,
        text,
        text,
        text,
        text,
        `gclid:${text}`,
        { [`k${text}`]: text },
      ]),
    );
    for (const text of odd) {
      const count = text === '' ? odd.length : 1;
      expect([text, await asked({ dimension: 'title', operator: 'is', values: [text] })]).toEqual([
        text,
        1,
      ]);
      expect([
        text,
        await asked({ dimension: 'page', operator: 'is', values: [`/${text}`] }),
      ]).toEqual([text, 1]);
      expect([
        text,
        await asked({ dimension: `props.k${text}`, operator: 'is', values: [text] }),
      ]).toEqual([text, count]);
    }
  });

  it('with signs that mean something in SQL are found literally by `contains`', async () => {
    await deliver(
      ...['100%', '100 per cent', 'a_b', 'aXb', "it's", 'back\\slash', '[x]', 'UPPER'].map(
        (title, n) => event(n, { ti: title }),
      ),
    );
    const count = async (...values: string[]) =>
      asked({ dimension: 'title', operator: 'contains', values });
    expect([
      await count('%'),
      await count('_'),
      await count("'"),
      await count('\\'),
      await count('['),
      await count('upper'),
      await count('%', '_'),
      await count('.'),
    ]).toEqual([1, 1, 1, 1, 1, 1, 2, 0]);
    expect(await asked({ dimension: 'title', operator: 'contains_not', values: ['%', '_'] })).toBe(
      6,
    );
  });

  it('that are not set count as empty for every operator and kind of dimension', async () => {
    await deliver(event(0, { ti: 'x', u: 'x', pr: { k: 'x' } }), event(1));
    for (const dimension of ['title', 'user_id', 'props.k'] as const) {
      const count = async (operator: Filter['operator'], value: string) =>
        asked({ dimension, operator, values: [value] });
      expect([
        dimension,
        await count('is', ''),
        await count('is_not', ''),
        await count('contains', ''),
        await count('contains_not', ''),
        await count('matches', '^$'),
        await count('matches_not', '^$'),
        await count('matches', ''),
      ]).toEqual([dimension, 1, 1, 2, 0, 1, 1, 2]);
    }
  });

  it('that are the same in another kind are not mixed up', async () => {
    await deliver(
      event(0, {
        p: 'pageview',
        n: '/x',
        ti: '/x',
        tg: 'pageview',
        m: {
          utmSource: '/x',
          utmMedium: null,
          utmCampaign: 'pageview',
          utmTerm: null,
          utmContent: null,
          clickId: null,
        },
      }),
      event(1, { p: '/x' }),
    );
    const { totals, pages, events } = await ask();
    expect(totals).toMatchObject({ pageviews: 1, events: 2 });
    expect(pages.map(({ value }) => value)).toEqual(['/x']);
    expect(events.map(({ value }) => value)).toEqual(['/x']);
    expect(await asked({ dimension: 'page', operator: 'is', values: ['pageview'] })).toBe(1);
    expect(await asked({ dimension: 'event', operator: 'is', values: ['pageview'] })).toBe(1);
    expect(await asked({ dimension: 'title', operator: 'is', values: ['pageview'] })).toBe(0);
  });

  it('with halves of surrogate pairs are mended, and break no question', async () => {
    const broken = 'a\ud83d';
    await deliver(
      event(0, { ti: broken, u: broken, pr: { [broken]: broken, '\\ud83d': 'kept' } }),
      event(1, { ti: 'a\ude00', pr: { k: '1' } }),
    );
    await deliver(event(2, { ti: broken }));
    expect(await asked({ dimension: 'props.k', operator: 'is', values: ['1'] })).toBe(1);
    expect(await asked({ dimension: 'title', operator: 'is', values: ['a\uFFFD'] })).toBe(3);
    const [first] = await exported({ columns: ['props', 'title', 'user_id'], to: start + 1 });
    expect(first).toEqual({
      props: { 'a\uFFFD': 'a\uFFFD', '\\ud83d': 'kept' },
      title: 'a\uFFFD',
      user_id: 'a\uFFFD',
    });
    expect(await query('SELECT kind, value FROM dict GROUP BY ALL HAVING count(*) > 1')).toEqual(
      [],
    );
  });
});

describe('a pattern that is no regular expression', () => {
  const bad = [
    '[',
    '(',
    ')',
    '*',
    'a**',
    '(?=x)',
    '(?<!x)',
    '\\',
    '\\8',
    '[z-a]',
    'a{2000}',
    '[[:what:]]',
    '\\pX',
  ];

  it.each(['page', 'entry_page', 'user_id', 'props.k'] as const)(
    'is refused as such, in figures and exports, about %s',
    async (dimension) => {
      await deliver(event(0));
      for (const pattern of bad) {
        const filters: Filter[] = [{ dimension, operator: 'matches_not', values: [pattern] }];
        for (const question of [
          async () => ask({ filters }),
          async () => exported({ filters }),
          async () => exported({ filters, format: 'parquet' }),
        ]) {
          const error: unknown = await question().then(
            () => undefined,
            (cause: unknown) => cause,
          );
          expect(error).toBeInstanceOf(Error);
          const told = toQuestionError(
            new EventStoreError(error instanceof Error ? error.message : ''),
          );
          expect([pattern, told]).toEqual([pattern, expect.any(AppError)]);
          expect(told).toMatchObject({ status: 400, code: analyticsErrors.bad_pattern().code });
        }
      }
      expect((await ask()).totals.events).toBe(1);
    },
  );
});

describe('an export', () => {
  it('filtered by visits has those that are still open', async () => {
    await deliver(event(0, { l: 'de' }), event(1, { v: '00000000000000bb', l: 'fr' }));
    const filters: Filter[] = [{ dimension: 'language', operator: 'is', values: ['de'] }];
    expect(await exported({ filters, columns: ['language'] })).toEqual([{ language: 'de' }]);
    await house.closeVisits(start + 5 * hour, true);
    expect(await exported({ filters, columns: ['language'] })).toEqual([{ language: 'de' }]);
  });

  it('of a house without sites or events is empty, in every format', async () => {
    expect(await exported({ sites: [] })).toEqual([]);
    await deliver(event(0));
    expect(await exported({ sites: [], columns: ['id', 'site_id'] })).toMatchObject([
      { site_id: null },
    ]);
    expect(await exported({ siteId: 9 })).toEqual([]);
  });

  it('has the highest visitor number and short decimals', async () => {
    await deliver(
      event(0, {
        v: 'ffffffffffffffff',
        wv: [0.1, null, null, null, 0.0001],
        re: ['-0.0001', 'EUR'],
      }),
    );
    expect(await exported({ columns: ['visitor_id', 'lcp', 'cls', 'revenue_amount'] })).toEqual([
      { visitor_id: 'ffffffffffffffff', lcp: 0.1, cls: 0.0001, revenue_amount: -0.0001 },
    ]);
  });
});

describe('lists', () => {
  it('give the best rows by visitors also where few visitors have several visits', async () => {
    const once = Array.from({ length: 5 }, (_, n) =>
      event(n, { l: 'en', v: `000000000000010${n}` }),
    );
    await deliver(
      ...once,
      event(0, { l: 'de' }),
      event(hour, { l: 'de' }),
      event(2 * hour, { l: 'de' }),
    );
    expect((await ask({ limit: 1 })).breakdowns.languages).toEqual([
      { value: 'en', visitors: 5, visits: 5, bounce_rate: 100 },
    ]);
  });

  it('order equal rows by code points', async () => {
    await deliver(
      ...['\u{1F389}', '\uFF21', 'a', 'Z', 'ä'].map((title, n) => event(n, { p: `/${title}` })),
    );
    expect((await ask()).pages.map(({ value }) => value)).toEqual([
      '/Z',
      '/a',
      '/ä',
      '/\uFF21',
      '/\u{1F389}',
    ]);
    expect((await ask({ limit: 4 })).pages).toHaveLength(4);
  });
});
