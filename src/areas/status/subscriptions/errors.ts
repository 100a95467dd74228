import { defineErrors } from '../../../platform/errors/errors.ts';

export const subscriptionErrors = defineErrors('status', {
  email_not_configured: [503, 'Email is not configured on this service. Follow a feed instead.'],
  address_invalid: [
    422,
    'Enter a complete email address, such as name@example.com.',
    ['body', 'email'],
  ],
  too_many_subscriptions: [
    429,
    'Too many email subscriptions were requested from your address today. Try again ' +
      'tomorrow, or follow a feed.',
  ],
  link_invalid: [
    410,
    'This link is no longer valid. Confirmation links work for 24 hours; subscribe again.',
  ],
});
