import { defineErrors } from '../../../platform/errors/errors.ts';

export const subscriptionErrors = defineErrors('status', {
  email_not_configured: [
    503,
    'This service sends no e-mail, so there are no updates by it. Follow a feed instead.',
  ],
  address_invalid: [
    422,
    'This is no e-mail address. One looks like name@example.com.',
    ['body', 'email'],
  ],
  too_many_subscriptions: [
    429,
    'Too many updates by e-mail were asked for from your address today. ' +
      'Try again tomorrow, or follow a feed.',
  ],
  link_invalid: [
    410,
    'This link is not valid any more. Links to confirm work for 24 hours; ask again.',
  ],
});
