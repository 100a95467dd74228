/**
 * Replaces the no-break and thin spaces that `Intl` writes: in an SMS they take twice the segments,
 * and programs do not find them in CSV.
 */
export const plainSpaces = (text: string): string => text.replace(/[\u00a0\u2009\u202f]/g, ' ');
