import {
  type AreaPersonalData,
  isAddressOf,
  isMailboxOf,
  personalRows,
} from '../../platform/database/personal-data.ts';

export const signupPersonalData: AreaPersonalData = {
  area: 'signup',
  rows: [
    personalRows({
      table: 'signups',
      title: 'signups',
      about: 'Sign-ups with your email addresses, and what was entered in them.',
      names: ['email', 'name', 'company', 'phone'],
      of: (person) => isAddressOf('email', person),
      shows: [
        'email',
        'name',
        'company',
        'phone',
        'plan',
        'referral_code',
        'consent_at',
        'created_at',
        'confirmed_at',
        'last_asked_at',
      ],
      key: 'id',
      onDeletion: { action: 'delete', of: (person) => isMailboxOf('email', person) },
    }),
  ],
};
