import { expect, it } from 'vitest';
import { createDashboards } from '../../../../src/areas/analytics/figures/dashboard.ts';
import { SitesDashboardQuery } from '../../../../src/areas/analytics/figures/schemas.dashboard.ts';
import { emptyResult } from './empty-result.ts';

it('reports how many events were pending when the figures were requested', async () => {
  let waiting = 2000;
  const dashboard = async () => {
    waiting = 0;
    return emptyResult;
  };
  const dashboards = createDashboards({
    queries: {
      dashboard,
      siteStats: async () => [],
      recent: () => Promise.reject(new Error('not asked here')),
    },
    sites: { list: () => [], peek: () => undefined },
    clock: { now: () => Date.parse('2026-11-23T08:00:00Z') },
    pending: () => waiting,
    findGoal: () => Promise.reject(new Error('not asked here')),
  });
  const by = { key: 'a test', kind: 'member', signal: new AbortController().signal } as const;
  const query = SitesDashboardQuery.parse({});
  expect((await dashboards.getSitesDashboard(query, by)).pending_events).toBe(2000);
  expect((await dashboards.getSitesDashboard(query, by)).pending_events).toBe(0);
});
