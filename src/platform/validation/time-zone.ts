import { IANAZone } from 'luxon';
import { z } from 'zod';

/** The IANA name of a time zone. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(
    (zone) => IANAZone.isValidZone(zone),
    'unknown time zone; use an IANA name such as Europe/Berlin',
  );
