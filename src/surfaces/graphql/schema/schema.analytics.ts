import type { z } from 'zod';
import {
  DashboardQuery,
  DashboardView,
  SiteList,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import {
  enumType,
  objectType,
  type ObjectTypeSpec,
  type TypeDefinition,
} from './type-definitions.ts';

export const siteEventInterface = eventInterface('SiteEvent', {
  description: 'A live event of a site.',
});

const { shape } = DashboardView;

const figures = (
  name: string,
  description?: string,
): Pick<ObjectTypeSpec, 'name' | 'description' | 'integers'> => ({
  name,
  description,
  integers: 'Count',
});

/** The type of an event of a site, with the summary of the event. */
const siteEvent = (name: string, { summary, data }: { summary: string; data: z.ZodObject }) =>
  objectType(data, { ...figures(name, summary), interfaces: ['SiteEvent'] });

/** The types of the figures and events of sites. */
export const analyticsTypes: readonly TypeDefinition[] = [
  enumType(DashboardQuery.shape.period.unwrap(), {
    name: 'AnalyticsPeriod',
    description: 'Whole days up to and including today, or the last 24 hours.',
    labels: { custom: 'The period between `from` and `to`' },
    names: {
      '24h': 'LAST_24_HOURS',
      '7d': 'LAST_7_DAYS',
      '30d': 'LAST_30_DAYS',
      '90d': 'LAST_90_DAYS',
      '12mo': 'LAST_12_MONTHS',
      custom: 'CUSTOM',
    },
  }),
  enumType(shape.period.shape.interval, {
    name: 'AnalyticsInterval',
    description: 'Interval of a series.',
  }),
  enumType(DashboardQuery.shape.compare.unwrap(), {
    name: 'AnalyticsComparison',
    labels: { previous: 'The previous period', year: 'The same period a year ago' },
  }),
  objectType(SiteList.shape.data.element, {
    ...figures('Site', 'A site.'),
    nodeId: 'site_id',
    fields: { created_at: { type: 'DateTime' }, last_event_at: { type: 'DateTime' } },
  }),
  objectType(DashboardView, figures('Dashboard', 'Dashboard for a site over a period.')),
  objectType(
    shape.compared.unwrap(),
    figures('ComparedTotals', 'Totals of the comparison period.'),
  ),
  objectType(shape.series.element, figures('DashboardPoint', 'A point in the series.')),
  objectType(shape.pages.element, figures('PageRow', 'A page with its visitors.')),
  objectType(
    shape.channels.element,
    figures('VisitRow', 'A breakdown value with its visitors and visits.'),
  ),
  objectType(shape.events.element, figures('EventRow', 'An event name with its counts.')),
  objectType(shape.left_out, {
    ...figures('DashboardLeftOut', 'Events excluded from the figures.'),
    // An object by reason in the view, but a list in GraphQL.
    fields: { dropped: false },
  }),
  siteEvent('SiteEventStored', events['event.ingested']),
  siteEvent('SiteCounters', events['counters.tick']),
  siteEvent('SiteVisitors', events['visitors.active']),
];

const readersOnly = 'Requires the scope `analytics:read`; users need an approved device.';

export const analyticsSdl = `
extend type Query {
  """Sites with their number of events. ${readersOnly}"""
  sites: [Site!]!
  """Dashboard of a site over a period, from one snapshot. ${readersOnly}"""
  dashboard(
    """The \`siteId\` of the site."""
    siteId: String!
    """Whole local days up to and including today. Default: 30 days."""
    period: AnalyticsPeriod
    """For \`CUSTOM\`: first day (YYYY-MM-DD), or an instant (RFC 3339)."""
    from: String
    """For \`CUSTOM\`: last day, inclusive; or an instant, exclusive."""
    to: String
    """IANA time zone in which days start and end."""
    timezone: String = "UTC"
    """Interval of the series. Default: depends on the length of the period."""
    interval: AnalyticsInterval
    """Up to 20 filters \`dimension:operator:value\`; all must match."""
    filters: [String!]
    """Compare with another period."""
    compare: AnalyticsComparison
    """The id of a goal of the site: adds its conversions to totals, series and lists."""
    goal: String
    """Include bots."""
    bots: Boolean = false
    """Maximum rows per list, 1 to 1000."""
    limit: Int = 10
  ): Dashboard!
}

extend type Subscription {
  """Live events of a site. ${readersOnly}"""
  siteActivity(
    """The \`siteId\` of the site."""
    siteId: String!
  ): SiteEvent!
}

extend type DashboardLeftOut {
  """Events that were not stored."""
  dropped: [DroppedEvents!]!
}

"""Events that were not stored."""
type DroppedEvents {
  """Reason."""
  reason: String!
  """Number of events."""
  events: Count!
}
`;
