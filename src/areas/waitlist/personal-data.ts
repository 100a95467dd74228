import {
  type AreaPersonalData,
  isAddressOf,
  isMailboxOf,
  personalRows,
} from '../../platform/database/personal-data.ts';

export const waitlistPersonalData: AreaPersonalData = {
  area: 'waitlist',
  rows: [
    personalRows({
      table: 'waitlist_entries',
      title: 'waitlist_entries',
      about: 'Waitlist entries with your email addresses, and what was entered in them.',
      names: ['email', 'name'],
      of: (person) => isAddressOf('email', person),
      shows: [
        'email',
        'name',
        'metadata',
        'status',
        'source',
        'score',
        'amount_referred',
        'referral_code',
        'network',
        'consent_version',
        'consent_at',
        'created_at',
        'verified_at',
        'verified_network',
        'verified_because',
        'approved_at',
        'invited_at',
        'denied_at',
        'joined_at',
      ],
      key: 'id',
      // Scores of referrers follow within a day.
      onDeletion: { action: 'delete', of: (person) => isMailboxOf('email', person) },
    }),
  ],
  namesNobody: {
    'waitlist_entries.referred_by': 'the entry of someone else, who is not a user',
  },
};
