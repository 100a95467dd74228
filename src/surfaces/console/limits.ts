import { limit } from '../../platform/http/rate-limit.ts';

/** For pages that are looked at: with live parts, several tabs and several people behind one address. */
export const looks = { rateLimit: limit({ max: 600, seconds: 60, group: 'console' }) };

/** For forms that change something. */
export const changes = { rateLimit: limit({ max: 120, seconds: 60, group: 'console-changes' }) };

/** For files of many rows, each of which keeps a store busy for long: as the API's export. */
export const takes = { rateLimit: limit({ max: 30, seconds: 60, group: 'console-export' }) };
