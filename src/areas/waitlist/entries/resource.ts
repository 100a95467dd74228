import { defineResource } from '../../../platform/resource/resource.ts';
import { EntryBody, EntryChangeBody, entryFilters, EntryView } from './schemas.ts';
import { texts } from '../texts/en.ts';

/** People on the waitlist, for admins. */
export const waitlistEntries = defineResource({
  name: 'waitlistEntries',
  type: 'WaitlistEntry',
  path: '/api/v2/waitlist/entries',
  tag: 'waitlist',
  scope: 'admin',
  view: EntryView,
  create: EntryBody,
  update: EntryChangeBody,
  filters: entryFilters,
  sorts: ['-created_at', '-score', 'email'],
  searches: 'email and name',
  notFound: 'waitlist.entry_not_found',
  errors: {
    create: ['waitlist.entry_exists', 'waitlist.email_not_configured'],
    update: [
      'waitlist.not_verified',
      'waitlist.already_joined',
      'waitlist.credit_fixed',
      'waitlist.status_fixed',
      'waitlist.email_not_configured',
    ],
  },
  detailsOnly: ['metadata', 'network', 'verified_network', 'consent_version', 'referred_by'],
  columns: ['email', 'name', 'status', 'score', 'amount_referred', 'source', 'created_at'],
  tones: {
    status: { pending: 'warn', verified: 'info', approved: 'ok', denied: 'bad', joined: 'ok' },
  },
  consoleList: 'waitlist/entries',
  entryPage: 'waitlist',
  texts: texts.entries,
});
