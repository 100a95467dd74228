import { defineErrors } from '../../platform/errors/errors.ts';

export const commsErrors = defineErrors('comms', {
  not_configured: [503, 'This service is not configured to send messages of this kind.'],
  recipient_invalid: [
    400,
    'This recipient cannot receive messages of this kind. Check the email address or phone ' +
      'number.',
  ],
});
