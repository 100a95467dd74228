import { expect, it } from 'vitest';
import { batch, newSite, track, useAnalytics, view } from '../support.ts';

const analytics = await useAnalytics({ env: { SITE_LIMIT: '4' } });

it('sites are registered by their first event up to the limit, even concurrently', async () => {
  const { admin, tracker } = analytics;
  await analytics.store(track, view('known'));
  const names = Array.from({ length: 30 }, () => newSite());
  const results = await Promise.all([
    ...names.slice(0, 10).map((name) => tracker.post(track, view(name))),
    tracker.post(batch, { events: names.slice(10, 20).map((name) => view(name)) }),
    ...names.slice(20).map((name) => analytics.pixel(`?site=${name}&page=/`)),
  ]);
  const { body } = await admin.get('/analytics/sites');
  expect(body.data).toHaveLength(4);
  for (const { status } of results) expect([200, 422]).toContain(status);
  expect(await tracker.post(track, view(newSite()))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'site_id'], ctx: { code: 'unknown_site' } }] },
  });
  expect(await analytics.store(track, view('known'))).toMatchObject({ accepted: 1 });
});
