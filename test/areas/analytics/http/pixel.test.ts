import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { TestResponse } from '../../../support/client.ts';
import { it } from '../../../support/test.ts';
import { newSite, track, useSharedAnalytics, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

function expectImage(response: TestResponse): void {
  expect(response).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/gif',
      'content-length': '43',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
}

async function pixel(query: string, headers: Record<string, string> = {}): Promise<TestResponse> {
  const response = await analytics.pixel(query, headers);
  expectImage(response);
  expect(response.bytes.equals(gif)).toBe(true);
  return response;
}

describe('the pixel', () => {
  it('is a GIF of one transparent pixel', () => {
    expect(gif).toHaveLength(43);
    expect(gif.toString('latin1', 0, 6)).toBe('GIF89a');
    expect({ width: gif.readUInt16LE(6), height: gif.readUInt16LE(8) }).toEqual({
      width: 1,
      height: 1,
    });
  });

  it('counts a page view', async () => {
    const site = newSite();
    const page = encodeURIComponent('/prices?utm_source=mail');
    expect((await pixel(`?site=${site}&page=${page}`)).headers).not.toHaveProperty('x-svc-reason');
    expect(await analytics.rows(site)).toMatchObject([
      { event: 'pageview', pathname: '/prices', utm_source: 'mail', browser: 'Chrome' },
    ]);
  });

  it('reads the page from the Referer header when the query has none', async () => {
    const site = newSite();
    await pixel(`/?site=${site}`, { referer: 'https://example.org/from/header' });
    expect(await analytics.rows(site)).toMatchObject([
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
    expect(await analytics.rows(site)).toMatchObject([
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
  ])('with %s is sent with the reason why it does not count', async (_, query, reason) => {
    expect((await pixel(query)).headers['x-svc-reason']).toBe(reason);
  });

  it.each([
    '?%',
    '?site=%E0%A4%A&page=%',
    '?&&&==',
    `?${'a&'.repeat(2000)}`,
    '?site=a&page=%00',
    '/?site',
    '?site=a;page=b',
    '?page=/&site=%f0%9f%98%80',
  ])('is sent for %s', async (query) => {
    await pixel(query);
  });

  it.each([
    { 'content-encoding': 'br' },
    { 'content-type': 'application/xml' },
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { accept: 'text/html' },
  ])('is sent and counts whatever the headers (%o)', async (headers) => {
    const site = newSite();
    await pixel(`?site=${site}&page=/`, headers);
    expect(await analytics.rows(site)).toHaveLength(1);
  });

  it('counts what it could not store in the figures of the site', async () => {
    const site = newSite();
    await pixel(`?site=${site}&page=/`);
    await pixel(`?site=${site}`);
    await pixel(`?site=${site}&page=ftp://x`);
    expect(await analytics.rows(site)).toHaveLength(1);
    const { left_out: leftOut } = await analytics.figures(site);
    const { dropped } = leftOut as { dropped: Record<string, number> };
    expect(dropped.url_scheme).toBeGreaterThanOrEqual(1);
    expect(dropped.invalid).toBeGreaterThanOrEqual(1);
  });

  it('is described by HEAD, which counts nothing', async () => {
    const site = newSite();
    const response = await analytics.tracker.send(
      'HEAD',
      `/analytics/pixel.gif?site=${site}&page=/`,
    );
    expectImage(response);
    expect(response.text).toBe('');
    await analytics.store(track, view(site, { event: 'other' }));
    expect(await analytics.rows(site)).toMatchObject([{ event: 'other' }]);
  });
});
