import { z } from 'zod';
import { bytes, integer, onOff } from './value-schemas.ts';

/** Settings of events, sites and the journal. */
export const analyticsSettings = {
  ANALYTICS: onOff
    .default(true)
    .describe(
      '`off`: this replica takes no events, answers no question about figures (503), and sends ' +
        'no reports: another replica does. See docs/operations.md.',
    ),
  SITE_REGISTRATION: z
    .enum(['open', 'closed'])
    .optional()
    .describe(
      '`open`: an unknown site_id is registered when its first event arrives, at most 20 a day ' +
        'from one address without an API key. `closed`: it is refused. Unset: closed in ' +
        'production, open elsewhere.',
    ),
  SITE_LIMIT: integer(1, 100_000)
    .default(1000)
    .describe('Most sites that open registration may create.'),
  QUESTION_DEADLINE_SECONDS: integer(1, 100)
    .default(10)
    .describe(
      'How long a question about figures may wait for its turn, and then run. Later it is ' +
        'given up with 503. Exports may take as long as they make progress.',
    ),
  STORED_BYTES_PER_ADDRESS: bytes
    .default(128 * 1024 ** 2)
    .describe(
      'Bytes of events that one address (IPv6: one /64) may bring in a day (UTC) without an ' +
        'API key: some 400,000 page views. 0: any number.',
    ),
  STORED_BYTES_PER_SITE: bytes
    .default(2 * 1024 ** 3)
    .describe(
      'Bytes of events that one site may get in a day (UTC) without an API key: some six ' +
        'million page views. 0: any number.',
    ),
  DEDUPE_WINDOW_HOURS: integer(1, 168)
    .default(24)
    .describe('How long a client-supplied event id is remembered, in hours.'),
  DEDUPE_MEMORY_LIMIT: bytes
    .refine((size) => size >= 1024 ** 2, 'must be at least 1MiB')
    .default(256 * 1024 ** 2)
    .describe(
      'Most memory for those ids, about 30 bytes each. When it is full, the site with the most ' +
        'ids loses its oldest ones first.',
    ),
  JOURNAL_SEGMENT_SIZE: bytes
    .default(32 * 1024 ** 2)
    .describe('Size at which the journal begins a new segment file.'),
  JOURNAL_BACKLOG_LIMIT: bytes
    .default(1024 ** 3)
    .describe('Most journal bytes that may wait for the event store; above it ingest answers 503.'),
};
