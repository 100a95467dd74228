import { describe, expect, test } from 'vitest';
import { mapUmami, umamiTime, type UmamiRow } from '../../src/commands/import/umami.ts';
import { browserName, deviceName, systemName } from '../../src/commands/import/umami-names.ts';

const emptyColumns = [
  ...['url_query', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ...['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'],
  ...['event_name', 'tag', 'distinct_id', 'job_id'],
];
const row: UmamiRow = {
  ...Object.fromEntries(emptyColumns.map((name) => [name, ''])),
  website_id: 'w1',
  session_id: 's1',
  visit_id: 'v1',
  event_id: '0199a7a0-0000-7000-8000-000000000001',
  hostname: 'example.com',
  browser: 'crios',
  os: 'iOS',
  device: 'mobile',
  screen: '390x844',
  language: 'de-DE',
  country: 'DE',
  region: 'BE',
  city: 'Berlin',
  url_path: '/pricing',
  referrer_path: '/search',
  referrer_query: 'q=1',
  referrer_domain: 'google.com',
  page_title: 'Pricing',
  event_type: '1',
  created_at: '2026-03-01 10:00:00',
};
const options = { site: 'shop', website: undefined };
const eventOf = (cells: UmamiRow) => {
  const mapped = mapUmami({ ...row, ...cells }, 1, options);
  if (!('event' in mapped)) throw new Error(JSON.stringify(mapped));
  return mapped.event;
};

describe('a row of website_event', () => {
  test('becomes an event with everything that the service can store', () => {
    expect(eventOf({})).toEqual({
      event: 'pageview',
      url: 'https://example.com/pricing',
      site_id: 'shop',
      id: '0199a7a0-0000-7000-8000-000000000001',
      timestamp: Date.UTC(2026, 2, 1, 10),
      visitor_id: eventOf({}).visitor_id,
      session_id: 'v1',
      referrer: 'https://google.com/search?q=1',
      title: 'Pricing',
      screen: '390x844',
      language: 'de-DE',
      country: 'DE',
      browser: 'Chrome',
      os: 'iOS',
      device: 'mobile',
      bot: false,
    });
  });

  test.each<[label: string, cells: UmamiRow, expected: object]>([
    ['a custom event has its name', { event_type: '2', event_name: 'signup' }, { event: 'signup' }],
    [
      'a performance row becomes web vitals and does not end a bounce',
      { event_type: '5', lcp: '1200.5', cls: '0.02', inp: '' },
      { event: 'web_vitals', interactive: false, lcp: 1200.5, cls: 0.02 },
    ],
    [
      'campaign columns are put back into the URL',
      { utm_source: 'news letter', utm_campaign: '50%' },
      { url: 'https://example.com/pricing?utm_source=news+letter&utm_campaign=50%25' },
    ],
    [
      'campaign columns are not repeated in the URL',
      { url_query: 'utm_source=hn&a=1', utm_source: 'hn' },
      { url: 'https://example.com/pricing?utm_source=hn&a=1' },
    ],
    [
      'click ids are put back into the URL',
      { fbclid: 'abc' },
      { url: 'https://example.com/pricing?fbclid=abc' },
    ],
    ['no host name leaves a path', { hostname: '' }, { url: '/pricing' }],
    ['an identified user stays identified', { distinct_id: 'u1' }, { user_id: 'u1' }],
    [
      'Windows has its version in the name',
      { os: 'Windows 10' },
      { os: 'Windows', os_version: '10' },
    ],
  ])('%s', (_label, cells, expected) => {
    expect(eventOf(cells)).toMatchObject(expected);
  });

  test.each<[string, UmamiRow]>([
    ['created_at is no time', { created_at: 'yesterday' }],
    ['event_name is empty', { event_type: '2', event_name: '' }],
    ['event_type 7 has no counterpart here', { event_type: '7' }],
    ['session_id is empty', { session_id: '' }],
    ['created_at is no time', { created_at: '2026-02-30 10:00:00' }],
  ])('is refused: %s', (mistake, cells) => {
    expect(mapUmami({ ...row, ...cells }, 1, options)).toEqual({ mistake });
  });

  test('a session is one visitor, whose id is a hash; another session is another', () => {
    expect(eventOf({}).visitor_id).toMatch(/^[0-9a-f]{16}$/);
    expect(eventOf({ event_id: 'x' }).visitor_id).toBe(eventOf({}).visitor_id);
    expect(eventOf({ session_id: 's2' }).visitor_id).not.toBe(eventOf({}).visitor_id);
  });

  test('derives its id from position and content when it has no valid one', () => {
    const id = (ordinal: number) => {
      const mapped = mapUmami({ ...row, event_id: '17' }, ordinal, options);
      return 'event' in mapped ? mapped.event.id : undefined;
    };
    expect(id(3)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(id(3)).toBe(id(3));
    expect(id(3)).not.toBe(id(4));
  });

  test('is skipped when it belongs to another website than the requested one', () => {
    expect(mapUmami(row, 1, { site: 'shop', website: 'w2' })).toEqual({ skipped: true });
  });
});

test.each([
  ['2026-03-01 10:00:00', Date.UTC(2026, 2, 1, 10)],
  ['2026-03-01 10:00:00.123+00', Date.UTC(2026, 2, 1, 10, 0, 0, 123)],
  ['2026-03-01 10:00:00.123456+02', Date.UTC(2026, 2, 1, 8, 0, 0, 123)],
  ['2026-03-01T10:00:00.000Z', Date.UTC(2026, 2, 1, 10)],
  ['2026-03-01T10:00:00+05:30', Date.UTC(2026, 2, 1, 4, 30)],
  ['2026-03-01 10:00:00.123456 +0200', Date.UTC(2026, 2, 1, 8, 0, 0, 123)],
  ['2026-03-01t10:00:00z', Date.UTC(2026, 2, 1, 10)],
  ['2026-13-01 10:00:00', undefined],
  ['2026-02-30 10:00:00', undefined],
  ['2026-02-29T10:00:00Z', undefined],
  ['2024-02-29 10:00:00', Date.UTC(2024, 1, 29, 10)],
  ['2026-04-31 10:00:00+02', undefined],
  ['2026-03-01 24:00:00', undefined],
  ['2026-03-01 10:00:61', undefined],
  ['0000-00-00 00:00:00', undefined],
  ['2026-03-01', undefined],
  ['', undefined],
])('created_at "%s"', (text, expected) => {
  expect(umamiTime(text)).toBe(expected);
});

test.each([
  [browserName, 'chrome', 'Chrome'],
  [browserName, 'edge-chromium', 'Edge'],
  [browserName, 'samsung', 'Samsung Internet'],
  [browserName, 'ios', 'Safari'],
  [browserName, 'Falkon', 'Falkon'],
  [browserName, '', undefined],
  [systemName, 'Mac OS', { os: 'macOS' }],
  [systemName, 'Android OS', { os: 'Android' }],
  [systemName, 'Windows XP', { os: 'Windows', os_version: 'XP' }],
  [systemName, 'Haiku', { os: 'Haiku' }],
  [systemName, '', {}],
  [deviceName, 'laptop', 'desktop'],
  [deviceName, 'tablet', 'tablet'],
  [deviceName, 'fridge', 'unknown'],
  [deviceName, '', undefined],
])('names are mapped to those of the figures, and unknown ones kept: %o %j', (map, name, ours) => {
  expect(map(name)).toEqual(ours);
});
