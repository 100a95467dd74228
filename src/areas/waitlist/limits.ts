import { limited } from '../../platform/operations/limits.ts';

/** For bodies, in bytes. */
export const bodyLimit = 16 * 1024;

/** The limits of what everybody may do, for one client. */
export const limits = {
  join: limited({ max: 10, seconds: 600, group: 'waitlist' }),
  verify: limited({ max: 60, seconds: 300, group: 'waitlist-verify' }),
  read: limited({ max: 120, seconds: 60, failOpen: true, group: 'waitlist-read' }),
  // Leaving must work even while Redis is unavailable.
  leave: limited({ max: 120, seconds: 60, failOpen: true, group: 'waitlist-leave' }),
};
