/** Texts that all pages of the console share. */
export const texts = {
  layout: {
    title: (p: { page: string; appName: string }) => `${p.page} – ${p.appName} console`,
    errorTitle: (p: { page: string; appName: string }) => `Error: ${p.page} – ${p.appName} console`,
    skip: 'Skip to content',
    menu: 'Menu',
    menuLabel: 'Console',
  },
  person: {
    unnamed: 'You',
    admin: 'Admin',
    viewer: 'Viewer',
    account: 'Your account',
    devices: 'Your devices',
    signOut: 'Sign out',
  },
  search: {
    label: 'Search the console',
    placeholder: 'Search (/)',
    submit: 'Search',
    title: 'Search',
    noQuery: 'Enter a search term',
    one: (p: { text: string }) => `1 result for “${p.text}”`,
    many: (p: { count: string; text: string }) => `${p.count} results for “${p.text}”`,
    hintForAdmins:
      'Search finds pages, sites, incidents, people, devices and API keys. ' +
      'People and devices match by the start of their name.',
    hintForViewers: 'Search finds pages, sites and incidents by name.',
    user: 'user',
    site: 'site',
    device: (p: { state: string }) => `device, ${p.state}`,
    key: 'API key',
    revokedKey: 'API key, revoked',
    incident: (p: { status: string }) => `incident, ${p.status}`,
  },
  palette: {
    open: 'Go to',
    label: 'Go to a page, person or device',
    placeholder: 'Go to…',
    list: 'Places',
    statusPage: { name: 'Public status page', hint: 'Status as customers see it' },
    account: { name: 'Your account', hint: 'Sessions and 2FA' },
    reference: { name: 'API reference', hint: 'All API operations' },
    guides: { name: 'Guides', hint: 'Step-by-step instructions' },
  },
  sections: {
    overview: { name: 'Overview', hint: 'Current state of the service' },
    analytics: { name: 'Analytics', hint: 'Visitors, pages, sources, goals' },
    users: { name: 'Users', hint: 'People, roles and sessions' },
    devices: { name: 'Devices', hint: 'Approve and manage devices' },
    status: { name: 'Status', hint: 'Components, incidents, maintenance' },
    jobs: { name: 'Jobs', hint: 'Background jobs: retry, cancel' },
    keys: { name: 'API keys', hint: 'Keys and webhooks' },
    realtime: { name: 'Realtime', hint: 'Inspect channels' },
    audit: { name: 'Audit log', hint: 'Every change, by person and time' },
    settings: { name: 'Settings', hint: 'Current configuration' },
  },
  pager: { label: 'Pagination', first: 'First page', next: 'Next page' },
  time: { never: 'Never' },
  table: { region: (p: { caption: string }) => `${p.caption}, table` },
  confirm: { label: (p: { word: string }) => `Type ${p.word} to confirm` },
  export: { file: (p: { format: string }) => `Export ${p.format}` },
  forms: {
    invalid: (p: { problems: string }) => `Nothing was changed. ${p.problems}`,
    wordMissing: (p: { word: string }) => `Nothing was changed. Type ${p.word} to confirm.`,
  },
  errors: {
    back: 'Go to overview',
    deviceNotProven:
      'Your browser couldn’t prove its identity. Check that its clock is right, ' +
      'reload the page and try again.',
  },
};
