/** Milliseconds in a minute. */
export const minuteMs = 60_000;

/** Milliseconds in an hour. */
export const hourMs = 3_600_000;

/** Milliseconds in 24 hours. A calendar day may be shorter or longer. */
export const dayMs = 86_400_000;
