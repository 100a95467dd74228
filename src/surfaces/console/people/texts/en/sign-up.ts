/** The page of a sign-up. */
export const signUp = {
  title: 'Sign-up',
  filter: { label: 'Address', all: 'All' },
  since: 'Signed up <time></time>',
  account: 'Account',
  none: 'None yet. The first sign-in creates it.',
  confirmed: 'Address confirmed',
  unconfirmed: 'Not yet. After a week, the sign-up is deleted.',
  consent: 'Terms and privacy policy',
  agreed: 'Agreed <time></time>',
  noConsent: 'Not agreed',
  viewUser: 'View user',
};
