import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, asAdmin, browser, freshApp, type FreshApp } from '../support/app.ts';
import { makeProjectFolder } from './project-folder.ts';
import { follow, type Step } from './reader.ts';
import { copyFromUmami } from './umami-database.ts';

let app: FreshApp;
let other: FreshApp;
let folder = '';

async function listen(service: FreshApp): Promise<string> {
  await service.http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(service.http.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  folder = await makeProjectFolder();
  [app, other] = await Promise.all([freshApp(), freshApp()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([app.close(), other.close()]);
  await rm(folder, { recursive: true });
});

async function viewOf(service: FreshApp, query: string): Promise<{ totals: object }> {
  await service.applied();
  const answer = await service.http.inject({
    url: `/analytics/dashboard/?period=custom&${query}`,
    headers: asAdmin,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ totals: object }>();
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
  await app.http.inject({
    method: 'POST',
    url: '/analytics/batch/',
    headers: asAdmin,
    payload: { events },
  });
  await app.applied();
}

const table = (name: string, lines: string[]) =>
  writeFile(
    join(folder, 'plausible-export', `imported_${name}_20260901_20260902.csv`),
    `${lines.join('\n')}\n`,
  );

async function unpackPlausible(): Promise<void> {
  await mkdir(join(folder, 'plausible-export'));
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
  const [origin, otherUrl] = await Promise.all([listen(app), listen(other)]);
  await trackBlog();
  const steps: Step[] = [
    { before: /other\.key/, act: () => writeFile(join(folder, 'other.key'), `${adminKey}\n`) },
    { before: /plausible-export/, act: unpackPlausible },
  ];
  const sql = async (text: string) =>
    writeFile(join(folder, 'website_event.csv'), await copyFromUmami(text));
  const runTypeScript = () =>
    Promise.reject(
      new Error('there was no TypeScript in this guide: say here what has to come of it'),
    );
  const quiet = { npm_config_loglevel: 'silent', npm_config_update_notifier: 'false' };
  const variables = { ADMIN_API_KEY: adminKey, BASE_URL: origin, OTHER_URL: otherUrl, ...quiet };
  expect(
    await follow('import-and-export.md', {
      origin,
      variables,
      steps,
      runTypeScript,
      runOther: { sql },
      folder,
    }),
  ).toEqual({ ran: 6, compared: 5, notRun: [] });

  const { totals } = await viewOf(app, 'site_id=blog&from=2026-02-01&to=2026-02-01');
  expect(totals).toMatchObject({ visitors: 1, visits: 1, pageviews: 2 });
  expect((await viewOf(other, 'site_id=blog&from=2026-02-01&to=2026-02-01')).totals).toEqual(
    totals,
  );
  expect(
    await viewOf(app, 'site_id=from-umami&from=2026-03-01&to=2026-03-01&filter=user_id:is:ana'),
  ).toMatchObject({
    totals: { visitors: 1, visits: 1, pageviews: 1, events: 2 },
    sources: [{ value: 'Google' }],
    browsers: [{ value: 'Chrome' }],
    countries: [{ value: 'DE' }],
    events: [{ value: 'sign up' }],
  });
  expect(
    await viewOf(
      app,
      'site_id=from-plausible&from=2026-09-01&to=2026-09-02&timezone=Europe/Berlin',
    ),
  ).toMatchObject({ totals: { visitors: 3, visits: 3, pageviews: 5 } });
}, 60_000);
