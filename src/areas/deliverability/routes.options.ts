import { limit } from '../../platform/http/limits/rate-limit.ts';

/** Options shared by the admin routes for delivery zones. */
export const tags = ['deliverability'];
export const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
/** For the body of one zone, in bytes. */
export const bodyLimit = 512 * 1024;
