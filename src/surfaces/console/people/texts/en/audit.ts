import { plural } from '../../../components/number-format.ts';

/** The audit log. */
export const audit = {
  title: 'Audit log',
  entries: 'What happened',
  shown: (p: { count: number; lines: number }) =>
    p.lines === p.count
      ? `${plural(p.count, 'entry', 'entries')} on this page, newest first`
      : `${plural(p.count, 'entry', 'entries')} in ${plural(p.lines, 'line')} on this page`,
  filters: {
    label: 'Audit log',
    action: 'Action',
    any: 'Any',
    group: (p: { group: string }) => `${p.group}: all`,
    person: 'Person',
    personHint: 'Name or email',
    /** The kind of search results that are suggested. */
    suggested: 'Users',
    outcome: 'Outcome',
    since: 'From',
    until: 'To',
    apply: 'Apply',
    chips: 'Filters',
    remove: 'Remove filter:',
    chip: (p: { name: string; value: string }) => `${p.name}: ${p.value}`,
    chipNames: {
      person: 'Person',
      action: 'Action',
      actor_id: 'Actor',
      target_id: 'Target',
      outcome: 'Outcome',
      since: 'From',
      until: 'To',
    },
  },
  people: {
    title: (p: { text: string }) => `Who is “${p.text}”?`,
    none: 'Nobody with this name or address has an account.',
  },
  outcomes: { success: 'Success', failure: 'Failed', denied: 'Refused' },
  noMatch: 'No entries match these filters.',
  none: 'No entries yet. Every change is recorded here.',
  kept: 'Entries are kept for 400 days. From and To are days in UTC.',
  adminKey: 'Admin API key',
  user: (p: { id: string }) => `User ${p.id}…`,
  details: {
    time: 'Time',
    who: 'Who',
    what: 'What',
    outcome: 'Outcome',
    reason: 'Reason',
    meaning: 'What it means',
    address: 'From',
    place: (p: { country: string; address: string }) => `${p.country}, ${p.address}`,
    noAddress: 'No IP address is stored',
    technical: 'Identifiers',
    /** Before what happened to the same thing earlier and later. */
    around: (p: { name: string }) => `Before and after: ${p.name}`,
    all: (p: { name: string }) => `Show everything about ${p.name}`,
    action: 'Action',
    request: 'Request ID',
    entry: 'Entry ID',
    similar: 'Show all entries of this kind',
    /** Names of details, where the member's own says too little. */
    names: {
      to: 'After',
      from: 'Before',
      amr: 'Signed in with',
      changed: 'Changed',
      fields: 'Changed',
    },
    values: {
      cleared: 'approved',
      unknown: 'new',
      pending: 'waiting for approval',
      revoked: 'removed',
      otp: 'one-time code',
      dev: 'development sign-in',
      totp: 'authenticator app',
      backup_code: 'backup code',
    },
    empty: 'None',
    yes: 'Yes',
    no: 'No',
  },
};
