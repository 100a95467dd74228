import { defineErrors } from '../../platform/errors/errors.ts';

export const signupErrors = defineErrors('signup', {
  email_not_configured: [
    503,
    'Sign-up is closed because this service cannot send email. Ask an admin for access.',
  ],
  link_invalid: [
    410,
    'This link is no longer valid: each link works only once and expires after 24 hours. ' +
      'If you have confirmed your address, sign in; otherwise sign up again.',
  ],
  not_found: [404, 'No sign-up has this id.'],
});
