import { defineErrors } from '../../platform/errors/errors.ts';

/**
 * Errors of every kind of one-time code. Wrong, expired, used and unknown codes share one response.
 */
export const codeErrors = defineErrors('otp', {
  invalid: [400, 'Invalid or expired code'],
  too_many_attempts: [429, 'Too many attempts. Try again later.'],
});
