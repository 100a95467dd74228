import { defineErrors } from '../../platform/errors/errors.ts';

export const paymentErrors = defineErrors('payments', {
  not_configured: [503, 'Payment webhooks are not configured on this service.'],
  signature_invalid: [
    400,
    'The signature is missing, wrong or too old. Sign the exact bytes of the body with ' +
      'the current secret.',
  ],
  event_invalid: [400, 'The body is not a valid event.'],
  not_failed: [409, 'Only events whose handling failed can be retried.'],
});
