import { limit } from '../../platform/http/limits/rate-limit.ts';

/** Pages reload their live parts, in several tabs and for several people behind one address. */
export const pageLimit = { rateLimit: limit({ max: 600, seconds: 60, group: 'console' }) };

/** Forms that change something. */
export const formLimit = { rateLimit: limit({ max: 120, seconds: 60, group: 'console-changes' }) };

/** Files of events keep the event store busy: the same limit as the export of the API. */
export const exportLimit = { rateLimit: limit({ max: 30, seconds: 60, group: 'console-export' }) };
