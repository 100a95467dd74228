import { plural } from '../../../components/number-format.ts';

/** The first page of the console. */
export const overview = {
  title: 'Overview',
  status: 'Status',
  maintenance: 'Maintenance',
  allGood: (p: { count: number }) =>
    `${plural(p.count, 'component')} checked. No incidents or scheduled maintenance.`,
  traffic: {
    label: 'Traffic and pending work',
    now: 'Visitors now',
    nowNote: 'Last 5 minutes',
    visitors: 'Visitors',
    change: 'vs previous 24 hours',
    pageviews: 'Page views',
    dropped: 'Events dropped',
    lastDay: 'Last 24 hours',
  },
  work: {
    devices: 'Pending devices',
    devicesNote: 'Awaiting approval',
    failedJobs: 'Failed jobs',
    queued: (p: { count: string }) => `${p.count} queued`,
    unreachable: 'Queue unreachable',
    sockets: 'Open sockets',
    socketsNote: 'On this replica',
  },
  replica: {
    label: 'This replica',
    requests: 'Requests',
    perSecond: (p: { count: string }) => `${p.count}/s`,
    lastMinute: 'Last minute',
    p95: 'p95 latency',
    milliseconds: (p: { ms: string }) => `${p.ms} ms`,
    errors: 'Server errors',
    errorsNote: 'Status 500 and above, last minute',
    loop: 'Event loop',
    memory: (p: { bytes: string }) => `${p.bytes} memory`,
    uptime: 'Uptime',
    uptimeNote: 'This replica',
  },
  chart: {
    title: (p: { site: string }) => `${p.site}, last 24 hours`,
    caption: (p: { site: string }) => `Visitors and page views for ${p.site} by hour (UTC)`,
    analytics: 'Analytics',
    pageviews: 'Page views',
    visitors: 'Visitors',
    noneTitle: 'Last 24 hours',
    none: 'No site has received events yet. Add the script to a page, or send an event:',
    install: 'Installation guide',
  },
  sites: {
    title: 'Sites',
    caption: 'Sites, last 24 hours',
    columns: {
      site: 'Site',
      now: 'Now',
      visitors: 'Visitors',
      change: 'Change',
      pageviews: 'Page views',
    },
    quiet: (p: { count: number }) =>
      `${plural(p.count, 'other site')} had no events in the last 24 hours.`,
  },
  audit: {
    title: 'Latest audit entries',
    all: 'Audit log',
    entry: '<time></time> <action></action> <outcome></outcome> by <actor></actor>',
    none: 'No entries yet',
  },
};
