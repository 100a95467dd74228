/** The page about the server. */
export const health = {
  title: 'Health',
  replica: {
    label: 'This replica',
    requests: 'Requests',
    perSecond: (p: { count: string }) => `${p.count}/s`,
    lastMinute: 'Last minute',
    p95: 'p95 latency',
    milliseconds: (p: { ms: string }) => `${p.ms} ms`,
    errors: 'Server errors',
    errorsNote: 'Last minute',
    loop: 'Event loop',
    loopNote: 'Time at work',
    memory: 'Memory',
    uptime: 'Uptime',
    sockets: 'Open sockets',
    queued: 'Queued jobs',
    failed: (p: { count: string }) => `${p.count} failed`,
    unreachable: 'Queue unreachable',
  },
  checks: {
    title: 'Checks',
    caption: 'Checks of this replica and what it depends on',
    columns: {
      name: 'Check',
      state: 'State',
      observed: 'Measured',
      trend: 'Lately',
      limit: 'Warns',
      checked: 'Last check',
    },
    trend: (p: { title: string; least: string; most: string }) =>
      `${p.title}: between ${p.least} and ${p.most} lately`,
    limits: {
      slow: (p: { ms: number }) => `Over ${p.ms} ms`,
      free: (p: { percent: string }) => `Below ${p.percent} free`,
      clock: (p: { seconds: number }) => `Over ${p.seconds} s off`,
      late: 'If a job is late',
    },
    states: { pass: 'OK', warn: 'Degraded', fail: 'Failing' },
    none: 'This replica has no checks.',
    never: 'Not yet',
    free: (p: { percent: string }) => `${p.percent}% free`,
    allPass: (p: { count: number }) => `All ${p.count} checks are OK.`,
    attention: (p: { count: number; names: string }) =>
      `${p.count} of the checks need attention: ${p.names}.`,
  },
};
