import {
  DashboardQuery,
  DashboardView,
  SiteList,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import { toCamelCase } from '../../../lib/text/case.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

export const siteEventInterface = eventInterface(
  'SiteEvent',
  'A live event of a site.',
  'Time of the message.',
);

const { shape } = DashboardView;
const compared = shape.compared.unwrap();
const change = shape.change.unwrap();

const enumerations = [
  enumType(DashboardQuery.shape.period.unwrap(), {
    name: 'AnalyticsPeriod',
    description: 'A period.',
    values: {
      '24h': { name: 'LAST_24_HOURS', description: 'The last 24 hours.' },
      '7d': { name: 'LAST_7_DAYS', description: 'Seven days.' },
      '30d': { name: 'LAST_30_DAYS', description: '30 days.' },
      '90d': { name: 'LAST_90_DAYS', description: '90 days.' },
      '12mo': { name: 'LAST_12_MONTHS', description: 'Twelve months.' },
      custom: { name: 'CUSTOM', description: 'The period between `from` and `to`.' },
    },
  }),
  enumType(shape.period.shape.interval, {
    name: 'AnalyticsInterval',
    description: 'Interval of a series.',
    values: { hour: 'An hour.', day: 'A day.', week: 'A week.', month: 'A month.' },
  }),
  enumType(DashboardQuery.shape.compare.unwrap(), {
    name: 'AnalyticsComparison',
    description: 'The period to compare with.',
    values: { previous: 'The previous period.', year: 'The same period a year ago.' },
  }),
];

const site = objectType(SiteList.shape.data.element, {
  name: 'Site',
  description: 'A site.',
  nodeId: 'site_id',
  integers: 'Count',
  fields: {
    site_id: 'The `site_id` of its events.',
    created_at: { type: 'DateTime', description: 'Time of its first event.' },
    events: 'Number of stored events.',
    last_event_at: { type: 'DateTime', description: 'Time of its last event.' },
  },
});

const dashboard = objectType(DashboardView, {
  name: 'Dashboard',
  description: 'Dashboard for a site over a period.',
  integers: 'Count',
  fields: {
    site_id: 'The site.',
    period: 'The requested period.',
    totals: 'Totals of the period.',
    compared: 'Totals of the compared period, if requested.',
    change: 'Change against the compared period, if requested.',
    series: 'One point for each interval, without gaps.',
    pages: 'Pages with the most visitors.',
    entry_pages: 'First pages of visits.',
    exit_pages: 'Last pages of visits.',
    referrers: 'Pages that link here.',
    sources: 'Sources of visits.',
    channels: 'Channels: groups of sources.',
    campaigns: 'Campaigns (utm_campaign).',
    countries: 'Countries (ISO 3166-1 alpha-2).',
    browsers: 'Browsers.',
    operating_systems: 'Operating systems.',
    devices: 'Device types.',
    languages: 'Languages.',
    events: 'Events by name.',
    left_out: 'Events excluded from the figures.',
  },
});

const range = { from: 'First instant, inclusive.', to: 'Last instant, exclusive.' };

const periods = [
  objectType(shape.period, {
    name: 'DashboardPeriod',
    description: 'The period that the figures cover.',
    fields: {
      ...range,
      name: 'Name of the period in the REST API, such as `30d`.',
      timezone: 'IANA time zone.',
      interval: 'Interval of the series.',
    },
  }),
  objectType(compared, {
    name: 'ComparedTotals',
    description: 'Totals for the comparison period.',
    fields: { ...range, totals: 'Totals of the period.' },
  }),
];

const totals = [
  objectType(shape.totals, {
    name: 'DashboardTotals',
    description: 'Totals for a period.',
    integers: 'Count',
    fields: {
      pageviews: 'Page views.',
      visit_duration_mean: 'Mean duration of a visit in seconds.',
      visit_duration_median: 'Median duration of a visit in seconds.',
      views_per_visit: 'Mean page views per visit.',
    },
  }),
  objectType(change, {
    name: 'DashboardChange',
    description: 'Change from the comparison period, in percent.',
    fields: Object.fromEntries(
      Object.keys(change.shape).map((member) => [
        member,
        `Change of \`${toCamelCase(member)}\` in per cent, ` +
          'null where there is nothing to compare with.',
      ]),
    ),
  }),
  objectType(shape.series.element, {
    name: 'DashboardPoint',
    description: 'A point in the series.',
    integers: 'Count',
    fields: {
      start: 'Start of the interval.',
      partial: 'Whether the interval is not over, or only partly in the period.',
      visitors: 'Unique visitors with a visit that started in the period.',
      visits: 'Visits that started in the period. A visit ends after 30 minutes without an event.',
      pageviews: 'Page views.',
      events: 'All events, including page views.',
    },
  }),
];

const rows = [
  objectType(shape.pages.element, {
    name: 'PageRow',
    description: 'A page with its visitors.',
    integers: 'Count',
    fields: {
      value: 'The path.',
      visitors: 'Unique visitors.',
      pageviews: 'Page views.',
      engaged_seconds:
        'Mean time that a view of it was in front of somebody, in seconds; ' +
        'null where none was measured.',
    },
  }),
  objectType(shape.channels.element, {
    name: 'VisitRow',
    description: 'A breakdown value with its visitors and visits.',
    integers: 'Count',
    fields: {
      value: 'The value; null: unknown or direct.',
      visitors: 'Unique visitors.',
      visits: 'Visits.',
      bounce_rate:
        'Percentage of visits with at most one page view and no other interactive event.',
    },
  }),
  objectType(shape.events.element, {
    name: 'EventRow',
    description: 'An event name with its counts.',
    integers: 'Count',
    fields: { value: 'Its name.', visitors: 'Unique visitors.', events: 'Events.' },
  }),
];

const leftOut = objectType(shape.left_out, {
  name: 'DashboardLeftOut',
  description: 'Events excluded from the figures.',
  integers: 'Count',
  // An object by reason in the view, but a list in GraphQL.
  fields: { dropped: false },
});

const siteEvents = [
  objectType(events['event.ingested'].data, {
    name: 'SiteEventStored',
    description: 'An event was stored. At high volume only a sample is sent.',
    interfaces: ['SiteEvent'],
    integers: 'Count',
    fields: {
      event: 'The name of the event.',
      hostname: 'The host of the page.',
      pathname: 'The path of the page.',
      timestamp: 'Time of the event.',
      country: 'Country of the visitor (ISO 3166-1 alpha-2).',
      browser: 'Browser of the visitor.',
      os: 'Operating system of the visitor.',
      device: 'Device type.',
      bot: 'Whether the event came from a bot.',
    },
  }),
  objectType(events['counters.tick'].data, {
    name: 'SiteCounters',
    description:
      'Events stored by a replica since its last tick. Sent every second while there is ' +
      'activity.',
    interfaces: ['SiteEvent'],
    integers: 'Count',
    fields: {
      events: 'Events.',
      pageviews: 'Page views.',
      ms: 'Milliseconds since the last tick.',
    },
  }),
  objectType(events['visitors.active'].data, {
    name: 'SiteVisitors',
    description:
      'Visitors in the last five minutes. Sent every five seconds while there is activity.',
    interfaces: ['SiteEvent'],
    integers: 'Count',
    fields: { visitors: 'Unique visitors.' },
  }),
];

/** The types of the figures and events of sites. */
export const analyticsTypes: readonly TypeDefinition[] = [
  ...enumerations,
  site,
  dashboard,
  ...periods,
  ...totals,
  ...rows,
  leftOut,
  ...siteEvents,
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
