/** Characters of a random short code. */
export const codeLength = 7;
