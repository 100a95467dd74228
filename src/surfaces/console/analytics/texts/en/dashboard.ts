import { plural } from '../../../components/number-format.ts';

const intervals = { hour: 'hour', day: 'day', week: 'week', month: 'month' };
type Interval = keyof typeof intervals;

export const dashboard = {
  totals: {
    label: 'Figures',
    visitors: 'Visitors',
    visits: 'Visits',
    pageviews: 'Page views',
    viewsPerVisit: 'Views per visit',
    bounceRate: 'Bounce rate',
    duration: 'Visit duration',
    events: 'Events',
    conversions: 'Conversions',
  },
  now: (p: { visitors: number }) => `${plural(p.visitors, 'visitor')} now`,
  series: {
    caption: (p: { figure: string; interval: Interval }) =>
      `${p.figure} by ${intervals[p.interval]}`,
    pending: (p: { events: number }) => `Processing ${plural(p.events, 'event')} from all sites.`,
    pendingUnknown: 'Still processing events received before the last restart.',
    annotate: 'Add annotation',
  },
  leftOut: {
    summary: (p: { bots: number; rejected: number }) => {
      const parts = [
        p.bots > 0 && plural(p.bots, 'bot event'),
        p.rejected > 0 && plural(p.rejected, 'rejected event'),
      ];
      return `Excluded: ${parts.filter((part) => part !== false).join(', ')}`;
    },
    hint: 'Bot events are stored but not counted. Rejected events aren’t stored.',
    unfiltered: 'Rejected events are counted for the whole site, whatever the filters.',
    caption: 'Rejected events by reason',
    reason: 'Reason',
    events: 'Events',
  },
  export: {
    heading: 'Export',
    label: 'Download this view',
    figures: 'Figures',
    events: (p: { events: string }) => `Events (${p.events})`,
    question: {
      title: 'Export events',
      text: (p: { events: string; period: string; format: string }) =>
        `${p.events} events (${p.period}), one per row, as ${p.format}. This can take minutes.`,
      button: 'Download file',
    },
  },
  goals: {
    title: (p: { site: string }) => `${p.site}, goals and funnel`,
    heading: 'Goals and funnel',
    all: 'Goal details',
    funnels: 'All funnels',
    show: 'Show goals',
    showFunnel: 'Show funnel',
    stats: {
      label: 'Summary',
      reached: 'Goals reached',
      inVisits: (p: { visits: number }) => `in ${plural(p.visits, 'visit')}`,
      best: 'Most reached',
      funnel: 'Funnel conversion',
    },
  },
};

export const breakdowns = {
  empty: 'No data for this period.',
  unknown: 'Unknown',
  direct: 'Direct',
  noCampaign: 'No campaign',
  map: 'Map',
  /** What the pointer reads on the map. */
  onMap: (p: { country: string; visitors: number }) =>
    `${p.country}: ${plural(p.visitors, 'visitor')}`,
  all: (p: { rows: string }) => `All ${p.rows}`,
  allOf: (p: { rows: string; list: string }) => `All ${p.rows}: ${p.list}`,
  search: 'Search',
  searchIn: (p: { list: string }) => `Search ${p.list}`,
  back: 'Back to dashboard',
  title: (p: { site: string; list: string }) => `${p.site}, ${p.list}`,
  captions: {
    visitors: (p: { heading: string }) => `${p.heading} by visitors`,
    pages: 'Pages by views',
    events: 'Events by count',
  },
  columns: {
    visitors: 'Visitors',
    bounceRate: 'Bounce rate',
    views: 'Views',
    engagedTime: 'Engaged time',
    scrollDepth: 'Scroll depth',
    events: 'Events',
    conversion: 'Conversion',
    conversions: 'Conversions',
    rate: 'Rate',
  },
  panels: {
    pages: 'Pages',
    sources: 'Sources',
    places: 'Locations',
    programs: 'Devices',
    events: 'Events',
  },
  titles: {
    pages: 'Pages',
    entry_pages: 'Entry pages',
    exit_pages: 'Exit pages',
    sources: 'Sources',
    channels: 'Channels',
    referrers: 'Referrers',
    campaigns: 'Campaigns',
    countries: 'Countries',
    languages: 'Languages',
    devices: 'Devices',
    browsers: 'Browsers',
    operating_systems: 'Operating systems',
    events: 'Events',
  },
  headings: {
    page: 'Page',
    entry_page: 'Entry page',
    exit_page: 'Exit page',
    source: 'Source',
    channel: 'Channel',
    referrer: 'Referrer',
    campaign: 'Campaign',
    country: 'Country',
    language: 'Language',
    device: 'Device',
    browser: 'Browser',
    os: 'Operating system',
    event: 'Event',
  },
  noEvents: 'No custom events yet. Send one from a page with the script:',
  guide: 'Website script guide',
  range: (p: { period: string; zone: string }) => `${p.period} (${p.zone})`,
  rows: (p: { first: string; last: string; all: string }) => `${p.first}–${p.last} of ${p.all}`,
  cut: (p: { rows: string }) =>
    `${p.rows}. The list stops here. Add a filter to see other entries.`,
};

export const definitions = {
  summary: 'How metrics are calculated',
  terms: {
    visitor: 'Visitor',
    visit: 'Visit',
    bounceRate: 'Bounce rate',
    duration: 'Visit duration',
    engagedTime: 'Engaged time',
    scrollDepth: 'Scroll depth',
    conversion: 'Conversion',
    bots: 'Bots',
  },
  meanings: {
    visitor:
      'A person recognized within one UTC day by a salted hash of site, IP address and ' +
      'browser. Salts are deleted, so the same person is counted again on another day. ' +
      'Identified visitors are counted once across all days.',
    visit:
      'A visitor’s events with no pause longer than 30 minutes. A visit is counted at ' +
      'the time it starts.',
    bounceRate: 'Percentage of visits with at most one page view and no other interaction.',
    duration:
      'Time from the first to the last event of a visit. ' +
      'Visits with one event count as 0 seconds.',
    engagedTime:
      'Time a page was visible and in use, measured by the script. Average per page view.',
    scrollDepth: 'Furthest point of a page reached in a visit, in percent. Average per visit.',
    conversion: 'Percentage of the period’s visits with this event.',
    bots: 'Known bots are stored but not counted. Turn on “Include bots” to count them.',
  },
  dropReasons: {
    bot: 'Known bot',
    rate_limited: 'Too many requests from one address',
    invalid: 'Invalid data',
    too_large: 'Too large',
    site_unknown: 'Site not added',
    host_not_allowed: 'Hostname not allowed',
    shielded_ip: 'Excluded IP address',
    shielded_country: 'Excluded country',
    shielded_page: 'Excluded page',
    site_closed: 'Site closed',
    duplicate: 'Duplicate event',
    timestamp_too_old: 'Timestamp too old',
    prefetch: 'Prefetched by the browser',
    opted_out: 'Visitor opted out',
  },
};
