import { limit } from '../http/limits/rate-limit.ts';

/** The limits of the routes of resources, for one client. */
export const resourceLimits = {
  read: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) },
  write: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true, withCredential: 6000 }) },
  file: { rateLimit: limit({ max: 20, seconds: 60, failOpen: true }) },
};
