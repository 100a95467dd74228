import { plural } from '../../../components/number-format.ts';

/** Background jobs. */
export const jobs = {
  title: 'Jobs',
  states: {
    failed: 'Failed',
    active: 'Active',
    waiting: 'Waiting',
    delayed: 'Scheduled',
    completed: 'Completed',
  },
  titles: {
    failed: 'Failed jobs',
    active: 'Active jobs',
    waiting: 'Waiting jobs',
    delayed: 'Scheduled jobs',
    completed: 'Completed jobs',
  },
  titleOfKind: (p: { title: string; kind: string }) => `${p.title}: ${p.kind}`,
  caption: (p: { title: string }) => `${p.title} on this page`,
  empty: {
    failed: 'No failed jobs. Failed jobs are kept for a week, so you can retry them.',
    active: 'No active jobs',
    waiting: 'No waiting jobs',
    delayed: 'No scheduled jobs',
    completed: 'No completed jobs. Most jobs aren’t kept after they complete.',
  },
  /** Other kinds are called by their id: `account-upkeep` is “Account upkeep”. */
  names: {
    'comms-delivery': 'Send email and SMS',
    'comms-cleanup': 'Clean up sent messages',
    'nfc-cleanup': 'Clean up NFC taps',
    'devices-expiry': 'End unused device approvals',
    'factor-resets': '2FA resets',
    'platform-heartbeat': 'Heartbeat',
    signups: 'Clean up sign-ups',
    waitlist: 'Clean up the waitlist',
    'payments-sweep': 'Find lost payment events',
    'otp-sending': 'Send one-time codes',
    'account-exports': 'Export personal data',
    'payments-event': 'Payment events',
    'qr-batches': 'QR code files',
    'status-notices': 'Email status subscribers',
    'status-subscriptions': 'Confirm status subscriptions',
    'waitlist-invitations': 'Waitlist invitations',
  },
  scheduled: 'Scheduled run',
  number: (p: { id: string }) => `No. ${p.id}`,
  columns: { job: 'Job', error: 'Error', attempts: 'Attempts', added: 'Added' },
  times: {
    failed: 'Failed',
    completed: 'Completed',
    active: 'Started',
    waiting: 'Waiting since',
    delayed: 'Due',
  },
  attempts: (p: { made: number; all: number }) => `${p.made} of ${p.all}`,
  retrySelected: 'Retry selected',
  removeSelected: 'Remove selected…',
  cancelSelected: 'Cancel selected…',
  shown: (p: { count: number }) => `${plural(p.count, 'job')} on this page`,
  tabs: 'State',
  tab: (p: { state: string; count: string }) => `${p.state} ${p.count}`,
  kinds: {
    tab: 'Kinds',
    title: 'All kinds',
    caption: 'Kinds of jobs, and when they run',
    columns: {
      kind: 'Kind',
      schedule: 'Schedule',
      lastRun: 'Last success',
      took: 'Duration',
      nextRun: 'Next run',
    },
    late: 'Late',
    dueSince: 'Due <time></time>',
    milliseconds: (p: { count: string }) => `${p.count} ms`,
    some: (p: { count: string; state: string }) => `${p.count} ${p.state}`,
    onDemand: 'When needed',
    every: {
      minute: 'Every minute',
      hour: 'Hourly',
      day: 'Daily',
      interval: (p: { interval: string }) => `Every ${p.interval}`,
    },
  },
  /** What holds now, above the kinds. */
  lines: {
    good: 'All jobs run on time, and none has failed.',
    failed: (p: { count: number }) =>
      p.count === 1 ? '1 job has failed.' : `${plural(p.count, 'job')} have failed.`,
    review: 'Review and retry',
    late: (p: { names: string }) =>
      `Late: ${p.names}. They start once a process that runs them is up and has room.`,
    waiting: (p: { duration: string }) => `The oldest waiting job was added ${p.duration} ago.`,
  },
  filters: { kind: 'Kind', all: 'All kinds', apply: 'Apply filter' },
  notices: {
    retried: (p: { count: number }) => `${plural(p.count, 'job')} queued for retry.`,
    removed: (p: { count: number }) => `${plural(p.count, 'job')} removed.`,
    cancelled: (p: { count: number }) => `${plural(p.count, 'job')} canceled.`,
    skipped: (p: { count: number }) => `Skipped ${plural(p.count, 'job')} whose state had changed.`,
    none: 'No jobs were selected. Select at least one.',
  },
};

/** The page that asks before jobs are removed. */
export const cancelJobs = {
  removeTitle: (p: { count: number }) => `Remove ${plural(p.count, 'job')}?`,
  remove: (p: { count: number }) => `Remove ${plural(p.count, 'job')}`,
  cancelTitle: (p: { count: number }) => `Cancel ${plural(p.count, 'job')}?`,
  cancel: (p: { count: number }) => `Cancel ${plural(p.count, 'job')}`,
  confirm: 'Confirm',
  hint: 'The number of jobs you selected. Their work will be lost.',
  wrong: (p: { number: string }) => `The number doesn’t match. Type ${p.number}.`,
  selected: 'Selected jobs',
  back: 'Back to jobs',
};
