import { z } from 'zod';
import { noControls } from '../../../lib/text/text-patterns.ts';
import { dayMs } from '../../../lib/durations.ts';
import { instant, unixTime } from '../../../platform/validation/instants.ts';
import { SiteKey } from '../../../platform/validation/site-key.ts';

const text = (max: number) => z.string().max(max).regex(noControls);
/** What a page sends for a person that it does not know. */
const anonymousWords = ['null', 'undefined', 'anonymous', '0'];
// Documented as `not`: many generators of clients have no look-ahead in patterns.
const personId = text(255)
  .min(1)
  .refine((id) => !anonymousWords.includes(id), 'must be the id of a person')
  .meta({ not: { enum: anonymousWords } });

/** Field names of other trackers. */
const aliases: Readonly<Record<string, string>> = {
  n: 'event',
  name: 'event',
  u: 'url',
  d: 'site_id',
  domain: 'site_id',
  website: 'site_id',
  r: 'referrer',
  p: 'props',
};

function resolveAliases(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  let copy: Record<string, unknown> | undefined;
  for (const key in input) {
    const name = aliases[key];
    if (name === undefined || name in input || (copy !== undefined && name in copy)) continue;
    copy ??= { ...input };
    copy[name] = copy[key];
  }
  return copy ?? input;
}

export const EventFields = z
  .object({
    event: text(120).trim().min(1).describe('Name of the event. `pageview` is a page view.'),
    url: z.string().min(1).max(2048).describe('Path of the page, or its absolute http(s) URL.'),
    site_id: SiteKey.describe('The site the event belongs to.'),
    id: z
      .uuid()
      .optional()
      .describe('Makes retries safe: an id counts once per site. UUID, preferably version 7.'),
    timestamp: z
      .union([instant(), unixTime()])
      .optional()
      .describe(
        'Time of the event: RFC 3339 or Unix milliseconds (seconds, microseconds and ' +
          'nanoseconds are recognized by their magnitude). At most 72 hours ago without an API ' +
          'key.',
      ),
    referrer: z.string().max(8192).nullish(),
    title: z.string().max(8192).nullish(),
    props: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('Up to 30 custom properties: strings, numbers or booleans.'),
    revenue: z
      .object({
        amount: z.union([
          z.number().min(-99_999_999_999_999).max(99_999_999_999_999),
          z.string().regex(/^-?\d{1,14}(\.\d{1,4})?$/),
        ]),
        currency: z.string().regex(/^[A-Z]{3}$/),
      })
      .nullish(),
    user_id: personId.nullish(),
    anonymous_id: personId.nullish(),
    session_id: text(64).min(1).nullish(),
    screen: z.string().max(11).nullish(),
    language: z.string().max(35).nullish(),
    interactive: z
      .boolean()
      .nullish()
      .describe(
        'If false, a visit with this event can still count as a bounce. Always false for ' +
          '`engagement` and `web_vitals`.',
      ),
    scroll_depth: z.number().min(0).max(100).nullish(),
    engagement_ms: z.number().min(0).max(dayMs).nullish(),
    lcp: z.number().min(0).max(60_000).nullish(),
    inp: z.number().min(0).max(60_000).nullish(),
    fcp: z.number().min(0).max(60_000).nullish(),
    ttfb: z.number().min(0).max(60_000).nullish(),
    cls: z.number().min(0).max(100).nullish(),
    tag: text(50).nullish(),
    ip: z
      .union([z.ipv4(), z.ipv6()])
      .nullish()
      .describe('IP address of the visitor. Used only with an API key.'),
    user_agent: z.string().max(1024).nullish().describe('Used only with an API key.'),
    visitor_id: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .nullish()
      .describe(
        'Visitor id as in an export; sixteen zeros for an unrecognized visitor. Only ' +
          'with an API key. Replaces all data from the request.',
      ),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullish()
      .describe('ISO 3166-1 alpha-2. Only with an API key.'),
    browser: text(64)
      .nullish()
      .describe(
        'For imports without a user agent. This field and the next five are used only ' +
          'with an API key.',
      ),
    browser_version: text(32).nullish(),
    os: text(64).nullish(),
    os_version: text(32).nullish(),
    device: text(32).nullish(),
    bot: z.boolean().nullish(),
  })
  .meta({
    id: 'AnalyticsEvent',
    examples: [
      {
        event: 'pageview',
        url: 'https://example.com/pricing',
        site_id: 'example.com',
        referrer: 'https://news.example.org/',
      },
    ],
  });

export const EventInput = z.preprocess(resolveAliases, EventFields);
export type EventInput = z.output<typeof EventFields>;

const sentAt = z
  .union([instant(), unixTime()])
  .optional()
  .describe(
    "Time of the request on the client's clock. Used to correct clock skew in the timestamps.",
  );

export const BatchBody = z.object({
  events: z
    .array(z.unknown())
    .min(1)
    .meta({
      maxItems: 2000,
      description:
        'Each event has the same format as for /analytics/track/. Valid ones are stored ' +
        'even if others are invalid. At most 500 without an API key.',
      examples: [
        [
          { event: 'pageview', url: 'https://example.com/pricing', site_id: 'example.com' },
          { event: 'signup', url: '/welcome', site_id: 'example.com', props: { plan: 'team' } },
        ],
      ],
    }),
  sent_at: sentAt,
});

// A pixel request never fails: any query is accepted, and `readPixel` validates it.
const parameter = (text: string, example: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(text)
    .meta({ examples: [example] });

export const PixelParameters = z.object({
  site: parameter('The site.', 'example.com'),
  page: parameter('Path or URL of the page. Default: the Referer header.', '/pricing'),
  event: parameter('Name of the event. Default: `pageview`.', 'pageview'),
  id: parameter(
    'UUID of the event. An id is counted only once.',
    '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  ),
  referrer: parameter('Referrer of the page view.', 'https://news.example.org/'),
  title: parameter('Title of the page.', 'Pricing'),
});
export type PixelParameters = z.output<typeof PixelParameters>;

export const IngestResult = z
  .object({
    accepted: z.int(),
    duplicates: z.int(),
    rejected: z.array(
      z.object({
        index: z.int(),
        id: z.string().optional(),
        code: z.string(),
        message: z.string(),
        field: z.string().optional(),
      }),
    ),
    dropped: z.array(
      z.object({ index: z.int(), reason: z.string(), field: z.string().optional() }),
    ),
    request_id: z.string(),
  })
  .meta({
    id: 'IngestResult',
    description: 'How many events were accepted, and why others were rejected or dropped.',
    examples: [
      { accepted: 1, duplicates: 0, rejected: [], dropped: [], request_id: '0f4c1a52e1b76d38' },
    ],
  });
export type IngestResult = z.output<typeof IngestResult>;
