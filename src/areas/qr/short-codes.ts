import { randomInt } from 'node:crypto';

// Without letters and digits that look alike: 0 o, 1 i l.
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const length = 7;

/** Returns a new short code: 34 random bits, easy to read and type. */
export const newShortCode = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
