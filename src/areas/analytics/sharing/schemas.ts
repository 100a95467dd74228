import { z } from 'zod';
import { hasFourDigitYear } from '../../../lib/timestamps.ts';
import { instant } from '../../../platform/validation/instants.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { TimeZone } from '../../../platform/validation/time-zone.ts';

const time = z.iso.datetime();

export const SiteParams = z.object({
  site_id: z
    .string()
    .min(1)
    .max(64)
    .describe('The site.')
    .meta({ examples: ['example.com'] }),
});
export const SharingParams = SiteParams.extend({ id: z.uuid() });

export const CreateShareBody = z
  .strictObject({
    name: lineText(100).describe('Name of the link, shown on its page.'),
    password: z
      .string()
      .min(8)
      .max(256)
      .nullish()
      .describe('Password required to open the link. Default: none.'),
    expires_at: instant()
      .refine((text) => hasFourDigitYear(Date.parse(text)), 'must be in the years 1 to 9999, UTC')
      .nullish()
      .describe('When the link expires. Default: never.'),
  })
  .meta({
    examples: [
      { name: 'The agency', password: 'correct horse battery', expires_at: '2031-01-01T00:00:00Z' },
    ],
  });
export type CreateShareBody = z.output<typeof CreateShareBody>;

const fields = {
  id: z.uuid(),
  site_id: z.string(),
  name: z.string(),
  has_password: z.boolean(),
  expires_at: time.nullable(),
  created_by: z.string().describe('The user or API key that created it.'),
  created_at: time,
  last_used_at: time.nullable().describe('Accurate to the minute.'),
};
const example = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  site_id: 'example.com',
  name: 'The agency',
  has_password: true,
  expires_at: '2031-01-01T00:00:00.000Z',
  created_by: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
  created_at: '2026-05-04T09:30:00.000Z',
  last_used_at: null,
};

export const ShareView = z.object(fields).meta({ id: 'AnalyticsShare', examples: [example] });
export type ShareView = z.output<typeof ShareView>;

export const CreatedShareView = z
  .object({ ...fields, url: z.url().describe('URL of the link. Shown only once; not stored.') })
  .meta({
    id: 'CreatedAnalyticsShare',
    description: 'The share link. Its URL is shown only once.',
    examples: [
      {
        ...example,
        url: 'https://platform.example/share/E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      },
    ],
  });
export type CreatedShareView = z.output<typeof CreatedShareView>;

export const ShareList = z
  .object({ data: z.array(ShareView).describe('Newest first, including expired ones.') })
  .meta({
    id: 'AnalyticsShareList',
    description: 'The share links of the site, without their secrets.',
    examples: [{ data: [example] }],
  });

export const CreateReportBody = z
  .strictObject({
    email: z.string().trim().min(1).max(254).describe('Recipient of the report.'),
    frequency: z
      .enum(['weekly', 'monthly'])
      .describe(
        '`weekly`: covers Monday to Sunday, sent the following Monday. `monthly`: covers ' +
          'a calendar month, sent on the first of the next month. Both are sent from 08:00 ' +
          'in `timezone`.',
      ),
    timezone: TimeZone.default('UTC').describe(
      'IANA time zone for day boundaries and for the sending time.',
    ),
  })
  .meta({
    examples: [{ email: 'ada@example.com', frequency: 'weekly', timezone: 'Europe/Berlin' }],
  });
export type CreateReportBody = z.output<typeof CreateReportBody>;

const reportExample = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  site_id: 'example.com',
  email: 'ada@example.com',
  frequency: 'weekly',
  timezone: 'Europe/Berlin',
  created_by: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
  created_at: '2026-05-04T09:30:00.000Z',
  last_sent_for: '2026-05-04',
  unsubscribed_at: null,
};

export const ReportView = z
  .object({
    id: z.uuid(),
    site_id: z.string(),
    email: z.string(),
    frequency: z.enum(['weekly', 'monthly']),
    timezone: z.string(),
    created_by: z.string().describe('The user or API key that created it.'),
    created_at: time,
    last_sent_for: z.iso.date().nullable().describe('First day of the last reported period.'),
    unsubscribed_at: time.nullable().describe('When the recipient unsubscribed.'),
  })
  .meta({ id: 'AnalyticsReport', description: 'The email report.', examples: [reportExample] });
export type ReportView = z.output<typeof ReportView>;

export const ReportList = z.object({ data: z.array(ReportView).describe('Newest first.') }).meta({
  id: 'AnalyticsReportList',
  description: 'The email reports for the site.',
  examples: [{ data: [reportExample] }],
});

export const ReportTested = z.object({ detail: z.string() }).meta({
  id: 'TestedAnalyticsReport',
  description: 'The report is queued for sending.',
  examples: [{ detail: 'An email is on its way.' }],
});
