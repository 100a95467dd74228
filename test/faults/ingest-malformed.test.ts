import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import {
  type Answer,
  ask,
  asAdmin,
  type Service,
  startService,
  storedCount,
  storedIds,
} from './ingest-service.ts';

const runs = 10_000;
// A fixed seed makes failures reproducible; MALFORMED_SEED takes another number, or `random`.
const seed =
  process.env.MALFORMED_SEED === 'random'
    ? {}
    : { seed: Number(process.env.MALFORMED_SEED ?? 20_261_121) };

interface Malformed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const oddText = fc.oneof(
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
const oddTime = fc.oneof(
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
const odd: fc.Arbitrary<unknown> = fc.oneof(
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
const event = fc
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

const request: fc.Arbitrary<Malformed> = fc
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

const toHeaderValue = (value: string): string =>
  value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();

interface IngestResult {
  accepted?: number;
}

/**
 * Sends the request. Returns undefined when the server closed the connection without an answer, as
 * it may for invalid HTTP.
 */
async function send(
  port: number,
  agent: Agent,
  { method, path: target, headers: given, body: payload }: Malformed,
): Promise<Answer | undefined> {
  const clean: Record<string, string> = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, toHeaderValue(value)]),
  );
  const chunked =
    clean['transfer-encoding'] !== undefined &&
    payload !== undefined &&
    ['POST', 'PUT', 'PATCH'].includes(method);
  // Node's client would announce chunks and then send none.
  if (!chunked) delete clean['transfer-encoding'];
  const extra = payload === undefined ? {} : { body: payload };
  return ask(port, target, { method, headers: clean, agent, chunked, ...extra }).catch(
    () => undefined,
  );
}

async function start(): Promise<Service> {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-malformed-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const service = await startService({
    DATA_DIR: dir,
    REDIS_URL: await testRedisUrl(),
    SITE_LIMIT: '100000',
  });
  return service;
}

test(`${runs} malformed requests: no 5xx, no crash, only accepted events are stored`, async () => {
  const service = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const tally = new Map<string, number>();
  let accepted = 0;
  let pixels = 0;
  await fc.assert(
    fc.asyncProperty(request, async (malformed) => {
      const answer = await send(service.port, agent, malformed);
      tally.set(
        String(answer?.status ?? 'closed'),
        (tally.get(String(answer?.status ?? 'closed')) ?? 0) + 1,
      );
      if (answer === undefined) return;
      if (answer.status >= 500)
        throw new Error(
          `${answer.status} ${answer.text}\n${
            service
              .output()
              .split('\n')
              .filter((line) => line.includes('"err"'))
              .at(-1) ?? ''
          }`,
        );
      if (
        malformed.path.startsWith('/analytics/pixel.gif') &&
        answer.status === 200 &&
        malformed.method === 'GET' &&
        answer.headers['x-svc-reason'] === undefined
      )
        pixels += 1;
      if (
        answer.status === 200 &&
        /track|batch/.test(malformed.path) &&
        malformed.method === 'POST'
      )
        accepted += (JSON.parse(answer.text) as IngestResult).accepted ?? 0;
      if (malformed.method === 'HEAD') return;
      if (answer.status === 422)
        expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['detail']);
      // An expectation other than 100-continue is refused by Node itself, without a body.
      if (answer.status >= 400 && answer.status !== 422)
        expect(JSON.parse(answer.text)).toMatchObject({
          status: answer.status,
          code: expect.any(String) as string,
        });
    }),
    {
      numRuns: runs,
      ...seed,
      plugins: [fc.interruptAfterTimeLimit(240_000, { failOnInterrupt: true })],
    },
  );
  agent.destroy();
  console.log(
    `${JSON.stringify(Object.fromEntries([...tally].sort()))}; ` +
      `${accepted} events and ${pixels} pixels accepted`,
  );

  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  expect(accepted).toBeGreaterThan(runs / 100);
  const good = randomUUID();
  expect(
    (
      await ask(service.port, '/analytics/track', {
        method: 'POST',
        body: { event: 'last', url: '/', site_id: 'site', id: good },
      })
    ).status,
  ).toBe(200);
  await vi.waitFor(
    async () => expect(await storedCount(service.port)).toBe(accepted + pixels + 1),
    { timeout: 20_000, interval: 100 },
  );
  const ids = await storedIds(service.port);
  expect(ids).toContain(good);
  expect(service.output()).not.toContain('could not be stored');
  expect(service.output()).not.toContain('"level":"error"');
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 300_000);

test('bytes that are not HTTP get no 5xx, and the service stays alive', async () => {
  const service = await start();
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'GET / HTTP/1.1\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n' +
          'transfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
        'GET /analytics/pixel.gif?site=\u0000 HTTP/1.1\r\nhost: x\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        '\r\n\r\n\r\n',
        'POST /analytics/track HTTP/1.1\r\nhost: x\r\nhost: y\r\ncontent-length: 2\r\n' +
          'content-length: 3\r\n\r\n{}',
        `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
        `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
      )
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(noise, async (bytes) => {
      const text = await new Promise<string>((resolve) => {
        let received = '';
        const socket = connect(service.port, '127.0.0.1', () => socket.end(bytes));
        socket.on('data', (part) => (received += part.toString('latin1')));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(received));
      });
      expect(text).not.toMatch(/^HTTP\/1\.1 5/);
    }),
    { numRuns: 300, ...seed },
  );
  expect((await ask(service.port, '/api/health/live')).status).toBe(200);
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 60_000);
