import { plural } from '../../../platform/i18n/plural.ts';

/** Texts of the public status: pages, feeds, badges, and incidents that are recorded by program. */
export const texts = {
  overall: {
    none: 'All systems operational',
    maintenance: 'Service under maintenance',
    minor: 'Partially degraded service',
    major: 'Partial system outage',
    critical: 'Major system outage',
  },
  components: {
    operational: 'Operational',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
    under_maintenance: 'Under maintenance',
  },
  phases: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
    postmortem: 'Postmortem',
    scheduled: 'Scheduled',
    in_progress: 'In progress',
    verifying: 'Verifying',
    completed: 'Completed',
  },
  impacts: {
    none: 'No impact',
    minor: 'Minor impact',
    major: 'Major impact',
    critical: 'Critical impact',
    maintenance: 'Maintenance',
  },
  page: {
    description: (p: { overall: string }) =>
      `${p.overall}. Current status of every component, open incidents, scheduled maintenance, ` +
      'and past incidents.',
    announcement: (p: { overall: string; headline: string }) => `${p.overall}. ${p.headline}`,
    updated: 'Updated <time></time>',
    notChecked: 'Not checked yet',
    openIncidents: 'Open incidents',
    maintenanceNow: 'Maintenance in progress',
    scheduledMaintenance: 'Scheduled maintenance',
    pastIncidents: 'Past incidents',
    noIncidents: 'No incidents',
    history: 'View 90-day history',
    footer: 'All times are in UTC. For scripts: <link>summary.json</link>',
    back: 'Go to status',
  },
  history: {
    title: 'Incident history',
    lead: 'Resolved incidents and completed maintenance in the last 90 days.',
    none: 'No incidents or maintenance in the last 90 days.',
  },
  incident: {
    kinds: { incident: 'Incident', maintenance: 'Maintenance' },
    headline: (p: { name: string; phase: string }) => `${p.name}: ${p.phase}`,
    description: (p: { kind: string; headline: string }) => `${p.kind}: ${p.headline}`,
    state: (p: { kind: string; phase: string }) => `${p.kind}: <strong>${p.phase}</strong>`,
    since: 'Since <time></time>',
    lasted: (p: { period: string; duration: string }) => `${p.period} (${p.duration})`,
    affects: (p: { components: string }) => `Affects ${p.components}`,
    notFound: 'This incident doesn’t exist, or it’s older than 90 days.',
    updates: 'Updates',
    noUpdates: 'No updates yet.',
    earlierUpdates: (p: { count: number }) =>
      plural(p.count, { one: '1 earlier update', other: `${p.count} earlier updates` }),
  },
  component: {
    heading: 'Components',
    none: 'No components yet.',
    uptime: (p: { uptime: string; isSlowLeftOut: boolean }) =>
      p.isSlowLeftOut ? `${p.uptime} uptime, not counting slow periods` : `${p.uptime} uptime`,
    noUptime: 'No data yet',
    firstDay: (p: { days: number }) =>
      plural(p.days, { one: '1 day ago', other: `${p.days} days ago` }),
    today: 'Today',
    bars: (p: { days: number; troubled: number }) =>
      p.troubled === 0
        ? `${p.days} days, no problems`
        : `${p.days} days, ${p.troubled} with problems`,
    bar: (p: { day: string; problems: string }) => `${p.day}: ${p.problems}`,
    problem: (p: { status: string; duration: string }) => `${p.status} ${p.duration}`,
    troubledDays: (p: { count: number }) =>
      plural(p.count, { one: '1 day with problems', other: `${p.count} days with problems` }),
    /** The name of the table of these days. */
    troubledDaysOf: (p: { name: string }) => `Days with problems: ${p.name}`,
    day: 'Day',
    problems: 'Problems',
  },
  responseTimes: {
    summary: (p: { mean: string; max: string }) =>
      `Response time: mean ${p.mean} ms, max ${p.max} ms`,
    title: 'Response times',
    table: 'Response times over the last 2 days',
    caption: 'Hourly mean in milliseconds',
    hour: 'Hour',
    none: '–',
  },
  subscribe: {
    title: 'Get updates',
    lead:
      'Get an email when an incident starts, changes and ends, and when maintenance is planned, ' +
      'starts and ends.',
    next: 'We send a link to confirm your address. Every email has a link to unsubscribe.',
    email: 'Email address',
    /** The label of a field that only programs fill in. */
    trap: 'Leave this empty',
    button: 'Subscribe by email',
    feeds: 'Subscribe to a feed: <feeds></feeds>',
    orFeeds: 'Or subscribe to a feed: <feeds></feeds>',
    calendar: 'Add maintenance to your calendar: <link>iCalendar</link>',
    sent: {
      title: 'Check your inbox',
      lead:
        'If this address isn’t subscribed yet, we sent it a confirmation link. ' +
        'Open the link within 24 hours to get updates.',
      hint: 'No email after a few minutes? Check your spam folder, or try again in 10 minutes.',
    },
    confirm: {
      title: 'Confirm your subscription',
      lead: 'Get emails about incidents and maintenance.',
      button: 'Confirm subscription',
    },
    confirmed: {
      title: 'You’re subscribed',
      lead: 'We’ll email you about incidents and maintenance. You can unsubscribe from any email.',
    },
    unsubscribe: {
      title: 'Unsubscribe',
      lead: 'You’ll stop getting status updates, and we’ll delete your address.',
      button: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'You’re unsubscribed',
      lead: 'We deleted your address. You won’t get any more updates.',
    },
  },
  feed: {
    link: (p: { format: string }) => `Incidents (${p.format})`,
    title: (p: { app: string }) => `${p.app} status`,
    description: (p: { app: string }) => `${p.app} incidents and maintenance`,
    entry: (p: { name: string; phase: string }) => `${p.name} (${p.phase})`,
    impact: (p: { impact: string }) => `${p.impact}.`,
    scheduled: (p: { period: string }) => `Scheduled for ${p.period}.`,
    affects: (p: { components: string }) => `Affects ${p.components}.`,
    calendar: (p: { app: string }) => `${p.app} maintenance`,
    update: (p: { phase: string }) => `<strong>${p.phase}</strong> – <time></time>`,
  },
  badge: {
    status: 'status',
    uptime: (p: { days: number }) => `uptime ${p.days}d`,
    componentUptime: (p: { component: string; days: number }) => `${p.component} uptime ${p.days}d`,
    noData: 'no data',
  },
  downtime: {
    name: 'Service outage',
    body: (p: { from: string; until: string; duration: string }) =>
      `The service was down from ${p.from} to ${p.until} (${p.duration}). ` +
      'Recorded automatically when it restarted.',
  },
};
