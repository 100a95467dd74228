import type { IncomingHttpHeaders } from 'node:http';

/** Whether a browser fetches a link ahead (`Sec-Purpose`, and the headers before it). */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  /\b(?:prefetch|preview)\b/i.test(
    [headers['sec-purpose'], headers.purpose, headers['x-moz']].flat().join(' '),
  );
