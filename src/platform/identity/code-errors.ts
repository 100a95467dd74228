import { defineErrors } from '../errors/errors.ts';

/** One-time codes of every kind: wrong, expired, used and unknown ones get the same answer. */
export const codeErrors = defineErrors('otp', {
  invalid: [400, 'Invalid or expired code'],
  too_many_attempts: [429, 'Too many attempts. Try again later.'],
});
