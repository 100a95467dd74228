import { z } from 'zod';
import { noControls } from '../../../lib/text/text-patterns.ts';
import { lineText, wellFormed } from '../../../platform/validation/text-schemas.ts';
import { isSegment, noSegment } from '../../../platform/validation/site-key.ts';
import { TimeZone } from '../../../platform/validation/time-zone.ts';
import { isPagePattern } from '../enrichment/typed-paths.ts';
import { canonicalHost, parseNetwork } from './rules.ts';

const SiteName = lineText(64)
  .refine(isSegment, noSegment)
  .meta({ examples: ['example.com'] });

export const SiteParams = z.object({ site_id: SiteName.describe('The site.') });

export const CreateSiteBody = z
  .strictObject({
    site_id: SiteName.describe('The site name that clients send with each event.'),
  })
  .meta({ id: 'CreateAnalyticsSite', examples: [{ site_id: 'example.com' }] });

const Host = z
  .string()
  .min(1)
  .max(253)
  .refine(
    (text) => canonicalHost(text) !== undefined,
    'must be a host name, or *. and one, without a port',
  )
  .meta({ examples: ['example.com'] });
const Address = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (text) => parseNetwork(text) !== undefined,
    'must be an IP address or a network such as 203.0.113.0/24',
  )
  .meta({ examples: ['203.0.113.0/24'] });
const Country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ examples: ['DE'] });
const Page = wellFormed(
  z
    .string()
    .max(500)
    .regex(noControls, 'must not have control characters')
    .refine(isPagePattern, 'must begin with / or *, or be an absolute URL'),
).meta({ examples: ['/admin/*'] });

const Shields = z.strictObject({
  ips: z
    .array(Address)
    .max(100)
    .optional()
    .describe(
      'Excluded IP addresses or networks (CIDR). Events sent with an API key are still ' +
        'accepted.',
    ),
  countries: z
    .array(Country)
    .max(250)
    .optional()
    .describe(
      'Excluded countries (ISO 3166-1 alpha-2, by IP address). Events sent with an API ' +
        'key are still accepted.',
    ),
  pages: z
    .array(Page)
    .max(100)
    .optional()
    .describe(
      'Excluded paths; `*` matches any text. They may be unencoded (`/prüfung/*`), or absolute ' +
        'URLs.',
    ),
});

export const UpdateSiteBody = z
  .strictObject({
    honour_gpc: z
      .boolean()
      .optional()
      .describe(
        'Whether visitors whose browser sends `Sec-GPC: 1` are counted anonymously, ' +
          'without being recognized. Default: true.',
      ),
    honour_dnt: z
      .boolean()
      .optional()
      .describe(
        'Whether visitors who send `DNT: 1` are counted anonymously, without being ' +
          'recognized. Default: false.',
      ),
    hosts: z
      .array(Host)
      .max(50)
      .optional()
      .describe(
        'Allowed hosts, as names or `*.example.com` (all subdomains). Empty: any host. ' +
          'Events with only a path have no host and are accepted.',
      ),
    shields: Shields.optional().describe(
      'Exclusion rules. If sent, a list replaces the current one.',
    ),
    retention_days: z
      .int()
      .min(30)
      .max(3650)
      .nullable()
      .optional()
      .describe(
        'Days to keep events and visits. Older ones are deleted daily, by whole UTC ' +
          'days. Null: unlimited.',
      ),
    timezone: TimeZone.optional().describe(
      'IANA time zone of the site: in the console, days begin and end in it. Default: UTC.',
    ),
    closed: z
      .boolean()
      .optional()
      .describe('A closed site rejects new events; its figures stay available.'),
  })
  .meta({
    id: 'UpdateAnalyticsSite',
    examples: [
      {
        hosts: ['example.com', '*.example.com'],
        shields: { ips: ['203.0.113.0/24'], pages: ['/admin/*'] },
        retention_days: 400,
      },
    ],
  });
export type UpdateSiteBody = z.output<typeof UpdateSiteBody>;

export const SiteView = z
  .object({
    site_id: z.string(),
    created_at: z.iso.datetime(),
    closed: z.boolean().describe('The site rejects new events.'),
    settings: z.object({
      honour_gpc: z.boolean(),
      honour_dnt: z.boolean(),
      hosts: z.array(z.string()).describe('Empty: any host.'),
      shields: z.object({
        ips: z.array(z.string()),
        countries: z.array(z.string()),
        pages: z.array(z.string()),
      }),
      retention_days: z.int().nullable().describe('Null: unlimited.'),
      timezone: z.string().describe('IANA time zone in which days begin in the console.'),
    }),
  })
  .meta({
    id: 'AnalyticsSite',
    description: 'The site, with its settings.',
    examples: [
      {
        site_id: 'example.com',
        created_at: '2026-05-04T09:30:00.000Z',
        closed: false,
        settings: {
          honour_gpc: true,
          honour_dnt: false,
          hosts: ['example.com', '*.example.com'],
          shields: { ips: ['203.0.113.0/24'], countries: [], pages: ['/admin/*'] },
          retention_days: 400,
          timezone: 'Europe/Berlin',
        },
      },
    ],
  });
export type SiteView = z.output<typeof SiteView>;
