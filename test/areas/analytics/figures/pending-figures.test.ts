import { expect, it } from 'vitest';
import { createDashboards } from '../../../../src/areas/analytics/figures/dashboard.ts';
import { SitesDashboardQuery } from '../../../../src/areas/analytics/figures/schemas.dashboard.ts';
import type { DashboardAnswer } from '../../../../src/areas/analytics/store/questions.ts';

const nothing: DashboardAnswer = {
  totals: {
    visitors: 0,
    visits: 0,
    pageviews: 0,
    events: 0,
    bounce_rate: null,
    visit_duration_mean: null,
    visit_duration_median: null,
    views_per_visit: null,
  },
  compared: undefined,
  series: [],
  pages: [],
  events: [],
  visitors_now: 0,
  sites: [],
  dropped: {},
  bot_events: 0,
  breakdowns: {
    entry_pages: [],
    exit_pages: [],
    referrers: [],
    sources: [],
    channels: [],
    campaigns: [],
    countries: [],
    browsers: [],
    operating_systems: [],
    devices: [],
    languages: [],
  },
};

it('says how many events were pending when the figures were asked for', async () => {
  let waiting = 2000;
  const dashboard = async () => {
    waiting = 0;
    return nothing;
  };
  const dashboards = createDashboards({
    questions: { dashboard, siteStats: async () => [] },
    sites: { list: () => [], peek: () => undefined },
    clock: { now: () => Date.parse('2026-11-23T08:00:00Z') },
    pending: () => waiting,
  });
  const by = { key: 'a test', kind: 'member', signal: new AbortController().signal } as const;
  const asked = SitesDashboardQuery.parse({});
  expect((await dashboards.getSitesDashboard(asked, by)).pending_events).toBe(2000);
  expect((await dashboards.getSitesDashboard(asked, by)).pending_events).toBe(0);
});
