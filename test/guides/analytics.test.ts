import { expect, it } from 'vitest';
import { asAdmin, browser } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { useGuideService } from './guide-service.ts';
import { documentedOrigin } from './shell.ts';

const service = await useGuideService({ own: {} });
/** What the guides tell their readers to wait for. */
const applied = (before: RegExp) => [{ before, act: () => service.app.applied() }];

/** Fetches the image of the markup, as a browser does. */
async function fetchImage(markup: string): Promise<void> {
  const source = /^<img src="([^"]+)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { status, headers } = await fetch(source.replace(documentedOrigin, service.origin), {
    headers: { 'user-agent': browser },
  });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/gif');
  expect(headers.get('x-svc-reason')).toBeNull();
}

it('analytics.md works as written', async () => {
  const reading = await service.follow('analytics.md', {
    steps: applied(/^curl .*dashboard\/\?/),
    runOther: { html: fetchImage },
  });
  expect(reading).toEqual({ ran: 8, compared: 7, notRun: [] });
  const { body } = await new TestClient(service.app)
    .as(asAdmin)
    .get('/analytics/dashboard/?site_id=my-site&period=24h');
  expect(body.pages).toEqual([
    { value: '/pricing', visitors: 1, pageviews: 1, engaged_seconds: null, scroll_depth: null },
  ]);
  expect(body.left_out).toMatchObject({ bot_events: 3 });
});

it('goals-and-funnels.md works as written', async () => {
  const steps = applied(/^curl .*analytics\/goals\?/);
  const reading = await service.follow('goals-and-funnels.md', { steps });
  expect(reading).toEqual({ ran: 6, compared: 6, notRun: [] });
});

it('analytics.md describes refusals as the service answers them', async () => {
  const client = new TestClient(service.app);
  const single = await client.post('/analytics/track/', {
    event: 'pageview',
    url: '/old',
    site_id: 'my-site',
    timestamp: '2020-01-01T00:00:00Z',
  });
  expect(single.status).toBe(422);
  expect(await client.get('/analytics/pixel.gif?page=/pricing')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/gif', 'x-svc-reason': 'invalid site' },
  });
});

it('sites-and-retention.md works as written', async () => {
  const steps = applied(/^curl .*retention\?/);
  const reading = await service.follow('sites-and-retention.md', { steps });
  expect(reading).toEqual({ ran: 8, compared: 8, notRun: [] });
});
