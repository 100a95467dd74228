import { defineErrors } from '../../platform/errors/errors.ts';

export const paymentErrors = defineErrors('payments', {
  not_configured: [503, 'This service is not set up to hear of payments.'],
  signature_invalid: [400, 'The signature is missing, wrong or too old.'],
  event_invalid: [400, 'The body is not an event.'],
  not_failed: [409, 'Only an event whose handling has failed is handled again.'],
});
