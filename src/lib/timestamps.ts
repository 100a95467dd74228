const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Whether an instant (Unix ms) lies in the years 1 to 9999 of UTC: others have no four digits, as
 * RFC 3339 and PostgreSQL want them. An offset can lead out of them.
 */
export const hasFourDigitYear = (ms: number): boolean => ms >= first && ms <= last;
