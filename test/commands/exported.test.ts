import { describe, expect, test } from 'vitest';
import { mapExported, typedCells, withExactAmount } from '../../src/commands/import/exported.ts';
import { joinUrl } from '../../src/commands/import/page-url.ts';

const id = '0199a7a0-0000-7000-8000-000000000001';
const row = {
  id,
  timestamp: '2026-03-01T10:00:00.000Z',
  site_id: 's',
  event: 'pageview',
  hostname: 'example.com',
  pathname: '/a',
};
const eventOf = (cells: object, site?: string) => {
  const mapped = mapExported({ ...row, ...cells }, 1, site);
  if (!('event' in mapped)) throw new Error(JSON.stringify(mapped));
  return mapped.event;
};

describe('a row of an export', () => {
  test('keeps its id, and has no visitor when the visitor was not recognised', () => {
    expect(eventOf({ visitor_id: null, session_id: null })).toEqual({
      event: 'pageview',
      url: 'https://example.com/a',
      site_id: 's',
      id,
      timestamp: row.timestamp,
      visitor_id: '0000000000000000',
    });
  });

  test.each<[label: string, cells: object, expected: object]>([
    [
      'a known source has a web referrer',
      { referrer: 'google.com/search', source: 'Google' },
      { referrer: 'https://google.com/search' },
    ],
    [
      'an Android app has an app referrer',
      { referrer: 'com.google.android.gm', source: 'Gmail' },
      { referrer: 'android-app://com.google.android.gm' },
    ],
    [
      'a host with a punycode TLD stays a host',
      { referrer: 'xn--e1afmkfd.xn--p1ai/a', source: 'xn--e1afmkfd.xn--p1ai' },
      { referrer: 'https://xn--e1afmkfd.xn--p1ai/a' },
    ],
    [
      'campaign and click id go back into the URL',
      { query: 'q=1', utm_source: 'a&b', utm_term: 'été #1', click_id: 'gclid:x:y' },
      { url: 'https://example.com/a?q=1&utm_source=a%26b&utm_term=été+%231&gclid=x:y' },
    ],
    [
      'hash routes stay after the query',
      { pathname: '/app#/settings', query: 'x=1' },
      { url: 'https://example.com/app?x=1#/settings' },
    ],
    [
      'revenue has its currency',
      { revenue_amount: 12.5, revenue_currency: 'EUR' },
      { revenue: { amount: 12.5, currency: 'EUR' } },
    ],
    [
      'numbers and booleans',
      { bot: true, interactive: false, lcp: 0, scroll_depth: 50 },
      { bot: true, interactive: false, lcp: 0, scroll_depth: 50 },
    ],
  ])('%s', (_label, cells, expected) => {
    expect(eventOf(cells)).toMatchObject(expected);
  });

  test('goes to another site when one is given', () => {
    expect(eventOf({}, 'other').site_id).toBe('other');
    expect(mapExported({ ...row, site_id: undefined }, 1, undefined)).toEqual({
      mistake: 'site_id is missing: name the site with --site',
    });
  });

  test('without an id gets one derived from its content and position', () => {
    const { id: derived } = eventOf({ id: undefined });
    expect(derived).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
    expect(eventOf({ id: undefined }).id).toBe(derived);
    expect(eventOf({ id: undefined, title: 'x' }).id).not.toBe(derived);
  });

  test('is refused with the reason when invalid', () => {
    expect(mapExported({ ...row, timestamp: 5 }, 1, undefined)).toEqual({
      mistake: expect.stringMatching(/^timestamp: /) as string,
    });
    expect(mapExported([], 1, undefined)).toHaveProperty('mistake');
  });
});

test('CSV cells have the types of NDJSON, and empty ones are absent', () => {
  expect(
    typedCells({ event: 'a', title: '', lcp: '1.5', bot: 'false', props: '{"a":"1"}' }),
  ).toEqual({ event: 'a', lcp: 1.5, bot: false, props: { a: '1' } });
});

test('amounts keep all their digits, even beside a property of the same name', () => {
  const line =
    '{"revenue_amount":99999999999999.9999,"props":{"revenue_amount":"123456789012345"}}';
  expect(withExactAmount(line, JSON.parse(line))).toMatchObject({
    revenue_amount: '99999999999999.9999',
  });
  const small = '{"revenue_amount":12.5000,"title":"\\"revenue_amount\\":123456789012345,"}';
  expect(withExactAmount(small, JSON.parse(small))).toMatchObject({ revenue_amount: 12.5 });
});

test('a URL without a host is a path', () => {
  expect(joinUrl({ hostname: null, pathname: 'a', query: '?x', tags: [] })).toBe('/a?x');
});
