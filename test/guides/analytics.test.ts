import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../support/sockets.ts';
import { adminKey, asAdmin, browser, type FreshApp, freshApp } from '../support/app.ts';
import { follow, type Step } from './reader.ts';
import { documentedOrigin, requireCurl } from './shell.ts';

let app: FreshApp;
let folder = '';
let origin = '';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await freshApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const runTypeScript = () =>
  Promise.reject(
    new Error('there was no TypeScript in this guide: say here what has to come of it'),
  );

/** Fetches the image of the markup, as a browser does. */
async function fetchImage(markup: string): Promise<void> {
  const source = /^<img src="([^"]+)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const answer = await fetch(source.replace(documentedOrigin, origin), {
    headers: { 'user-agent': browser },
  });
  expect({
    status: answer.status,
    'content-type': answer.headers.get('content-type'),
    'x-svc-reason': answer.headers.get('x-svc-reason'),
  }).toEqual({ status: 200, 'content-type': 'image/gif', 'x-svc-reason': null });
}

it('analytics.md works as written', async () => {
  const steps: Step[] = [{ before: /^curl .*dashboard\/\?/, act: () => app.applied() }];
  const reading = await follow('analytics.md', {
    origin,
    variables: { ADMIN_API_KEY: adminKey },
    steps,
    runTypeScript,
    runOther: { html: fetchImage },
    folder,
  });
  expect(reading).toEqual({ ran: 8, compared: 7, notRun: [] });
  const { pages, left_out: leftOut } = (
    await app.http.inject({
      url: '/analytics/dashboard/?site_id=my-site&period=24h',
      headers: asAdmin,
    })
  ).json<{ pages: object; left_out: object }>();
  expect(pages).toEqual([
    { value: '/pricing', visitors: 1, pageviews: 1, engaged_seconds: null, scroll_depth: null },
  ]);
  expect(leftOut).toMatchObject({ bot_events: 3 });
});

it('goals-and-funnels.md works as written', async () => {
  const steps: Step[] = [{ before: /^curl .*analytics\/goals\?/, act: () => app.applied() }];
  const reading = await follow('goals-and-funnels.md', {
    origin,
    variables: { ADMIN_API_KEY: adminKey },
    steps,
    runTypeScript,
    folder,
  });
  expect(reading).toEqual({ ran: 6, compared: 6, notRun: [] });
});

it('analytics.md describes refusals as the service answers them', async () => {
  const single = await app.http.inject({
    method: 'POST',
    url: '/analytics/track/',
    payload: {
      event: 'pageview',
      url: '/old',
      site_id: 'my-site',
      timestamp: '2020-01-01T00:00:00Z',
    },
  });
  expect(single.statusCode).toBe(422);
  const pixel = await app.http.inject({ url: '/analytics/pixel.gif?page=/pricing' });
  expect({
    status: pixel.statusCode,
    'content-type': pixel.headers['content-type'],
    'x-svc-reason': pixel.headers['x-svc-reason'],
  }).toEqual({ status: 200, 'content-type': 'image/gif', 'x-svc-reason': 'invalid site' });
});

it('sites-and-retention.md works as written', async () => {
  const steps: Step[] = [{ before: /^curl .*retention\?/, act: () => app.applied() }];
  const reading = await follow('sites-and-retention.md', {
    origin,
    variables: { ADMIN_API_KEY: adminKey },
    steps,
    runTypeScript,
    folder,
  });
  expect(reading).toEqual({ ran: 8, compared: 8, notRun: [] });
});
