import { limited } from '../../../platform/operations/limits.ts';

/** Maximum size of a body in bytes. */
export const bodyLimit = 8 * 1024;

/** Each of these is one counter for all operations that have it. */
export const deviceLimits = {
  read: limited({ max: 120, seconds: 60, group: 'devices' }),
  change: limited({ max: 30, seconds: 300, group: 'device-changes' }),
  admin: limited({ max: 120, seconds: 60, group: 'device-admin' }),
};
