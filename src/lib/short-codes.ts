import { randomInt } from 'node:crypto';

// Without letters and digits that look alike: 0 and o, 1, i and l, u and v.
const alphabet = '23456789abcdefghjkmnpqrstwxyz';

/** Returns a random code, easy to read out and to type: almost five bits for each character. */
export const newShortCode = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
