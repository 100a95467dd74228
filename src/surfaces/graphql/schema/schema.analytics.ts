import {
  DashboardQuery,
  DashboardView,
  SiteList,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { events } from '../../../areas/realtime/events.ts';
import { eventInterface } from './base-types.ts';
import { toCamelCase } from './names.ts';
import { enumType, objectType, type TypeDefinition } from './zod-types.ts';

export const siteEventInterface = eventInterface(
  'SiteEvent',
  'Something that happens on a site.',
  'When it was told.',
);

const { shape } = DashboardView;
const compared = shape.compared.unwrap();
const change = shape.change.unwrap();

const enumerations = [
  enumType(DashboardQuery.shape.period.unwrap(), {
    name: 'AnalyticsPeriod',
    description: 'A length of time up to now.',
    values: {
      '24h': { name: 'LAST_24_HOURS', description: 'The last 24 hours.' },
      '7d': { name: 'LAST_7_DAYS', description: 'Seven days.' },
      '30d': { name: 'LAST_30_DAYS', description: '30 days.' },
      '90d': { name: 'LAST_90_DAYS', description: '90 days.' },
      '12mo': { name: 'LAST_12_MONTHS', description: 'Twelve months.' },
      custom: { name: 'CUSTOM', description: 'From `from` to `to`.' },
    },
  }),
  enumType(shape.period.shape.interval, {
    name: 'AnalyticsInterval',
    description: 'A step of a series.',
    values: { hour: 'An hour.', day: 'A day.', week: 'A week.', month: 'A month.' },
  }),
  enumType(DashboardQuery.shape.compare.unwrap(), {
    name: 'AnalyticsComparison',
    description: 'What a period is compared with.',
    values: { previous: 'The period before.', year: 'The same a year ago.' },
  }),
];

const site = objectType(SiteList.shape.data.element, {
  name: 'Site',
  description: 'A site that has events.',
  nodeId: 'site_id',
  integers: 'Count',
  fields: {
    site_id: 'The `site_id` of its events.',
    created_at: { type: 'DateTime', description: 'When its first event came.' },
    events: 'Events that are stored.',
    last_event_at: { type: 'DateTime', description: 'When its last event was.' },
  },
});

const dashboard = objectType(DashboardView, {
  name: 'Dashboard',
  description: 'Figures of a site over a period.',
  integers: 'Count',
  fields: {
    site_id: 'The site.',
    period: 'The period that was meant.',
    totals: 'Everything together.',
    compared: 'The totals of the other period, if one was asked for.',
    change: 'Change against the other period, if one was asked for.',
    series: 'One point for each interval, without gaps.',
    pages: 'Pages with the most visitors.',
    entry_pages: 'First pages of visits.',
    exit_pages: 'Last pages of visits.',
    referrers: 'Pages that link here.',
    sources: 'Where visits come from.',
    channels: 'Kinds of sources.',
    campaigns: 'Campaigns (utm_campaign).',
    countries: 'Countries (ISO 3166-1 alpha-2).',
    browsers: 'Browsers.',
    operating_systems: 'Operating systems.',
    devices: 'Kinds of devices.',
    languages: 'Languages.',
    events: 'Events by name.',
    left_out: 'What is not in the figures.',
  },
});

const range = { from: 'First instant.', to: 'Instant before which it ends.' };

const periods = [
  objectType(shape.period, {
    name: 'DashboardPeriod',
    description: 'The period that figures are of.',
    fields: {
      ...range,
      name: 'As it was asked for in the REST API: `30d`.',
      timezone: 'IANA time zone.',
      interval: 'Step of the series.',
    },
  }),
  objectType(compared, {
    name: 'ComparedTotals',
    description: 'The totals of the other period.',
    fields: { ...range, totals: 'Everything together.' },
  }),
];

const totals = [
  objectType(shape.totals, {
    name: 'DashboardTotals',
    description: 'Everything of a period together.',
    integers: 'Count',
    fields: {
      pageviews: 'Page views.',
      visit_duration_mean: 'Seconds from the first to the last event of a visit, mean.',
      visit_duration_median: 'Seconds from the first to the last event of a visit, median.',
      views_per_visit: 'Page views of a visit, mean.',
    },
  }),
  objectType(change, {
    name: 'DashboardChange',
    description: 'Change against the other period, in per cent.',
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
    description: 'A point of the series.',
    integers: 'Count',
    fields: {
      start: 'When the interval begins.',
      partial: 'Whether it still runs, or the period takes only a part of it in.',
      visitors: 'Different visitors of the visits that began in the period.',
      visits: 'Visits that began in the period. A visit ends after 30 minutes without an event.',
      pageviews: 'Page views.',
      events: 'All events, page views included.',
    },
  }),
];

const rows = [
  objectType(shape.pages.element, {
    name: 'PageRow',
    description: 'A page and its visitors.',
    integers: 'Count',
    fields: {
      value: 'The path.',
      visitors: 'Different visitors.',
      pageviews: 'Page views.',
      engaged_seconds:
        'Mean time that a view of it was in front of somebody, in seconds; ' +
        'null where none was measured.',
    },
  }),
  objectType(shape.channels.element, {
    name: 'VisitRow',
    description: 'A value and the visits that have it.',
    integers: 'Count',
    fields: {
      value: 'The value; null: not known, or direct.',
      visitors: 'Different visitors.',
      visits: 'Visits.',
      bounce_rate: 'Visits with at most one page view and no other interactive event, in per cent.',
    },
  }),
  objectType(shape.events.element, {
    name: 'EventRow',
    description: 'A kind of event.',
    integers: 'Count',
    fields: { value: 'Its name.', visitors: 'Different visitors.', events: 'Events.' },
  }),
];

const leftOut = objectType(shape.left_out, {
  name: 'DashboardLeftOut',
  description: 'What is not in the figures.',
  integers: 'Count',
  // An object by reason in the view, but a list in GraphQL.
  fields: { dropped: false },
});

const siteEvents = [
  objectType(events['event.ingested'].data, {
    name: 'SiteEventStored',
    description: 'An event was stored. Of many only some are told.',
    interfaces: ['SiteEvent'],
    integers: 'Count',
    fields: {
      event: 'The name of the event.',
      hostname: 'The host of the page.',
      pathname: 'The path of the page.',
      timestamp: 'When it happened.',
      country: 'Country of the visitor (ISO 3166-1 alpha-2).',
      browser: 'Browser of the visitor.',
      os: 'System of the visitor.',
      device: 'Kind of device.',
      bot: 'It came from a bot.',
    },
  }),
  objectType(events['counters.tick'].data, {
    name: 'SiteCounters',
    description:
      'What one replica has stored since its last tick, each second while there is something.',
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
    description: 'Visitors of the last five minutes, each five seconds while there is something.',
    interfaces: ['SiteEvent'],
    integers: 'Count',
    fields: { visitors: 'Different visitors.' },
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

const readersOnly = 'Needs the scope `analytics:read`, and people need a cleared device.';

export const analyticsSdl = `
extend type Query {
  """Sites and how many events they have. ${readersOnly}"""
  sites: [Site!]!
  """Figures of a site over a period, all from one snapshot. ${readersOnly}"""
  dashboard(
    """The site: its \`siteId\`."""
    siteId: String!
    """Whole local days up to today. Left out: 30 days."""
    period: AnalyticsPeriod
    """For \`CUSTOM\`: first day (YYYY-MM-DD), or an instant (RFC 3339)."""
    from: String
    """For \`CUSTOM\`: last day, included; or an instant, excluded."""
    to: String
    """IANA time zone in which days begin."""
    timezone: String = "UTC"
    """Step of the series; left out: chosen by the length of the period."""
    interval: AnalyticsInterval
    """\`dimension:operator:value\` each; all must hold. At most 20."""
    filters: [String!]
    """Also give the totals of another period."""
    compare: AnalyticsComparison
    """Count bots too."""
    bots: Boolean = false
    """Rows of each list, 1 to 1000."""
    limit: Int = 10
  ): Dashboard!
}

extend type Subscription {
  """What happens on a site at this moment. ${readersOnly}"""
  siteActivity(
    """The site: its \`siteId\`."""
    siteId: String!
  ): SiteEvent!
}

extend type DashboardLeftOut {
  """What was not stored."""
  dropped: [DroppedEvents!]!
}

"""Events that were not stored."""
type DroppedEvents {
  """Why."""
  reason: String!
  """How many."""
  events: Count!
}
`;
