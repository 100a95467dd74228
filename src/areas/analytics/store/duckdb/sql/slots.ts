/** Milliseconds of a quarter of an hour: every time zone in use is a multiple of it from UTC. */
export const slotMs = 900_000;
