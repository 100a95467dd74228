import { z } from 'zod';
import { storedUrl } from '../../../lib/net/public-url.ts';
import { normalizePasted } from '../../../lib/text/pasted.ts';
import { noControls, multiLine } from '../../../lib/text/text-patterns.ts';
import { instant } from '../../../platform/validation/instants.ts';
import { emailAddress, lineText } from '../../../platform/validation/text-schemas.ts';

// Written out, because it appears in the OpenAPI document.
const noSpaces = /^[^\u0000-\u0020\u007f-\u00a0]*$/u;

const isWellFormed = (text: string): boolean => text.isWellFormed();
const wellFormed = 'must be well-formed Unicode, without lone surrogates';

/** Text that may have line breaks. */
const lines = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(multiLine, 'must have no control characters except line breaks and tabs')
    .refine(isWellFormed, wellFormed);

const phone = () =>
  z
    .string()
    .overwrite(normalizePasted)
    .max(32)
    .regex(
      /^ *\+?(?:[ ().\-/]*\d){3,15}[ ().\-/]*$/,
      'must have 3 to 15 digits, with a + before the country code',
    );

/** Checked before it is parsed, because parsing removes line breaks. */
const webAddress = () =>
  z
    .string()
    .max(2048)
    .regex(noSpaces, 'must not have spaces or control characters')
    .refine(isWellFormed, wellFormed)
    .overwrite(storedUrl)
    .check(
      z.url({
        protocol: /^https?$/,
        error: 'must be an address that starts with http:// or https://',
      }),
    );

const UrlContent = z
  .strictObject({
    type: z.literal('url'),
    url: webAddress()
      .describe('Web address, at most 2,048 characters.')
      .meta({ examples: ['https://example.com/menu'] }),
  })
  .meta({ id: 'QrUrlContent' });

const TextContent = z
  .strictObject({
    type: z.literal('text'),
    text: lines(2953)
      .describe('Any text. A code holds up to 2,953 bytes of UTF-8, and fewer at higher levels.')
      .meta({ examples: ['Table 12'] }),
  })
  .meta({ id: 'QrTextContent' });

const maxSsidBytes = 32;

const wifiPassword = z
  .string()
  .min(1)
  .max(64)
  .regex(noControls, 'must not have control characters')
  .refine(isWellFormed, wellFormed);

const wifiMembers = {
  type: z.literal('wifi'),
  ssid: z
    .string()
    .min(1)
    .max(maxSsidBytes)
    .regex(noControls, 'must not have control characters')
    .refine(isWellFormed, wellFormed)
    .refine((ssid) => Buffer.byteLength(ssid) <= maxSsidBytes, {
      message: `must have at most ${maxSsidBytes} bytes of UTF-8`,
    })
    .describe('Name of the network (SSID), at most 32 bytes.')
    .meta({ examples: ['Guests'] }),
  hidden: z.boolean().optional().describe('Whether the network hides its name.'),
};

const WifiContent = z
  .discriminatedUnion('auth', [
    z.strictObject({ ...wifiMembers, auth: z.literal('nopass').describe('An open network.') }),
    z.strictObject({
      ...wifiMembers,
      auth: z.literal('WPA').describe('WPA, WPA2 or WPA3 with a password.'),
      password: wifiPassword
        .min(8)
        .refine((key) => key.length < 64 || /^[0-9a-f]*$/i.test(key), {
          message: 'must be hexadecimal digits if it has 64 characters',
        })
        .describe('Passphrase of 8 to 63 characters, or a key of 64 hexadecimal digits.')
        .meta({ examples: ['correct horse'] }),
    }),
    z.strictObject({
      ...wifiMembers,
      auth: z.literal('WEP').describe('WEP, which is insecure.'),
      password: wifiPassword.describe('Key.').meta({ examples: ['abcde'] }),
    }),
    z.strictObject({
      ...wifiMembers,
      auth: z.literal('WPA2-EAP').describe('WPA2 or WPA3 Enterprise. Android reads these.'),
      eap_method: z.enum(['PEAP', 'TTLS', 'PWD']).describe('EAP method.'),
      phase2_method: z
        .enum(['MSCHAPV2', 'GTC', 'PAP'])
        .optional()
        .describe('Inner authentication method (phase 2) for PEAP or TTLS.'),
      identity: lineText(128)
        .describe('User name.')
        .meta({ examples: ['ada'] }),
      anonymous_identity: lineText(128)
        .optional()
        .describe('Anonymous identity, sent unencrypted instead of the user name.'),
      password: wifiPassword.optional().describe('Password of the user.'),
    }),
  ])
  .meta({ id: 'QrWifiContent' });

const VcardContent = z
  .strictObject({
    type: z.literal('vcard'),
    first_name: lineText(100)
      .optional()
      .meta({ examples: ['Ada'] }),
    last_name: lineText(100)
      .optional()
      .meta({ examples: ['Lovelace'] }),
    organization: lineText(200).optional(),
    title: lineText(200).optional().describe('Position in the organization.'),
    phones: z
      .array(
        z.strictObject({
          kind: z.enum(['cell', 'work', 'home', 'fax']).describe('What the number is for.'),
          number: phone().meta({ examples: ['+44 20 7946 0000'] }),
        }),
      )
      .max(5)
      .optional()
      .describe('Phone numbers, at most 5.'),
    emails: z.array(emailAddress()).max(5).optional().describe('Email addresses, at most 5.'),
    url: webAddress().optional().describe('Website.'),
    address: z
      .strictObject({
        street: lineText(200).optional(),
        city: lineText(100).optional(),
        region: lineText(100).optional(),
        postal_code: lineText(20).optional(),
        country: lineText(100).optional(),
      })
      .optional()
      .describe('Postal address.'),
    note: lines(500).optional().describe('Note, at most 500 characters.'),
  })
  .refine(
    ({ first_name, last_name, organization }) =>
      first_name !== undefined || last_name !== undefined || organization !== undefined,
    { path: ['first_name'], message: 'a contact needs a first name, last name or organization' },
  )
  .meta({ id: 'QrVcardContent' });

const EmailContent = z
  .strictObject({
    type: z.literal('email'),
    to: emailAddress().meta({ examples: ['hello@example.com'] }),
    cc: emailAddress().optional(),
    subject: lineText(200).optional(),
    body: lines(1000).optional().describe('Text of the message, at most 1,000 characters.'),
  })
  .meta({ id: 'QrEmailContent' });

const SmsContent = z
  .strictObject({
    type: z.literal('sms'),
    number: phone().meta({ examples: ['+44 20 7946 0000'] }),
    text: lines(918).optional().describe('Text of the message, at most 918 characters.'),
  })
  .meta({ id: 'QrSmsContent' });

const GeoContent = z
  .strictObject({
    type: z.literal('geo'),
    latitude: z
      .number()
      .min(-90)
      .max(90)
      .describe('Degrees north, -90 to 90.')
      .meta({ examples: [51.5007] }),
    longitude: z
      .number()
      .min(-180)
      .max(180)
      .describe('Degrees east, -180 to 180.')
      .meta({ examples: [-0.1246] }),
  })
  .meta({ id: 'QrGeoContent' });

const firstYear = 1900;
const lastYear = 2199;

const time = () =>
  instant().refine(
    (value) => {
      const year = new Date(value).getUTCFullYear();
      return year >= firstYear && year <= lastYear;
    },
    { message: `must be in the years ${firstYear} to ${lastYear}` },
  );

const EventContent = z
  .strictObject({
    type: z.literal('event'),
    title: lineText(200).meta({ examples: ['Summer party'] }),
    starts_at: time()
      .describe('Start.')
      .meta({ examples: ['2026-07-01T18:00:00Z'] }),
    ends_at: time().optional().describe('End, after the start.'),
    location: lineText(200).optional(),
    description: lines(500).optional().describe('Description, at most 500 characters.'),
  })
  .refine(
    ({ starts_at, ends_at }) =>
      ends_at === undefined || Date.parse(ends_at) > Date.parse(starts_at),
    { path: ['ends_at'], message: 'must be after the start' },
  )
  .meta({ id: 'QrEventContent' });

/** What a code contains, by its type. */
export const QrContent = z
  .discriminatedUnion('type', [
    UrlContent,
    TextContent,
    WifiContent,
    VcardContent,
    EmailContent,
    SmsContent,
    GeoContent,
    EventContent,
  ])
  .describe('What the code contains.')
  .meta({ id: 'QrContent', examples: [{ type: 'url', url: 'https://example.com/menu' }] });
export type QrContent = z.output<typeof QrContent>;

/** The content of one type. */
export type QrContentOf<Type extends QrContent['type']> = Extract<QrContent, { type: Type }>;
