import { z } from 'zod';
import { maxUrlLength, storedUrl } from '../../lib/net/public-url.ts';
import { webUrl } from '../../platform/validation/text-schemas.ts';
import { countryName } from '../../lib/places/country-names.ts';
import { instant } from '../../platform/validation/instants.ts';
import { SiteKey } from '../../platform/validation/site-key.ts';
import { lineText } from '../../platform/validation/text-schemas.ts';
import { QrStyleChanges, QrStyleView, styleExample } from './drawing/style.ts';
import { QrContent } from './payloads/contents.ts';
import { codeTypes, devices } from './tables.ts';

const time = z.iso.datetime();
export const exampleId = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';

/** The parameters of a path with an id, such as that of a `file`. */
export const idParams = (of: string) =>
  z.object({
    id: z
      .uuid()
      .toLowerCase()
      .describe(`Id of the ${of}.`)
      .meta({ examples: [exampleId] }),
  });

const urlExample = 'https://example.com/spring?shelf=3';

const url = z
  .string()
  .min(1)
  .max(maxUrlLength)
  .overwrite(storedUrl)
  .check(webUrl)
  .describe(
    'Target of the scans: an http or https URL on the public internet, without ' +
      'credentials, and not a short link of this service. Stored as browsers send it: the ' +
      'host in punycode, other letters percent-encoded. At most 2,048 characters in that ' +
      'form.',
  )
  .meta({ examples: [urlExample] });

/** A target for some people. Every condition that it has must hold. */
export const TargetRule = z
  .strictObject({
    device: z.enum(devices).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .refine((code) => countryName(code) !== undefined, 'must be an ISO 3166-1 alpha-2 code')
      .optional()
      .describe('ISO 3166-1 alpha-2.')
      .meta({ examples: ['DE'] }),
    language: z
      .string()
      .max(35)
      .regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/, 'must be a language such as de or pt-br')
      .optional()
      .describe('The language that the browser prefers (BCP 47, in lower case).')
      .meta({ examples: ['de'] }),
    url,
  })
  .refine(
    ({ device, country, language }) => (device ?? country ?? language) !== undefined,
    'must have a device, a country or a language',
  )
  .meta({ id: 'QrTargetRule', examples: [{ device: 'ios', url: 'https://example.com/ios' }] });
export type TargetRule = z.output<typeof TargetRule>;

const rules = z
  .array(TargetRule)
  .max(20)
  .describe(
    'Targets by device, country or language. The first rule whose conditions all match applies.',
  );

const campaign = (name: string) =>
  lineText(255).nullable().describe(`\`utm_${name}\` of the target, unless it has one.`);
const campaigns = {
  utm_source: campaign('source'),
  utm_medium: campaign('medium'),
  utm_campaign: campaign('campaign'),
  utm_term: campaign('term'),
  utm_content: campaign('content'),
};

const name = lineText(200)
  .describe('Shown in lists, and under the code on print sheets.')
  .meta({ examples: ['Spring poster'] });
const password = z
  .string()
  .min(4)
  .max(256)
  .nullable()
  .describe('Password that people have to enter first. Stored as a hash, and never shown.')
  .meta({ examples: ['open sesame'] });
const scanLimit = z.int().min(1).max(1_000_000_000).nullable();

/** What can change: everything but the short link and what a static picture contains. */
const changeable = {
  name,
  url,
  site_id: SiteKey.describe('The site whose figures count the scans.').meta({
    examples: ['example.com'],
  }),
  active: z.boolean().describe('False: scans get a page saying that the code is not in use.'),
  starts_at: instant().nullable().describe('Before this time, the code does not work yet.'),
  expires_at: instant().nullable().describe('From this time on, the code has expired.'),
  expired_url: url
    .nullable()
    .describe('Where scans lead after expiry. Null: to a page that says so.'),
  scan_limit: scanLimit.describe(
    'Number of scans that are redirected to the target. Bots do not count.',
  ),
  password,
  ...campaigns,
  forward_query: z
    .boolean()
    .describe(
      'Adds the query of the short link to the target, such as a `gclid` of an ad, up to 2,048 ' +
        'characters. The parameters of the target itself are kept.',
    ),
  rules,
  style: QrStyleChanges,
};

const status = z
  .enum(['active', 'paused', 'scheduled', 'expired', 'used_up'])
  .describe('Whether scans are redirected to the target now.');

const exampleCode = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  name: 'Spring poster',
  type: 'url',
  status: 'active',
  code: 'spring',
  short_url: 'https://platform.example/q/spring',
  text: 'https://platform.example/q/spring',
  dynamic: true,
  url: urlExample,
  content: null,
  scans: 284,
  last_scanned_at: '2026-05-04T09:12:44.000Z',
  site_id: 'example.com',
  active: true,
  starts_at: null,
  expires_at: '2026-07-01T00:00:00.000Z',
  expired_url: null,
  scan_limit: null,
  scans_used: 0,
  has_password: false,
  utm_source: 'poster',
  utm_medium: 'print',
  utm_campaign: 'spring',
  utm_term: null,
  utm_content: null,
  forward_query: true,
  rules: [],
  style: styleExample,
  batch_id: null,
  created_at: '2026-04-20T08:15:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};

export const QrCodeView = z
  .object({
    id: z.uuid(),
    name: name.max(200),
    type: z.enum(codeTypes),
    status,
    code: z.string().describe('What follows `/q/` in the short link.'),
    short_url: z.string().nullable().describe('The short link. Null for static codes.'),
    text: z.string().describe('What the picture contains.'),
    dynamic: z.boolean().describe('Whether the target can change after printing.'),
    url: z.string().nullable().describe('The target. Null for types other than `url`.'),
    content: QrContent.nullable().describe('The content of types other than `url`.'),
    scans: z
      .int()
      .nullable()
      .describe('Scans by people. Null for static codes, and while the figures are unavailable.'),
    last_scanned_at: time.nullable(),
    site_id: z.string(),
    active: z.boolean(),
    starts_at: time.nullable(),
    expires_at: time.nullable(),
    expired_url: z.string().nullable(),
    scan_limit: z.int().nullable(),
    scans_used: z.int().describe('How many scans have counted toward the limit.'),
    has_password: z.boolean(),
    utm_source: z.string().nullable(),
    utm_medium: z.string().nullable(),
    utm_campaign: z.string().nullable(),
    utm_term: z.string().nullable(),
    utm_content: z.string().nullable(),
    forward_query: z.boolean(),
    rules: z.array(TargetRule),
    style: QrStyleView,
    batch_id: z.uuid().nullable().describe('The file that the code was created from.'),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'QrCode',
    description: 'A QR code: its picture, its target, and its scans.',
    examples: [exampleCode],
  });
export type QrCodeView = z.output<typeof QrCodeView>;

const { name: requiredName, ...optional } = changeable;

export const QrCodeBody = z
  .strictObject({
    name: requiredName,
    ...z.object(optional).partial().shape,
    content: QrContent.optional().describe('Instead of `url`: what the code contains.'),
    active: changeable.active.default(true),
    forward_query: changeable.forward_query.default(true),
    dynamic: z
      .boolean()
      .default(true)
      .describe(
        'False: the picture contains the URL itself, which can’t change. Codes with `content` ' +
          'never can.',
      ),
    code: z
      .string()
      .regex(/^[a-z\d][a-z\d-]{2,63}$/, 'must have 3 to 64 of a-z, 0-9 and -')
      .optional()
      .describe('Your own short link, after `/q/`. Default: a random one.')
      .meta({ examples: ['spring'] }),
  })
  .meta({
    id: 'CreateQrCode',
    examples: [
      { name: 'Spring poster', url: urlExample, utm_campaign: 'spring' },
      {
        name: 'Guest Wi-Fi',
        content: { type: 'wifi', auth: 'WPA', ssid: 'Guests', password: 'welcome 42' },
      },
    ],
  });
export type QrCodeBody = z.output<typeof QrCodeBody>;

export const UpdateQrCodeBody = z
  .strictObject(changeable)
  .partial()
  .meta({ id: 'UpdateQrCode', examples: [{ url: 'https://example.com/summer' }] });
export type UpdateQrCodeBody = z.output<typeof UpdateQrCodeBody>;

export const qrCodeFilters = {
  type: z.enum(codeTypes),
  active: z.boolean().describe('Only codes that are in use, or only paused ones.'),
  dynamic: z.boolean(),
  site_id: z
    .string()
    .max(64)
    .meta({ examples: ['example.com'] }),
  utm_campaign: z
    .string()
    .max(255)
    .meta({ examples: ['spring'] }),
  batch_id: z.uuid().toLowerCase().describe('Only codes that were created from this file.'),
  logo: z.uuid().toLowerCase().describe('Only codes with this logo.'),
};
