import { plural } from '../../../components/number-format.ts';

const times = (count: number): string => plural(count, 'time');

/** The first page of the console. */
export const overview = {
  title: 'Overview',
  status: {
    link: 'Status',
    allGood: (p: { count: number }) =>
      `${plural(p.count, 'component')} checked. No incidents or scheduled maintenance.`,
    incident: (p: { status: string }) => `<name></name> · ${p.status}, updated <time></time>`,
    maintenance: 'Maintenance planned for <time></time>: <name></name>',
    maintenanceNow: 'Maintenance now: <name></name>',
    component: (p: { name: string; status: string }) => `${p.name}: ${p.status}`,
  },
  waiting: {
    title: 'Waiting for you',
    none: 'Nothing is waiting for you.',
    devices: (p: { count: number }) =>
      p.count === 1 ? '1 device needs approval' : `${p.count} devices need approval`,
    oldest: (p: { ago: string }) => `First requested ${p.ago}`,
    messages: (p: { count: number }) => plural(p.count, 'new message'),
    people: (p: { count: number }) =>
      p.count === 1 ? '1 person on the waitlist' : `${p.count} people on the waitlist`,
    failedJobs: (p: { count: number }) => plural(p.count, 'failed job'),
    alarm: (p: { tag: string }) => `Suspicious taps at ${p.tag}`,
    unknownTag: 'an unknown tag',
    alarms: {
      forged: (p: { count: number }) => `forged ${times(p.count)}`,
      cloned: (p: { count: number }) => `copied ${times(p.count)}`,
      replayed: (p: { count: number }) => `replayed ${times(p.count)}`,
      unknown_uid: (p: { count: number }) => `tapped with another chip ${times(p.count)}`,
      opened: (p: { count: number }) => `seal opened ${times(p.count)}`,
      unknown_code: (p: { count: number }) => `tapped with an unknown code ${times(p.count)}`,
    },
    review: 'Review',
    reply: 'Reply',
    invite: 'Invite',
    retry: 'Retry',
  },
  sites: {
    title: 'Sites, last 24 hours',
    all: 'Analytics',
    none: 'No site had visitors in the last 24 hours.',
    now: (p: { count: number }) => `${p.count} now`,
    visitors: 'visitors',
    course: (p: { values: string }) => `Visitors by hour: ${p.values}`,
    quiet: (p: { count: number }) =>
      `${plural(p.count, 'other site')} had no events in the last 24 hours.`,
    first: {
      title: 'Three steps to begin',
      site: {
        title: 'Add your site',
        text: 'See who visits, from where, and what they do.',
        button: 'Add site',
      },
      people: {
        title: 'Invite your team',
        text: 'They get a link by email and sign in without a password.',
        button: 'Invite someone',
      },
      code: {
        title: 'Create a QR code',
        text: 'Change where it leads anytime, and see its scans.',
        button: 'New QR code',
      },
      event: 'Or send the first event yourself:',
    },
  },
  lately: {
    title: 'Recent activity',
    all: 'Audit log',
    none: 'Nothing has happened yet.',
  },
};
