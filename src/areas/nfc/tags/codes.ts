import { randomInt } from 'node:crypto';

// Without letters and digits that look alike: 0 and o, 1, i and l, u and v.
const alphabet = '23456789abcdefghjkmnpqrstwxyz';
const length = 8;

/** Returns a random code of 8 characters: 38 bits, easy to read out and to type. */
export const newCode = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
