/** Texts of the list of QR codes. */
export const listTexts = {
  list: {
    title: 'QR codes',
    add: 'New QR code',
    files: 'Upload a file',
    logos: 'Logos',
    labels: 'Labels',
    search: 'Search name, short link, target or campaign',
    select: (p: { name: string }) => `Select ${p.name}`,
    columns: { name: 'Code', target: 'Leads to', scans: 'Scans', status: 'Status' },
    trend: 'Scans in the last 30 days',
    noFigures: 'Not available',
    notCounted: 'Not counted',
    fixed: 'Fixed',
    active: { true: 'Active', false: 'Paused' },
    campaign: (p: { campaign: string }) => `Campaign ${p.campaign}`,
    ofFile: 'From one file',
    withLogo: 'With one logo',
    filter: {
      any: 'Any',
      type: 'Type',
      status: 'Status',
      campaign: 'Campaign',
      site: 'Site',
      sort: 'Order',
    },
    sorts: { newest: 'Newest first', changed: 'Recently changed', name: 'Name' },
    bulk: {
      pictures: 'Download pictures',
      labels: 'Download labels',
      pause: 'Pause',
      delete: 'Delete',
    },
    chooseFirst: 'select a code first',
    noMatch: 'No codes match.',
    showAll: 'Show all codes',
    none: 'Create a code for a menu, a poster or a Wi-Fi. Change where it leads at any time.',
    shown: (p: { count: string }) => `${p.count} on this page`,
    notices: {
      paused: 'Codes paused.',
      resumed: 'Codes resumed.',
      deleted: 'Deleted. The printed codes no longer lead anywhere.',
    },
  },
  deletion: {
    title: (p: { codes: number; count: string }) =>
      p.codes === 1 ? 'Delete 1 code' : `Delete ${p.count} codes`,
    lead: 'Printed copies of these codes stop working. This can’t be undone.',
    code: (p: { name: string; scans: string }) =>
      p.scans === '0' ? p.name : `${p.name} (${p.scans} scans)`,
    confirm: (p: { word: string }) => `Type ${p.word} to confirm`,
  },
} as const;
