import type { ViewParams } from '../../../../src/surfaces/console/analytics/view-params.ts';

/** The parameters of a view of the last 30 days, but for what differs. */
export const viewParams = (different: Partial<ViewParams> = {}): ViewParams => ({
  site: 'shop',
  period: '30d',
  from: undefined,
  to: undefined,
  timezone: 'UTC',
  siteZone: 'UTC',
  compare: 'previous',
  metric: 'visitors',
  goal: undefined,
  filters: [],
  bots: false,
  ...different,
});
