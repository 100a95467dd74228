import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteRegistrationOf } from '../../../../src/areas/analytics/compose.ts';
import { parseConfig } from '../../../../src/config.ts';
import { bodyBytesPerMinute } from '../../../../src/platform/http/limits/byte-rate-limit.ts';
import { asAdmin } from '../../../support/app.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  const now = clockFromNoon().now();
  // The clock is frozen, so that no budget is refilled however long the requests take.
  client = await openIngest({
    clock: { now: () => now },
    env: { RATE_LIMIT: 'on', STORED_BYTES_PER_ADDRESS: '8KiB', STORED_BYTES_PER_SITE: '4KiB' },
  });
});
afterAll(() => client.close());

const view = (site: string, url = '/') => ({ event: 'pageview', url, site_id: site });
const views = (site: string, count: number) => Array.from({ length: count }, () => view(site));
let addresses = 0;

/** Returns an address that no other test uses. */
const newAddress = () => `198.51.100.${(addresses += 1)}`;

async function post(
  remoteAddress: string,
  url: string,
  payload: object | Buffer,
  headers: Record<string, string> = {},
) {
  const answer = await client.app.http.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.json<Record<string, unknown>>(),
  };
}

const gzipped = (remoteAddress: string, text: string) =>
  post(remoteAddress, batch, gzipSync(text), { 'content-encoding': 'gzip' });

describe('a body that costs more than its size', () => {
  it.each([
    ['is nested a million deep', `{"events":${'['.repeat(1_000_000)}`, 413],
    ['is nested far too deep, within the size limit', `{"events":${'['.repeat(100_000)}`, 422],
    [
      'holds a hundred thousand numbers and an escape',
      `{"events":["\\u0041"${',1'.repeat(100_000)}]}`,
      413,
    ],
    [
      'has a distinct key for each value',
      JSON.stringify({
        events: [
          Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name${n * 7919}`, 1])),
        ],
      }),
      413,
    ],
    ['is mostly whitespace', `{"events":[${' '.repeat(900_000)}]}`, 413],
  ])('is refused when it %s', async (_label, text, status) => {
    expect((await gzipped(newAddress(), text)).status).toBe(status);
  });

  it('is charged by its unpacked bytes: 429 with Retry-After, for this sender only', async () => {
    const [greedy, other] = [newAddress(), newAddress()];
    const text = JSON.stringify({
      events: [{ x: Array.from({ length: 150_000 }, (_, n) => n).join('-') }],
    });
    let answer = await gzipped(greedy, text);
    for (
      let sent = text.length;
      answer.status !== 429 && sent < 2 * bodyBytesPerMinute.open;
      sent += text.length
    )
      answer = await gzipped(greedy, text);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 429,
      code: 'request.rate_limited',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(other, batch, { events: views(newSite(), 1) })).status).toBe(200);
  }, 120_000);
});

describe('the daily storage budget', () => {
  it('limits an address: 429 until tomorrow, on every endpoint', async () => {
    const from = newAddress();
    const answers = [];
    for (let n = 0; n < 4; n++)
      answers.push(await post(from, batch, { events: views(newSite(), 25) }));
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      body: { code: 'analytics.address_budget' },
    });
    const single = await post(from, track, view(newSite()));
    expect({ status: single.status, code: single.body.code }).toEqual({
      status: 429,
      code: 'analytics.address_budget',
    });
    expect(Number(single.headers['retry-after'])).toBeGreaterThan(0);
    const pixel = await client.app.http.inject({
      method: 'GET',
      url: `/analytics/pixel.gif?site=${newSite()}&page=/`,
      remoteAddress: from,
    });
    expect({ status: pixel.statusCode, 'x-svc-reason': pixel.headers['x-svc-reason'] }).toEqual({
      status: 200,
      'x-svc-reason': 'address_budget',
    });
    expect((await post(newAddress(), track, view(newSite()))).status).toBe(200);
  });

  it('limits a site, whatever the address: other sites are stored, and drops counted', async () => {
    const [site, other] = [newSite(), newSite()];
    for (let n = 0; n < 3; n++) await post(newAddress(), batch, { events: views(site, 20) });
    const mixed = await post(newAddress(), batch, { events: [view(site), view(other)] });
    expect(mixed).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: [{ index: 0, code: 'site_budget' }] },
    });
    const single = await post(newAddress(), track, view(site));
    expect({ status: single.status, code: single.body.code }).toEqual({
      status: 429,
      code: 'analytics.site_budget',
    });
    expect(Number(single.headers['retry-after'])).toBeGreaterThan(0);
    expect(await client.figures(site)).toMatchObject({
      left_out: { dropped: { site_budget: expect.any(Number) as unknown } },
    });
  });

  it('does not limit senders with a key that may write events', async () => {
    const [from, site] = [newAddress(), newSite()];
    for (let n = 0; n < 4; n++)
      expect((await post(from, batch, { events: views(site, 100) }, asAdmin)).body).toMatchObject({
        accepted: 100,
      });
    expect((await post(from, track, view(site))).status).toBe(200);
  });

  it('is shared by all replicas through Redis, without the addresses themselves', async () => {
    const from = newAddress();
    await post(from, track, view(newSite()));
    await client.app.services.storageBudget.sync();
    const keys = await client.app.stores.redis.keys('analytics:stored:*');
    expect(keys).toHaveLength(1);
    const fields = await client.app.stores.redis.hgetall(keys[0] ?? '');
    expect(
      Object.values(fields)
        .map(Number)
        .every((bytes) => bytes > 0),
    ).toBe(true);
    expect(JSON.stringify(fields)).not.toContain(from);
  });
});

describe('sites that are registered by their first event', () => {
  it('are limited to twenty a day for one address, in one batch or many', async () => {
    const from = newAddress();
    const many = () => ({ events: Array.from({ length: 30 }, () => view(newSite())) });
    const before = client.app.services.sites.list().length;
    const first = await post(from, batch, many());
    expect(first.body).toMatchObject({ accepted: 20 });
    expect((await post(from, batch, many())).body).toMatchObject({ accepted: 0 });
    expect(client.app.services.sites.list().length - before).toBe(20);
    expect((await post(newAddress(), batch, { events: [view(newSite())] })).body).toMatchObject({
      accepted: 1,
    });
    expect((await post(from, batch, many(), asAdmin)).body).toMatchObject({ accepted: 30 });
  });

  it('are refused in production unless SITE_REGISTRATION is open', () => {
    const secrets = {
      AUTH_SECRET: 'k7Jq2mX9vR4tB8wZ1nC6yL3pF5hD0sGa',
      ADMIN_API_KEY: 'Zt5Wc8Rm1Yx4Kb7Np0Vd3Gs6Hj9Lf2Qe',
    };
    expect(siteRegistrationOf(parseConfig({ NODE_ENV: 'production', ...secrets }))).toBe('closed');
    expect(
      siteRegistrationOf(
        parseConfig({ NODE_ENV: 'production', SITE_REGISTRATION: 'open', ...secrets }),
      ),
    ).toBe('open');
    expect(siteRegistrationOf(parseConfig({ NODE_ENV: 'development' }))).toBe('open');
  });
});
