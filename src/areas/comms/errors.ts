import { defineErrors } from '../../platform/errors/errors.ts';

export const commsErrors = defineErrors('comms', {
  not_configured: [503, 'This service cannot send messages of this kind.'],
  recipient_invalid: [400, 'Messages of this kind cannot be sent to this recipient.'],
});
