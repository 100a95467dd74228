import type { IncomingHttpHeaders } from 'node:http';

const names = ['sec-purpose', 'purpose', 'x-moz'] as const;

/** Whether a browser fetches a link ahead (`Sec-Purpose`, and the headers before it). */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  names.some((name) => {
    const value = headers[name];
    return value !== undefined && /\b(?:prefetch|preview)\b/i.test(String(value));
  });
