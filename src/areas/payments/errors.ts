import { defineErrors } from '../../platform/errors/errors.ts';

export const paymentErrors = defineErrors('payments', {
  not_configured: [
    503,
    'Payment webhooks are not configured on this service. An admin can set ' +
      'PAYMENTS_WEBHOOK_SECRET.',
  ],
  signature_invalid: [
    400,
    'The signature is missing, wrong or too old. Sign the exact bytes of the body with ' +
      'the current secret.',
  ],
  event_invalid: [
    400,
    'The body is not a valid Stripe event. Send the event as JSON, exactly as Stripe ' +
      'created it.',
  ],
  not_failed: [409, 'Only events whose handling failed can be retried.'],
});
