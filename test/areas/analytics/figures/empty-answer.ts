import type { DashboardAnswer } from '../../../../src/areas/analytics/store/queries.ts';

/** The dashboard of an empty event store. */
export const emptyAnswer: DashboardAnswer = {
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
