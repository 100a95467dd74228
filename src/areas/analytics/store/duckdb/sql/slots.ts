/** 15 minutes: the UTC offset of every time zone in use is a multiple of it. */
export const slotMs = 900_000;
