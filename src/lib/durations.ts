/** Milliseconds in a minute. */
export const minuteMs = 60_000;

/** Milliseconds in an hour. */
export const hourMs = 3_600_000;

/**
 * Milliseconds in 24 hours: not a calendar day, which daylight saving time may shorten or lengthen.
 */
export const dayMs = 86_400_000;
