import { z } from 'zod';
import { bytes, integer, onOff } from './value-schemas.ts';

/** Settings of events, sites and the journal. */
export const analyticsSettings = {
  ANALYTICS: onOff
    .default(true)
    .describe(
      '`off`: this replica accepts no events, returns 503 for analytics queries and ' +
        'sends no reports. Another replica must run analytics. See docs/operations.md.',
    ),
  SITE_REGISTRATION: z
    .enum(['open', 'closed'])
    .optional()
    .describe(
      '`open`: an unknown site_id is registered with its first event; without an API ' +
        'key, up to 20 per day from each IP address. `closed`: events with an unknown ' +
        'site_id are rejected. Unset: as an admin has chosen in the console (Settings, ' +
        'Analytics); until then closed in production, otherwise open.',
    ),
  SITE_LIMIT: integer(1, 100_000)
    .default(1000)
    .describe('Maximum number of sites that automatic registration can create.'),
  QUERY_TIMEOUT_SECONDS: integer(1, 100)
    .default(10)
    .describe(
      'Maximum time that an analytics query can wait to start. The same limit then ' +
        'applies to its running time. A query that exceeds either is canceled with 503. ' +
        'Exports can run as long as they make progress.',
    ),
  STORED_BYTES_PER_ADDRESS: bytes
    .default(128 * 1024 ** 2)
    .describe(
      'Maximum bytes of events per IP address (IPv6: /64) and day (UTC), for events sent ' +
        'without an API key. The default is enough for about 400,000 page views. 0: no limit.',
    ),
  STORED_BYTES_PER_SITE: bytes
    .default(2 * 1024 ** 3)
    .describe(
      'Maximum bytes of events per site and day (UTC), for events sent without an API ' +
        'key. The default is enough for about six million page views. 0: no limit.',
    ),
  DEDUPE_WINDOW_HOURS: integer(1, 168)
    .default(24)
    .describe('How long event ids from clients are remembered to detect duplicates, in hours.'),
  JOURNAL_SEGMENT_SIZE: bytes
    .default(32 * 1024 ** 2)
    .describe('Size at which the journal starts a new segment file.'),
  JOURNAL_BACKLOG_LIMIT: bytes
    .default(1024 ** 3)
    .describe(
      'Maximum size of journal data waiting for the event store. Above this size, event ' +
        'endpoints return 503.',
    ),
};
