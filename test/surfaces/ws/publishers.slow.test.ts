import { expect, test } from 'vitest';
import type { channelRules } from '../../../src/areas/realtime/channels.ts';
import { envelopeOf, events } from '../../../src/areas/realtime/events.ts';
import { asAdmin, browser } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService({ env: { DEVICE_BINDING: 'none' } });

interface Heard {
  type: keyof typeof events;
  data: Record<string, unknown>;
}

async function hear(channel: string) {
  const options = { path: '/ws/svc/', handshake: asAdmin };
  const received = (await ws.subscribeTo(channel, options)).messages as Heard[];
  return { received, of: (type: string) => received.filter((each) => each.type === type) };
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

const track = (site: string, path: string, more: object = {}, from = '127.0.0.1') =>
  new TestClient(ws.app)
    .as({ 'user-agent': browser })
    .from(from)
    .post('/analytics/track/', {
      event: 'pageview',
      url: `https://${site}${path}`,
      site_id: site,
      ...more,
    });

test("analytics › subscribers of a site receive its events, and no other site's", async () => {
  const mine = await hear('analytics:mine.example');
  const other = await hear('analytics:other.example');
  for (let at = 0; at < 20; at += 1)
    expect((await track('mine.example', `/page-${at}`)).status).toBe(200);
  await expect.poll(() => mine.of('event.ingested').length, { timeout: 5000 }).toBeGreaterThan(0);
  await expect
    .poll(() => mine.of('counters.tick').reduce((sum, { data }) => sum + Number(data.events), 0), {
      timeout: 5000,
    })
    .toBe(20);
  await ws.app.applied();
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
  const { received, of } = await hear('analytics:private.example');
  const personal = { event: 'signup', user_id: 'user-4711', props: { secret: 'prop-value' } };
  const path = '/?email=ana@example.org';
  const answer = await track('private.example', path, personal, '203.0.113.77');
  expect(answer.status).toBe(200);
  await expect.poll(() => of('event.ingested').length).toBe(1);
  const text = JSON.stringify(received);
  for (const secret of ['203.0.113.77', 'user-4711', 'ana@example.org', 'prop-value', 'visitor_id'])
    expect(text).not.toContain(secret);
});

test('jobs › subscribers receive the results of jobs', async () => {
  const { received, of } = await hear('jobs');
  void ws.app.services.queues.start();
  await expect
    .poll(() => of('job.completed').map(({ data }) => data.job), { timeout: 15_000 })
    .toContain('platform-heartbeat');
  expectDocumented(received, 'jobs');
}, 20_000);
