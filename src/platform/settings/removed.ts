import type { ConfigMistake } from '../../config.ts';
import type { Environment } from './given-settings.ts';

/** A setting of earlier versions. */
interface Removed {
  variable: string;
  /** The values that mean what the service does now, and may stay in a file of settings. */
  kept: readonly string[];
  message: string;
}

const removed: readonly Removed[] = [
  {
    variable: 'DEVICE_CLEARANCE',
    kept: ['four_eyes'],
    message:
      'was removed: people can no longer approve their own devices. Unset it. With a single ' +
      'admin, set ADMIN_API_KEY and approve devices with it.',
  },
  {
    variable: 'OTP_PREFIX_LIMIT',
    kept: ['20'],
    message: 'was removed: the limit is 20 codes an hour. Unset it.',
  },
  {
    variable: 'WAITLIST_POINTS',
    kept: ['10'],
    message: 'was removed: a referral is worth 10 points. Unset it.',
  },
  {
    variable: 'DEDUPE_MEMORY_LIMIT',
    kept: ['268435456', '262144KiB', '256MiB'],
    message: 'was removed: the limit is 256 MiB. Unset it.',
  },
  {
    variable: 'MCP_CONFORMANCE',
    kept: ['off', '0', 'false', 'no', 'n', 'disabled'],
    message: 'was removed: the conformance suite runs with the tests. Unset it.',
  },
];

/** Returns a mistake for each setting that would silently mean something else than it says. */
export const removedSettings = (given: Environment): ConfigMistake[] =>
  removed
    .filter(({ variable, kept }) => {
      const value = given[variable];
      return value !== undefined && !kept.includes(value);
    })
    .map(({ variable, message }) => ({ variable, message }));
