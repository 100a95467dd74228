import { expect, it } from 'vitest';
import { batch, newSite, track, useAnalytics, view } from '../support.ts';

const analytics = await useAnalytics({ env: { RATE_LIMIT: 'on' } });

it.each([
  ['single events', track, (site: string) => view(site)],
  ['batches', batch, (site: string) => ({ events: [view(site)] })],
])(
  '%s are limited to 1,200 a minute from one address, 12,000 with a credential',
  async (_label, url, body) => {
    const writer = await analytics.key('analytics:write');
    const [site, refused] = [newSite(), newSite()];
    const { tracker } = analytics;
    expect(await tracker.post(url, body(site))).toMatchObject({
      status: 200,
      headers: { 'ratelimit-limit': '1200', 'ratelimit-remaining': '1199' },
    });
    // Invalid bodies count as well, so that nobody can send them without limit.
    for (let sent = 1; sent < 1200; sent += 1) await tracker.post(url, {});
    const limited = await tracker.post(url, body(refused));
    expect(limited).toBeProblem(429, 'request.rate_limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    // A credential of another scheme does not count as one.
    for (const [authorization, status] of [
      ['Basic eDp5', 429],
      ['Bearer svc_none', 401],
    ] as const)
      expect(await tracker.as({ authorization }).post(url, body(refused))).toMatchObject({
        status,
      });
    expect(await writer.post(url, body(site))).toMatchObject({
      status: 200,
      headers: { 'ratelimit-limit': '12000' },
    });
    expect(await analytics.rows(site)).toHaveLength(2);
    expect(await analytics.admin.get(`/analytics/sites/${refused}/`)).toMatchObject({
      status: 404,
    });
  },
);
