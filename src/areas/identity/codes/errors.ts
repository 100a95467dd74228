import { defineErrors } from '../../../platform/errors/errors.ts';

export const otpErrors = defineErrors('otp', {
  rate_limited: [429, 'Too many codes were requested. Try again later.'],
  budget: [
    503,
    'No more codes can be sent today. Try again tomorrow, or use another sign-in method.',
  ],
});
