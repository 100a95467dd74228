import { describe, expect, it } from 'vitest';
import { batch, newSite, track, useAnalytics, view } from '../support.ts';

interface Sites {
  data: { site_id: string }[];
}

describe('an unknown site', () => {
  const analytics = useAnalytics({ env: { SITE_LIMIT: '4' } });

  it('is registered by its first event up to the limit, even under concurrency', async () => {
    const { admin, tracker } = analytics;
    await analytics.store(track, view('known'));
    const names = Array.from({ length: 30 }, () => newSite());
    const results = await Promise.all([
      ...names.slice(0, 10).map((name) => tracker.post(track, view(name))),
      tracker.post(batch, { events: names.slice(10, 20).map((name) => view(name)) }),
      ...names.slice(20).map((name) => analytics.pixel(`?site=${name}&page=/`)),
    ]);
    expect((await admin.get<Sites>('/analytics/sites')).body.data).toHaveLength(4);
    for (const { status } of results) expect([200, 422]).toContain(status);
    expect(await tracker.post(track, view(newSite()))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'site_id'], ctx: { code: 'unknown_site' } }] },
    });
    expect(await analytics.store(track, view('known'))).toMatchObject({ accepted: 1 });
  });
});

describe('an unknown site, when registration is closed,', () => {
  const analytics = useAnalytics({ env: { SITE_REGISTRATION: 'closed' } });

  it('is refused and counted', async () => {
    expect(await analytics.tracker.post(track, view('x'))).toMatchObject({ status: 422 });
    expect(await analytics.store(batch, { events: [view('x'), view('y')] })).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'unknown_site' }, { code: 'unknown_site' }],
    });
    expect(await analytics.pixel('?site=x&page=/')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/gif', 'x-svc-reason': 'unknown_site' },
    });
    expect((await analytics.admin.get('/analytics/sites')).body.data).toEqual([]);
    expect(await analytics.admin.get('/analytics/dashboard?site_id=x')).toMatchObject({
      status: 404,
    });
  });
});

describe('the list of sites', () => {
  const analytics = useAnalytics();

  it('has the sites with their events, for a key that may read', async () => {
    await analytics.fill(view('a'), view('b'), view('a'));
    const reader = await analytics.key('analytics:read');
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string;
    for (const url of ['/analytics/sites', '/analytics/sites/']) {
      const { status, body } = await reader.get<Sites>(url);
      const data = body.data.toSorted((x, y) => x.site_id.localeCompare(y.site_id));
      expect({ status, data }).toEqual({
        status: 200,
        data: [
          { site_id: 'a', created_at: time, events: 2, last_event_at: time },
          { site_id: 'b', created_at: time, events: 1, last_event_at: time },
        ],
      });
    }
    expect(await analytics.tracker.get('/analytics/sites')).toMatchObject({ status: 401 });
    const writer = await analytics.key('analytics:write');
    expect(await writer.get('/analytics/sites')).toMatchObject({
      status: 403,
      body: { required_scope: 'analytics:read' },
    });
  });
});
