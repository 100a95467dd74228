import { texts as publicTexts } from '../../../../areas/status/texts/en.ts';
import { count, plural } from '../../components/number-format.ts';

const subscribersGet = (subscribers: number): string =>
  subscribers === 1 ? '1 subscriber gets' : `${count(subscribers)} subscribers get`;

/** Texts of the pages about the status of the service. */
export const texts = {
  title: 'Status',
  publicPage: 'Public page',
  emailed: (p: { count: number }) => {
    if (p.count === 0) return 'Nobody gets this by email';
    return p.count === 1
      ? '1 person gets this by email'
      : `${count(p.count)} people get this by email`;
  },
  /** What happens after a form. */
  next: {
    title: 'What happens next',
    incident: {
      shown: 'The incident appears on the status page and in its feeds right away.',
      emailed: (p: { count: number }) =>
        p.count === 0
          ? 'Nobody has subscribed, so nobody is emailed.'
          : `${subscribersGet(p.count)} an email now, and one with each update.`,
      end: 'Post updates until it’s over, then resolve it. You can add a postmortem afterward.',
    },
    maintenance: {
      shown: 'The status page and its calendar show it right away.',
      emailed: (p: { count: number }) =>
        p.count === 0
          ? 'Nobody has subscribed, so nobody is emailed.'
          : `${subscribersGet(p.count)} an email now, and at the start and the end.`,
      points: [
        'It starts and ends by itself at these times.',
        'Downtime of the components you choose doesn’t count toward their uptime.',
      ],
    },
    check: [
      'This server checks the target at the interval you choose.',
      'The status page shows the component right away, with its uptime and response times.',
      'Its status gets worse after two failed checks in a row, and recovers after one success.',
      'Test now tries the target without saving anything.',
    ],
  },
  actions: {
    openIncident: 'Open incident',
    planMaintenance: 'Schedule maintenance',
    addComponent: 'Add check',
  },
  overall: publicTexts.overall,
  statuses: { ...publicTexts.components, ...publicTexts.phases, no_data: 'No data' },
  impacts: publicTexts.impacts,
  figures: {
    label: 'Service status',
    overall: 'Overall',
    components: 'Components',
    operationalOf: (p: { good: number; total: number }) => `${p.good} of ${p.total}`,
    operational: 'Operational',
    incidents: 'Open incidents',
    maintenance: 'Maintenance',
    maintenanceNote: 'Scheduled or in progress',
    subscribers: 'Subscribers',
    subscribersNote: 'By email',
  },
  open: {
    title: 'Open incidents',
    none: 'No open incidents',
    all: 'All incidents',
  },
  planned: {
    title: 'Maintenance',
    none: 'No scheduled maintenance',
    all: 'All maintenance',
  },
  components: {
    title: 'Components',
    hint: 'Uptime covers 90 days. Response time is the mean over the last hour.',
    caption: 'Components on the status page',
    columns: {
      component: 'Component',
      status: 'Status',
      days: '90 days',
      uptime: 'Uptime',
      response: 'Response time',
    },
    none: 'No components yet',
    days: (p: { days: number }) => `${p.days} days, no problems`,
    daysWithProblems: (p: { days: number; troubled: number; last: string; status: string }) =>
      `${p.days} days, ${p.troubled} with problems, latest on ${p.last}: ${p.status}`,
  },
  /** What the form for a new incident is filled in with. */
  templates: {
    outage: {
      label: 'Outage',
      name: 'Service unavailable',
      impact: 'critical',
      status: 'investigating',
      body:
        'The service can’t be reached right now. We’re looking into the cause and will ' +
        'post an update within 30 minutes.',
    },
    slow: {
      label: 'Slow',
      name: 'Slow response times',
      impact: 'minor',
      status: 'investigating',
      body:
        'Pages are taking longer than usual to load. We’re looking into the cause and will ' +
        'post an update within 30 minutes.',
    },
    errors: {
      label: 'Errors',
      name: 'Some requests are failing',
      impact: 'major',
      status: 'investigating',
      body:
        'Some requests are failing. Trying again often helps. We’re looking into the cause and ' +
        'will post an update within 30 minutes.',
    },
    provider: {
      label: 'Provider problem',
      name: 'Problem with a provider',
      impact: 'minor',
      status: 'identified',
      body:
        'A provider we depend on is having problems, which affect parts of our service. We’re in ' +
        'touch with them and will post an update when we know more.',
    },
  },
  incident: {
    templates: 'Start from a template',
    fields: { name: 'Name', impact: 'Impact', status: 'Status', body: 'First message' },
    hints: {
      name: 'What customers notice, in a few words.',
      body: 'Plain text. Published on the status page right away.',
    },
    impacts: {
      '': 'Match components',
      none: 'None',
      minor: 'Minor',
      major: 'Major',
      critical: 'Critical',
    },
    submit: 'Open incident',
    components: 'Components',
    unaffected: 'Unaffected',
  },
  maintenance: {
    fields: {
      name: 'Name',
      scheduled_for: 'Starts',
      scheduled_until: 'Ends',
      body: 'Message',
    },
    hints: {
      body:
        'List what will be unavailable. Subscribers are emailed now, at the start and at ' +
        'the end.',
    },
    utc: 'Times are in UTC.',
    submit: 'Schedule maintenance',
  },
  check: {
    fields: {
      name: 'Name',
      source: 'Type',
      target: 'Target',
      group: 'Group (optional)',
      description: 'Description (optional)',
      'settings.interval_s': 'Check every',
      'settings.timeout_ms': 'Give up after',
      'settings.expected_status': 'Accepted HTTP status codes',
      only_show_if_degraded: 'Show only during problems',
      position: 'Position',
    },
    hints: {
      name: 'As customers see it on the status page.',
      target: 'A URL for HTTP, host:port for TCP.',
      group: 'The heading this component is listed under.',
      'settings.expected_status': 'Separate with commas. If empty, 200 to 399.',
      position: 'Lower numbers come first.',
    },
    values: { source: { http: 'HTTP: request a URL', tcp: 'TCP: open a connection' } },
    submit: 'Add check',
    more: 'More options',
    test: 'Test now',
    milliseconds: (p: { ms: number }) => `${p.ms} ms`,
    result: {
      answered: (p: { time: string }) => `Works: answered in ${p.time}`,
      failed: (p: { time: string }) => `Failed after ${p.time}: no accepted answer`,
    },
    save: 'Save changes',
    archive: 'Archive check',
    archivePoints: [
      'The check stops, and its component leaves the status page.',
      'Its history is kept.',
      'Its ID can’t be used again, not even for a new check of the same target.',
    ],
    archiveWarning: 'This can’t be undone.',
  },
  componentPage: {
    facts: 'Details',
    status: 'Status',
    uptime: 'Uptime',
    response: 'Response time',
    check: 'Check',
    builtIn: 'Built-in',
    target: 'Target',
    interval: 'Checked every',
    figures: 'Figures',
    lastHour: 'Mean of the last hour',
    timeout: 'Timeout',
    expected: 'Accepted status codes',
    seconds: (p: { seconds: number | string }) => `${p.seconds} s`,
    milliseconds: (p: { ms: number | string }) => `${p.ms} ms`,
    id: 'Name in the API',
    description: 'Description',
    visibility: 'Visibility',
    hidden: 'Shown only during problems',
    created: 'Created',
    days: '90 days',
    daysCaption: 'Days with problems, newest first',
    columns: { day: 'Day', worst: 'Worst status', length: 'Duration' },
    spent: (p: { status: string; time: string }) => `${p.status} for ${p.time}`,
    noProblems: 'No days with problems',
    responses: 'Response times',
    responsesCaption: 'Mean response time by hour (UTC), in milliseconds',
    meanResponse: 'Mean response time',
    edit: 'Edit component',
  },
  incidentPage: {
    facts: 'Details',
    status: 'Status',
    impact: 'Impact',
    starts: 'Starts',
    ends: 'Ends',
    started: 'Started',
    resolved: 'Resolved',
    notResolved: 'Not yet',
    components: 'Components',
    noComponents: 'None',
    source: 'Recorded by',
    downtime: 'The service itself, after an outage',
    timeline: 'Timeline',
    update: 'Post an update',
    postmortem: 'Add a postmortem',
    reopens: (p: { status: string }) => `${p.status} (reopens the incident)`,
    fields: { status: 'Status', body: 'Message' },
    hints: { body: 'Plain text, emailed to subscribers. Blank lines separate paragraphs.' },
    componentStatuses: 'Component statuses',
    post: 'Post update',
    resolve: 'Resolve incident',
    resolveMessage: 'This incident is resolved.',
    start: 'Start maintenance',
    startMessage: 'Maintenance has started.',
    end: 'End maintenance',
    endMessage: 'Maintenance is complete.',
    reopen: 'Reopen incident',
    reopenMessage: 'We’ve reopened this incident and are continuing to monitor it.',
    edit: 'Edit',
    editIncident: 'Edit name and impact',
    editMaintenance: 'Edit name, times and components',
    editHint: 'Subscribers won’t be notified.',
    save: 'Save changes',
    more: 'More actions',
    openFor: (p: { length: string }) => `Open for ${p.length}`,
    deleteIncident: 'Delete incident',
    deleteMaintenance: 'Delete maintenance',
    about: { created: 'Created', updates: 'Updates', affected: 'Affected components' },
    deletePoints: {
      incident: [
        'The incident and its updates leave the status page, its history and feeds.',
        'Its downtime no longer counts toward uptime.',
        'Nobody is emailed. Emails already sent can’t be taken back.',
        'To keep it in the history, resolve it instead.',
      ],
      maintenance: [
        'The maintenance and its updates leave the status page, its history and feeds.',
        'Nobody is emailed. Emails already sent can’t be taken back.',
        'To keep it in the history, end it instead.',
      ],
    },
    deleteWarning: 'This can’t be undone.',
  },
  list: {
    incidents: 'Incidents',
    maintenance: 'Maintenance',
    title: 'Incidents and maintenance',
    tabs: 'Type',
    incidentsCaption: 'Incidents, newest first',
    maintenanceCaption: 'Maintenance, newest first',
    columns: {
      name: 'Name',
      status: 'Status',
      impact: 'Impact',
      affected: 'Affected',
      started: 'Started',
      window: 'Window',
      duration: 'Duration',
    },
    soFar: (p: { length: string }) => `${p.length} so far`,
    noIncidents: 'No incidents yet',
    noMaintenance: 'No maintenance yet',
    shown: (p: { count: number }) => `${plural(p.count, 'entry', 'entries')} on this page`,
  },
  subscribers: {
    title: 'Subscribers',
    confirmed: (p: { count: number }) => plural(p.count, 'confirmed subscriber'),
    email: 'Search by email address',
    remove: 'Remove',
    caption: 'Subscribers, newest first',
    columns: { email: 'Email', subscribed: 'Subscribed', actions: 'Actions' },
    statusPending: 'Not confirmed',
    none: 'No subscribers yet',
    noMatch: 'No subscriber has this address.',
    tooLate: 'It’s too late to undo this. Ask the person to subscribe again.',
    publicPage: 'Open the public page to subscribe',
    shown: (p: { count: number }) => `${plural(p.count, 'address', 'addresses')} on this page`,
  },
  notices: {
    opened: 'Incident opened and published. Subscribers are being emailed.',
    planned: 'Maintenance scheduled. It starts and ends automatically.',
    updated: 'Update published. Subscribers are being emailed.',
    resolved: 'Incident resolved.',
    changed: 'Changes saved.',
    incident_deleted: 'Incident deleted.',
    maintenance_deleted: 'Maintenance deleted.',
    component_added: 'Check added. The first result appears within a minute.',
    component_changed: 'Changes saved.',
    component_archived: 'Check archived.',
    subscriber_removed: 'Subscriber removed.',
    subscriber_restored: 'Subscriber restored.',
  },
  undoImpact: (p: { impact: string }) => `Undo: set impact back to ${p.impact}`,
  noComponent: 'There is no component with this ID.',
};
