const totals = `
  """Different visitors of the visits that began in the period."""
  visitors: Count!
  """Visits that began in the period. A visit ends after 30 minutes without an event."""
  visits: Count!
  """Page views."""
  pageviews: Count!
  """All events, page views included."""
  events: Count!`;

const breakdowns = [
  ['pages', 'PageRow', 'Pages with the most visitors'],
  ['entryPages', 'VisitRow', 'First pages of visits'],
  ['exitPages', 'VisitRow', 'Last pages of visits'],
  ['referrers', 'VisitRow', 'Pages that link here'],
  ['sources', 'VisitRow', 'Where visits come from'],
  ['channels', 'VisitRow', 'Kinds of sources'],
  ['campaigns', 'VisitRow', 'Campaigns (utm_campaign)'],
  ['countries', 'VisitRow', 'Countries (ISO 3166-1 alpha-2)'],
  ['browsers', 'VisitRow', 'Browsers'],
  ['operatingSystems', 'VisitRow', 'Operating systems'],
  ['devices', 'VisitRow', 'Kinds of devices'],
  ['languages', 'VisitRow', 'Languages'],
]
  .map(([field, type, description]) => `\n  """${description}."""\n  ${field}: [${type}!]!`)
  .join('');

const changes = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounceRate',
  'visitDurationMean',
  'visitDurationMedian',
  'viewsPerVisit',
]
  .map(
    (field) =>
      `\n  """Change of \`${field}\` in per cent, null where there is nothing to compare with."""\n  ${field}: Float`,
  )
  .join('');

/** Figures of sites, for whoever may read them: the scope \`analytics:read\`, and a cleared device for people. */
export const analyticsSchema = `
extend type Query {
  """Sites and how many events they have. Needs the scope \`analytics:read\`, and people need a cleared device."""
  sites: [Site!]!
  """Figures of a site over a period, all from one snapshot. Needs the scope \`analytics:read\`, and people need a cleared device."""
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
  """What happens on a site at this moment. Needs the scope \`analytics:read\`, and people need a cleared device."""
  siteActivity(
    """The site: its \`siteId\`."""
    siteId: String!
  ): SiteEvent!
}

"""A length of time up to now."""
enum AnalyticsPeriod {
  """The last 24 hours."""
  LAST_24_HOURS
  """Seven days."""
  LAST_7_DAYS
  """30 days."""
  LAST_30_DAYS
  """90 days."""
  LAST_90_DAYS
  """Twelve months."""
  LAST_12_MONTHS
  """From \`from\` to \`to\`."""
  CUSTOM
}

"""A step of a series."""
enum AnalyticsInterval {
  """An hour."""
  hour
  """A day."""
  day
  """A week."""
  week
  """A month."""
  month
}

"""What a period is compared with."""
enum AnalyticsComparison {
  """The period before."""
  previous
  """The same a year ago."""
  year
}

"""A site that has events."""
type Site implements Node {
  """Global id."""
  id: ID!
  """The \`site_id\` of its events."""
  siteId: String!
  """When its first event came."""
  createdAt: DateTime!
  """Events that are stored."""
  events: Count!
  """When its last event was."""
  lastEventAt: DateTime
}

"""Figures of a site over a period."""
type Dashboard {
  """The site."""
  siteId: String!
  """The period that was meant."""
  period: DashboardPeriod!
  """Everything together."""
  totals: DashboardTotals!
  """The totals of the other period, if one was asked for."""
  compared: ComparedTotals
  """Change against the other period, if one was asked for."""
  change: DashboardChange
  """One point for each interval, without gaps."""
  series: [DashboardPoint!]!
  """Different visitors with an event in the last five minutes."""
  visitorsNow: Count!
  """Events of all sites that are stored safely and not in the figures yet; null while some are left from before a restart."""
  pendingEvents: Count${breakdowns}
  """Events by name."""
  events: [EventRow!]!
  """What is not in the figures."""
  leftOut: DashboardLeftOut!
}

"""The period that figures are of."""
type DashboardPeriod {
  """As it was asked for in the REST API: \`30d\`."""
  name: String!
  """First instant."""
  from: String!
  """Instant before which it ends."""
  to: String!
  """IANA time zone."""
  timezone: String!
  """Step of the series."""
  interval: AnalyticsInterval!
}

"""Everything of a period together."""
type DashboardTotals {${totals}
  """Visits with at most one page view and no other interactive event, in per cent."""
  bounceRate: Float
  """Seconds from the first to the last event of a visit, mean."""
  visitDurationMean: Float
  """Seconds from the first to the last event of a visit, median."""
  visitDurationMedian: Float
  """Page views of a visit, mean."""
  viewsPerVisit: Float
}

"""The totals of the other period."""
type ComparedTotals {
  """First instant."""
  from: String!
  """Instant before which it ends."""
  to: String!
  """Everything together."""
  totals: DashboardTotals!
}

"""Change against the other period, in per cent."""
type DashboardChange {${changes}
}

"""A point of the series."""
type DashboardPoint {
  """When the interval begins."""
  start: String!
  """Whether it still runs, or the period takes only a part of it in."""
  partial: Boolean!${totals}
}

"""A page and its visitors."""
type PageRow {
  """The path."""
  value: String!
  """Different visitors."""
  visitors: Count!
  """Page views."""
  pageviews: Count!
  """Mean time that a view of it was in front of somebody, in seconds; null where none was measured."""
  engagedSeconds: Float
  """How far visits came on it at most, in per cent of its height, mean; null where none was measured."""
  scrollDepth: Float
}

"""A value and the visits that have it."""
type VisitRow {
  """The value; null: not known, or direct."""
  value: String
  """Different visitors."""
  visitors: Count!
  """Visits."""
  visits: Count!
  """Visits with at most one page view and no other interactive event, in per cent."""
  bounceRate: Float!
}

"""A kind of event."""
type EventRow {
  """Its name."""
  value: String!
  """Different visitors."""
  visitors: Count!
  """Events."""
  events: Count!
  """Visits with this event, in per cent of the visits of the period."""
  conversionRate: Float
}

"""What is not in the figures."""
type DashboardLeftOut {
  """Events of bots: stored, but not in the figures unless asked for."""
  botEvents: Count!
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
