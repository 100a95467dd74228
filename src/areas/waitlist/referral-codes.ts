import { randomBytes } from 'node:crypto';

// Crockford's base 32 without its letters that look like digits, in lower case.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 10;

/** Returns a new referral code: 50 random bits, easy to read out. */
export const newReferralCode = (): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
