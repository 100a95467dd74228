import { limit } from '../../platform/http/limits/rate-limit.ts';

/** High, because pages reload their live parts, in several tabs and behind shared addresses. */
export const pageLimit = { rateLimit: limit({ max: 600, seconds: 60, group: 'console' }) };

/** Forms that change something. */
export const formLimit = { rateLimit: limit({ max: 120, seconds: 60, group: 'console-changes' }) };

/** The same limit as the calls of the API that read or draw thousands of entries. */
export const fileLimit = { rateLimit: limit({ max: 20, seconds: 60, group: 'console-files' }) };

/** The same limit as the export of the API: exports keep the event store busy. */
export const exportLimit = { rateLimit: limit({ max: 30, seconds: 60, group: 'console-export' }) };
