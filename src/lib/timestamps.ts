const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * True when an instant (Unix ms) is in the years 1 to 9999 of UTC. RFC 3339 and PostgreSQL require
 * four digits, and a UTC offset can lead out of this range.
 */
export const hasFourDigitYear = (ms: number): boolean => ms >= first && ms <= last;
