import { afterAll, beforeAll, expect, test } from 'vitest';
import type { channelRules } from '../../../src/areas/realtime/channels.ts';
import { envelopeOf, events } from '../../../src/areas/realtime/events.ts';
import { asAdmin, browser, freshApp, type FreshApp } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';

let app: FreshApp;
let port: number;

beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_BINDING: 'none' } });
  port = await listen(app);
});
afterAll(() => app.close());

interface Heard {
  type: keyof typeof events;
  data: Record<string, unknown>;
}

async function subscribeTo(channel: string) {
  const client = centrifuge(port, '/ws/svc/', { handshake: asAdmin });
  const subscription = client.newSubscription(channel);
  const received: Heard[] = [];
  subscription.on('publication', ({ data }) => received.push(data as Heard));
  subscription.subscribe();
  client.connect();
  await subscription.ready(5000);
  return { received, of: (type: string) => received.filter((each) => each.type === type), client };
}

/** Expects that all events match their documented schemas and channels. */
function expectDocumented(received: readonly Heard[], family: keyof typeof channelRules): void {
  for (const event of received) {
    expect(
      () => envelopeOf(event.type, events[event.type]).parse(event),
      JSON.stringify(event),
    ).not.toThrow();
    expect(events[event.type].channels).toContain(family);
  }
}

const track = (site: string, path: string) =>
  app.http.inject({
    method: 'POST',
    url: '/analytics/track/',
    headers: { 'user-agent': browser },
    payload: { event: 'pageview', url: `https://${site}${path}`, site_id: site },
  });

test("analytics › subscribers of a site receive its events, and no other site's", async () => {
  const mine = await subscribeTo('analytics:mine.example');
  const other = await subscribeTo('analytics:other.example');
  for (let at = 0; at < 20; at += 1)
    expect((await track('mine.example', `/page-${at}`)).statusCode).toBe(200);
  await expect.poll(() => mine.of('event.ingested').length, { timeout: 5000 }).toBeGreaterThan(0);
  await expect
    .poll(() => mine.of('counters.tick').reduce((sum, { data }) => sum + Number(data.events), 0), {
      timeout: 5000,
    })
    .toBe(20);
  await app.applied();
  await expect
    .poll(() => mine.of('visitors.active').at(-1)?.data.visitors, { timeout: 10_000 })
    .toBe(1);
  const ingested = mine.of('event.ingested');
  expect(ingested[0]?.data).toMatchObject({
    event: 'pageview',
    hostname: 'mine.example',
    pathname: '/page-0',
    browser: 'Chrome',
    os: 'Windows',
    bot: false,
  });
  // Published and skipped events add up.
  expect(ingested.length + ingested.reduce((sum, { data }) => sum + Number(data.skipped), 0)).toBe(
    20,
  );
  expectDocumented(mine.received, 'analytics:');
  expect(other.received).toEqual([]);
}, 30_000);

test('analytics › published events contain no address, visitor, user or properties', async () => {
  const { received, of } = await subscribeTo('analytics:private.example');
  const answer = await app.http.inject({
    method: 'POST',
    url: '/analytics/track/',
    headers: { 'user-agent': browser },
    remoteAddress: '203.0.113.77',
    payload: {
      event: 'signup',
      url: 'https://private.example/?email=ana@example.org',
      site_id: 'private.example',
      user_id: 'user-4711',
      props: { secret: 'prop-value' },
    },
  });
  expect(answer.statusCode).toBe(200);
  await expect.poll(() => of('event.ingested').length).toBe(1);
  const text = JSON.stringify(received);
  for (const personal of [
    '203.0.113.77',
    'user-4711',
    'ana@example.org',
    'prop-value',
    'visitor_id',
  ])
    expect(text).not.toContain(personal);
});

test('jobs › subscribers receive the results of jobs', async () => {
  const { received, of } = await subscribeTo('jobs');
  void app.services.queues.start();
  await expect
    .poll(() => of('job.completed').map(({ data }) => data.job), { timeout: 15_000 })
    .toContain('platform-heartbeat');
  expectDocumented(received, 'jobs');
}, 20_000);
