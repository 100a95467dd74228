import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { asAdmin } from './ingest-service.ts';
import { event, odd, oddText, oddTime } from './malformed-event.ts';

export interface Malformed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const batchBody = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        events: fc.array(fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: odd }), {
          maxLength: 6,
        }),
        sent_at: oddTime,
      },
      { requiredKeys: ['events'] },
    ),
  },
  { weight: 1, arbitrary: odd },
);

const corrupted = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 6 }))
    .map(([good, at, noise]) => {
      const bytes = Buffer.from(good);
      const offset = bytes.length === 0 ? 0 : at % bytes.length;
      return Buffer.concat([
        bytes.subarray(0, offset),
        noise,
        bytes.subarray(offset + noise.length),
      ]);
    });

const json = fc
  .oneof({ weight: 1, arbitrary: event }, { weight: 2, arbitrary: batchBody })
  .map((value) => JSON.stringify(value));
const body: fc.Arbitrary<Buffer | undefined> = fc.oneof(
  { weight: 20, arbitrary: json.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: corrupted(json) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: json.map((text) => gzipSync(text)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 20_000 })
      .map((depth) => Buffer.from(`${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`)),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 9000 })
      .map((depth) =>
        Buffer.from(
          '{"event":"a","url":"/","site_id":"site",' +
            `"props":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      undefined,
      Buffer.alloc(0),
      Buffer.from('null'),
      Buffer.from('[]'),
      Buffer.from('"'),
      Buffer.from('{"events":'),
      Buffer.alloc(70_000, 32),
      Buffer.from([0xff, 0xfe, 0x7b, 0]),
    ),
  },
);

const headerText = fc.string({
  maxLength: 40,
  unit: fc.constantFrom(...'abcXYZ0189 ;,=/*"-_.ü\t'),
});
// Lone surrogates cannot be encoded: they become U+FFFD, as a browser would send them.
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '/analytics/track/',
      '/analytics/track',
      '/analytics/batch/',
      '/analytics/batch',
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'site',
            'page',
            'event',
            'id',
            'referrer',
            'title',
            '__proto__',
            'a[b]',
            '',
          ),
          oddText,
        ),
        { maxLength: 5 },
      )
      .map((pairs) => {
        const query = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encoded(value)}`);
        return `/analytics/pixel.gif?${query.join('&')}`;
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'site_id',
          'period',
          'from',
          'to',
          'timezone',
          'interval',
          'filter',
          'compare',
          'limit',
          'bots',
        ),
        fc.oneof(
          oddText,
          fc.constantFrom(
            'custom',
            'page:matches:(',
            'page:is:\u0000',
            'props.x:is:|||',
            '9999-12-31',
            '0001-01-01',
            'Europe/Berlin',
            '12mo',
            'system',
          ),
        ),
      )
      .map(
        ([key, value]) =>
          '/analytics/dashboard/?site_id=site&period=custom&from=2026-01-01&to=2026-01-03&' +
          `${key}=${encoded(value)}`,
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/analytics/export/events/',
      '/analytics/sites',
      '/analytics/%',
      '/analytics/track/%E0%A4%A',
      '/analytics//track',
      '/analytics/track?x=%',
      '/analytics/../track',
      '*',
    ),
  },
);

const plainHeaders = fc.constantFrom<Record<string, string>>(
  { 'content-type': 'application/json' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json', ...asAdmin },
);
const oddHeaders = fc
  .record(
    {
      'content-type': fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            'application/json',
            'text/plain',
            'application/json; charset=utf-8',
          ),
        },
        {
          weight: 1,
          arbitrary: fc.oneof(
            headerText,
            fc.constantFrom(
              'application/json; charset=utf-16',
              'application/x-www-form-urlencoded',
              'multipart/form-data',
              ';',
              'a/b/c',
            ),
          ),
        },
      ),
      'content-encoding': fc.constantFrom('gzip', 'identity', 'br', 'gzip,gzip', 'GZIP', ''),
      authorization: fc.oneof(
        fc.constantFrom('Bearer ', 'Bearer x', 'Basic eA==', asAdmin.authorization),
        headerText,
      ),
      'user-agent': headerText,
      'accept-language': headerText,
      'x-forwarded-for': fc.oneof(headerText, fc.ipV6()),
      'sec-gpc': fc.constantFrom('1', 'x'),
      'x-request-id': headerText,
      referer: headerText,
      expect: fc.constantFrom('100-continue', '100-continue', '100-continue', 'x'),
      'transfer-encoding': fc.constant('chunked'),
    },
    { requiredKeys: ['content-type'] },
  )
  .map((given): Record<string, string> => given);
const headers = fc.oneof(
  { weight: 3, arbitrary: plainHeaders },
  { weight: 1, arbitrary: oddHeaders },
);

/** Requests that are mostly wrong: method, path, headers or body. */
export const malformedRequests: fc.Arbitrary<Malformed> = fc
  .record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'GET',
          'POST',
          'PUT',
          'DELETE',
          'PATCH',
          'HEAD',
          'OPTIONS',
          'PROPFIND',
          'QUERY',
        ),
      },
    ),
    path,
    headers,
    body,
  })
  .map(({ method, ...rest }) => ({
    ...rest,
    method:
      method === ''
        ? rest.path.includes('pixel') ||
          rest.path.includes('dashboard') ||
          rest.path.includes('sites')
          ? 'GET'
          : 'POST'
        : method,
  }));
