import fc from 'fast-check';

/** Texts that break programs, and any others. */
export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udc00x',
    '\u202e',
    '😀',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    '0',
    '-1',
    '1e999',
    "'; DROP TABLE events; --",
    '../../etc/passwd',
    '%00',
    '${7*7}',
    '\\',
    '"',
    'x'.repeat(5000),
  ),
);
const oddNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    0,
    -0,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    2 ** 63,
    8.64e15,
    8.64e15 + 1,
    -8.64e15,
    99_999_999_999_999.9,
  ),
);
/** Times that are wrong, or nearly. */
export const oddTime = fc.oneof(
  oddNumber,
  fc.constantFrom(
    '2024-02-30T00:00:00Z',
    '2024-02-29T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2024-01-01T00:00:00+23:59',
    '2024-01-01T00:00Z',
    '2024-01-01',
    '-000001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
  ),
  oddText,
);
const oddUrl = fc.oneof(
  oddText,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'http://',
    'http:///x',
    'https://[::1]:99999/',
    '//x',
    'http://a%zz/',
    'javascript:1',
    'http://ü.example/%E0%A4%A',
    `/${'%'.repeat(1000)}`,
    'http://user:pass@x/',
    '/a/../../..',
    `http://${'a.'.repeat(1000)}b/`,
    '/?utm_source=%',
    '/?gclid=\ud800',
  ),
);
/** Values of any type. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(oddText, { maxLength: 3 }),
  fc.dictionary(oddText, oddNumber, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const oddFields = {
  event: odd,
  url: fc.oneof(oddUrl, odd),
  site_id: odd,
  id: fc.oneof(
    fc.uuid(),
    fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    odd,
  ),
  timestamp: oddTime,
  referrer: fc.oneof(oddUrl, odd),
  title: fc.oneof(oddText, odd),
  props: fc.oneof(fc.dictionary(oddText, odd, { maxKeys: 40 }), odd),
  revenue: fc.oneof(
    fc.record({
      amount: fc.oneof(oddNumber, fc.constantFrom('1.0000', '-99999999999999.9999', '1e5')),
      currency: fc.constantFrom('EUR', 'eur', '€€€'),
    }),
    odd,
  ),
  user_id: fc.oneof(oddText, odd),
  anonymous_id: fc.oneof(oddText, odd),
  session_id: fc.oneof(oddText, odd),
  screen: fc.oneof(fc.constantFrom('1920x1080', '0x0', '99999x99999', 'x', '-1x1'), odd),
  language: fc.oneof(fc.constantFrom('de', 'xx-YY-zz', '*', '-', 'zh-Hant-TW'), odd),
  interactive: odd,
  scroll_depth: oddNumber,
  engagement_ms: oddNumber,
  lcp: oddNumber,
  cls: oddNumber,
  tag: fc.oneof(oddText, odd),
  ip: fc.oneof(fc.ipV4(), fc.ipV6(), odd),
  user_agent: fc.oneof(oddText, odd),
  visitor_id: fc.oneof(fc.constantFrom('0000000000000000', 'ffffffffffffffff'), odd),
  country: fc.oneof(fc.constantFrom('DE', 'ZZ'), odd),
  browser: oddText,
  os_version: oddText,
  constructor: odd,
  toString: odd,
  n: odd,
  name: odd,
};

/** An event in which up to four fields have odd values. */
export const event = fc
  .tuple(
    fc.record(oddFields),
    fc.subarray(Object.keys(oddFields) as (keyof typeof oddFields)[], { maxLength: 4 }),
  )
  .map(([values, chosen]) => ({
    event: 'pageview',
    url: '/',
    site_id: 'site',
    ...Object.fromEntries(chosen.map((field) => [field, values[field]])),
  }));
