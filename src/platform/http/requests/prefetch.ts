import type { IncomingHttpHeaders } from 'node:http';

/** Whether a browser fetches a link ahead, which nobody may follow (`Sec-Purpose`, and older ones). */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  /\b(?:prefetch|preview)\b/i.test(
    [headers['sec-purpose'], headers.purpose, headers['x-moz']].flat().join(' '),
  );
