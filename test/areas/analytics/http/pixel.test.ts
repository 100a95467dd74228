import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest();
});
afterAll(() => client.close());

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

function expectImage(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/gif',
    'content-length': '43',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'cross-origin',
  });
}

async function pixel(query: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await client.ask('GET', `/analytics/pixel.gif${query}`, headers);
  expectImage(answer);
  expect(answer.text).toBe(gif.toString());
  return answer;
}

describe('GET /analytics/pixel.gif', () => {
  it('is a GIF of one transparent pixel', () => {
    expect(gif).toHaveLength(43);
    expect(gif.toString('latin1', 0, 6)).toBe('GIF89a');
    expect({ first: gif.readUInt16LE(6), second: gif.readUInt16LE(8) }).toEqual({
      first: 1,
      second: 1,
    });
  });

  it('counts a page view', async () => {
    const site = newSite();
    const answer = await pixel(
      `?site=${site}&page=${encodeURIComponent('/prices?utm_source=mail')}`,
    );
    expect(answer.headers).not.toHaveProperty('x-svc-reason');
    expect(await client.rows(site)).toMatchObject([
      { event: 'pageview', pathname: '/prices', utm_source: 'mail', browser: 'Chrome' },
    ]);
  });

  it('reads the page from the Referer header when the query has none', async () => {
    const site = newSite();
    await pixel(`/?site=${site}`, { referer: 'https://example.org/from/header' });
    expect(await client.rows(site)).toMatchObject([
      { hostname: 'example.org', pathname: '/from/header' },
    ]);
  });

  it('accepts event, id, title and referrer', async () => {
    const site = newSite();
    const id = randomUUID();
    await pixel(
      `?site=${site}&page=mail&event=open&id=${id}` +
        `&title=News&referrer=https%3A%2F%2Fwww.google.com%2F`,
    );
    expect(await client.rows(site)).toMatchObject([
      { id, event: 'open', title: 'News', source: 'Google' },
    ]);
  });

  it.each([
    ['no query', '', 'invalid page'],
    ['no page', '?site=x', 'invalid page'],
    ['no site', '?page=/', 'invalid site'],
    ['a repeated parameter', '?site=a&site=b&page=/', 'invalid site'],
    ['a repeated page', '?site=a&page=/&page=/b', 'invalid page'],
    ['an array-like parameter', '?site[]=a&page=/', 'invalid site'],
    ['control characters', '?site=%00&page=/', 'invalid site'],
    ['a prototype', '?__proto__=1&constructor=2&page=/', 'invalid site'],
    ['an invalid id', '?site=a&page=/&id=7', 'invalid id'],
    ['a long site', `?site=${'s'.repeat(5000)}&page=/`, 'invalid site'],
    ['another scheme', '?site=a&page=javascript:alert(1)', 'url_scheme'],
  ])(
    'with %s still returns the image, with the reason why it does not count',
    async (_, query, reason) => {
      expect((await pixel(query)).headers['x-svc-reason']).toBe(reason);
    },
  );

  it.each([
    '?%',
    '?site=%E0%A4%A&page=%',
    '?&&&==',
    `?${'a&'.repeat(2000)}`,
    '?site=a&page=%00',
    '//?site',
    '?site=a;page=b',
    '?page=/&site=%f0%9f%98%80',
  ])('returns the image for %s', async (query) => {
    await pixel(query.replace('//', '/'));
  });

  it.each([
    { 'content-encoding': 'br' },
    { 'content-type': 'application/xml' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { accept: 'text/html' },
  ])('returns the image whatever the headers (%o)', async (headers) => {
    const site = newSite();
    await pixel(`?site=${site}&page=/`, headers);
    expect(await client.rows(site)).toHaveLength(1);
  });

  it('counts what it could not store in the figures of the site', async () => {
    const site = newSite();
    await pixel(`?site=${site}&page=/`);
    await pixel(`?site=${site}`);
    await pixel(`?site=${site}&page=ftp://x`);
    expect(await client.rows(site)).toHaveLength(1);
    const {
      left_out: { dropped },
    } = (await client.figures(site)) as { left_out: { dropped: Record<string, number> } };
    expect(dropped.url_scheme).toBeGreaterThanOrEqual(1);
    expect(dropped.invalid).toBeGreaterThanOrEqual(1);
  });

  it('HEAD returns the headers and counts nothing', async () => {
    const site = newSite();
    const answer = await client.ask('HEAD', `/analytics/pixel.gif?site=${site}&page=/`);
    expectImage(answer);
    expect(answer.text).toBe('');
    await client.store('/analytics/track', { event: 'other', url: '/', site_id: site });
    expect(await client.rows(site)).toMatchObject([{ event: 'other' }]);
  });
});
