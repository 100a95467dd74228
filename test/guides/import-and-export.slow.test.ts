import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adminKey, asAdmin, browser, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { useGuideService } from './guide-service.ts';
import { makeProjectFolder } from './project-folder.ts';
import { copyFromUmami } from './umami-database.ts';

const service = await useGuideService({ own: {}, makeFolder: makeProjectFolder });
const other = await useGuideService({ own: {} });
const inFolder = (...path: string[]) => join(service.folder, ...path);

async function viewOf(app: TestApp, query: string): Promise<Record<string, unknown>> {
  await app.applied();
  const admin = new TestClient(app).as(asAdmin);
  const { status, text, body } = await admin.get(`/analytics/dashboard/?period=custom&${query}`);
  expect(status, text).toBe(200);
  return body;
}

async function trackBlog(): Promise<void> {
  const events = ['/', '/pricing'].map((url, at) => ({
    event: 'pageview',
    url,
    site_id: 'blog',
    timestamp: Date.UTC(2026, 1, 1, 9, at),
    ip: '203.0.113.7',
    user_agent: browser,
  }));
  await new TestClient(service.app).as(asAdmin).post('/analytics/batch/', { events });
  await service.app.applied();
}

const table = (name: string, lines: string[]) =>
  writeFile(
    inFolder('plausible-export', `imported_${name}_20260901_20260902.csv`),
    `${lines.join('\n')}\n`,
  );

async function unpackPlausible(): Promise<void> {
  await mkdir(inFolder('plausible-export'));
  await table('visitors', [
    '"date","visitors","pageviews","bounces","visits","visit_duration"',
    '"2026-09-01",2,3,1,2,60',
    '"2026-09-02",1,2,0,1,30',
  ]);
  await table('pages', [
    '"date","hostname","page","visits","visitors","pageviews"',
    '"2026-09-01","a.example","/",2,2,3',
    '"2026-09-02","a.example","/docs",1,1,2',
  ]);
}

it('import-and-export.md works as written', async () => {
  await trackBlog();
  const steps = [
    { before: /other\.key/, act: () => writeFile(inFolder('other.key'), `${adminKey}\n`) },
    { before: /plausible-export/, act: unpackPlausible },
  ];
  const sql = async (text: string) =>
    writeFile(inFolder('website_event.csv'), await copyFromUmami(text));
  const variables = {
    ADMIN_API_KEY: adminKey,
    BASE_URL: service.origin,
    OTHER_URL: other.origin,
    npm_config_loglevel: 'silent',
    npm_config_update_notifier: 'false',
  };
  const options = { variables, steps, runOther: { sql } };
  const reading = await service.follow('import-and-export.md', options);
  expect(reading).toEqual({ ran: 6, compared: 5, notRun: [] });

  const blog = 'site_id=blog&from=2026-02-01&to=2026-02-01';
  const { totals } = await viewOf(service.app, blog);
  expect(totals).toMatchObject({ visitors: 1, visits: 1, pageviews: 2 });
  expect((await viewOf(other.app, blog)).totals).toEqual(totals);
  const umami = 'site_id=from-umami&from=2026-03-01&to=2026-03-01&filter=user_id:is:ana';
  expect(await viewOf(service.app, umami)).toMatchObject({
    totals: { visitors: 1, visits: 1, pageviews: 1, events: 2 },
    sources: [{ value: 'Google' }],
    browsers: [{ value: 'Chrome' }],
    countries: [{ value: 'DE' }],
    events: [{ value: 'sign up' }],
  });
  const plausible = 'site_id=from-plausible&from=2026-09-01&to=2026-09-02&timezone=Europe/Berlin';
  expect(await viewOf(service.app, plausible)).toMatchObject({
    totals: { visitors: 3, visits: 3, pageviews: 5 },
  });
}, 60_000);
