import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { liveSettingsOf } from '../../../../src/platform/settings/live-settings.ts';
import { parseConfig } from '../../../../src/config.ts';
import { bodyBytesPerMinute } from '../../../../src/platform/http/limits/byte-rate-limit.ts';
import { asAdmin } from '../../../support/app.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import type { TestClient } from '../../../support/client.ts';
import { batch, newSite, track, useAnalytics, view } from '../support.ts';

const now = clockFromNoon().now();
const analytics = await useAnalytics({
  // The clock is frozen, so that no budget is refilled however long the requests take.
  clock: { now: () => now },
  env: { RATE_LIMIT: 'on', STORED_BYTES_PER_ADDRESS: '8KiB', STORED_BYTES_PER_SITE: '4KiB' },
});

let addresses = 0;
/** Returns an address that no other test uses. */
const newAddress = () => `198.51.100.${(addresses += 1)}`;
/** A client at an address that no other test uses. */
const newSender = () => analytics.tracker.from(newAddress());
const views = (site: string, count: number) => ({
  events: Array.from({ length: count }, () => view(site)),
});
const postGzipped = (sender: TestClient, body: Buffer) =>
  sender.post(batch, body, {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });

describe('a body that costs more than its size', () => {
  const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name${n * 7919}`, 1]));
  it.each([
    ['is nested a million deep', `{"events":${'['.repeat(1_000_000)}`, 413],
    ['is nested far too deep, within the size limit', `{"events":${'['.repeat(100_000)}`, 422],
    ['holds 100,000 numbers and an escape', `{"events":["\\u0041"${',1'.repeat(100_000)}]}`, 413],
    ['has a distinct key for each value', JSON.stringify({ events: [keys] }), 413],
    ['is mostly whitespace', `{"events":[${' '.repeat(900_000)}]}`, 413],
  ])('is refused when it %s', async (_label, text, status) => {
    expect(await postGzipped(newSender(), gzipSync(text))).toMatchObject({ status });
  });

  it('is charged by its unpacked bytes: 429 with Retry-After, for this sender only', async () => {
    const greedy = newSender();
    const numbers = Array.from({ length: 150_000 }, (_, n) => n).join('-');
    const text = JSON.stringify({ events: [{ x: numbers }] });
    const body = gzipSync(text);
    let answer = await postGzipped(greedy, body);
    for (
      let sent = text.length;
      answer.status !== 429 && sent < 2 * bodyBytesPerMinute.open;
      sent += text.length
    )
      answer = await postGzipped(greedy, body);
    expect(answer).toBeProblem(429, 'request.rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await newSender().post(batch, views(newSite(), 1))).toMatchObject({ status: 200 });
  }, 120_000);
});

describe('the daily storage budget', () => {
  it('limits an address: 429 until tomorrow, on every endpoint', async () => {
    const sender = newSender();
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await sender.post(batch, views(newSite(), 25)));
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(answers.at(-1)).toBeProblem(429, 'analytics.address_budget');
    const single = await sender.post(track, view(newSite()));
    expect(single).toBeProblem(429, 'analytics.address_budget');
    expect(Number(single.headers['retry-after'])).toBeGreaterThan(0);
    expect(await sender.get(`/analytics/pixel.gif?site=${newSite()}&page=/`)).toMatchObject({
      status: 200,
      headers: { 'x-svc-reason': 'address_budget' },
    });
    expect(await newSender().post(track, view(newSite()))).toMatchObject({ status: 200 });
  });

  it('limits a site, whatever the address: other sites are stored, and drops counted', async () => {
    const [site, other] = [newSite(), newSite()];
    for (let n = 0; n < 3; n++) await newSender().post(batch, views(site, 20));
    expect(await newSender().post(batch, { events: [view(site), view(other)] })).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: [{ index: 0, code: 'site_budget' }] },
    });
    const single = await newSender().post(track, view(site));
    expect(single).toBeProblem(429, 'analytics.site_budget');
    expect(Number(single.headers['retry-after'])).toBeGreaterThan(0);
    expect(await analytics.figures(site)).toMatchObject({
      left_out: { dropped: { site_budget: expect.any(Number) as unknown } },
    });
  });

  it('does not limit senders with a key that may write events', async () => {
    const [sender, site] = [newSender(), newSite()];
    for (let n = 0; n < 4; n++)
      expect((await sender.as(asAdmin).post(batch, views(site, 100))).body).toMatchObject({
        accepted: 100,
      });
    expect(await sender.post(track, view(site))).toMatchObject({ status: 200 });
  });

  it('is shared by all replicas through Redis, without the addresses themselves', async () => {
    const address = newAddress();
    await analytics.tracker.from(address).post(track, view(newSite()));
    await analytics.app.services.storageBudget.sync();
    const { redis } = analytics.app.stores;
    const keys = await redis.keys('analytics:stored:*');
    expect(keys).toHaveLength(1);
    const fields = await redis.hgetall(keys[0] ?? '');
    for (const bytes of Object.values(fields)) expect(Number(bytes)).toBeGreaterThan(0);
    expect(JSON.stringify(fields)).not.toContain(address);
  });
});

describe('sites that are registered by their first event', () => {
  it('are limited to twenty a day for one address, in one batch or many', async () => {
    const sender = newSender();
    const many = () => ({ events: Array.from({ length: 30 }, () => view(newSite())) });
    const count = () => analytics.app.services.sites.list().length;
    const before = count();
    expect((await sender.post(batch, many())).body).toMatchObject({ accepted: 20 });
    expect((await sender.post(batch, many())).body).toMatchObject({ accepted: 0 });
    expect(count() - before).toBe(20);
    expect((await newSender().post(batch, views(newSite(), 1))).body).toMatchObject({
      accepted: 1,
    });
    expect((await sender.as(asAdmin).post(batch, many())).body).toMatchObject({ accepted: 30 });
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'closed'],
    [{ NODE_ENV: 'production', SITE_REGISTRATION: 'open' }, 'open'],
    [{ NODE_ENV: 'development' }, 'open'],
  ])('are, with %j, %s', (env, expected) => {
    const secrets = {
      AUTH_SECRET: 'k7Jq2mX9vR4tB8wZ1nC6yL3pF5hD0sGa',
      ADMIN_API_KEY: 'Zt5Wc8Rm1Yx4Kb7Np0Vd3Gs6Hj9Lf2Qe',
    };
    expect(liveSettingsOf(parseConfig({ ...secrets, ...env })).siteRegistration).toBe(expected);
  });
});
