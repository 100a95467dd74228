import { defineErrors } from '../../platform/errors/errors.ts';

export const signupErrors = defineErrors('signup', {
  email_not_configured: [
    503,
    'This service sends no e-mail, so nobody can sign up here. Ask whoever runs it for access.',
  ],
  link_invalid: [
    410,
    'This link is not valid any more: it works once, within 24 hours. Whoever has confirmed ' +
      'already can sign in; else sign up again.',
  ],
  not_found: [404, 'There is no signup with this id.'],
});
