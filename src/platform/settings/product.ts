import { z } from 'zod';
import { entriesOf } from '../../lib/text/lists.ts';
import { emailAddress } from '../validation/text-schemas.ts';
import { filePath, longSecret, onOff, optionalUrl, origins, singleLine } from './value-schemas.ts';

/** Settings of the product's name and its provider. */
export const productSettings = {
  APP_NAME: singleLine(50)
    .default('Platform Service')
    .describe('Product name shown in messages and on pages.'),
  CONTACT_EMAIL: emailAddress()
    .optional()
    .describe(
      'Contact address on the public pages and in `/.well-known/security.txt`. Also ' +
        'receives notices of contact messages, and what visitors write back to replies. ' +
        'Unset: the pages show no address, notices go to all admins, and visitors write back ' +
        'to MAIL_FROM.',
    ),
  LEGAL_NAME: singleLine(100)
    .optional()
    .describe('Name of the operator in the terms and the privacy notice. Unset: APP_NAME.'),
  LEGAL_ADDRESS: singleLine(300)
    .optional()
    .describe('Postal address of the operator, on one line, with commas between its parts.'),
  PLANS: z
    .string()
    .trim()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      'The plans at /pricing, which sign-up accepts and payments lead to: the path of a ' +
        'JSON file, or the JSON itself, `{"currency":"EUR","plans":[…]}`. Read at startup. ' +
        'Unset: one free plan, `self-hosted`, with the limits of the server.',
    ),
  GEOIP_CITY_FILE: filePath.describe(
    'Database of cities (.mmdb): GeoLite2 City or GeoIP2 City from MaxMind, or IP to City from ' +
      'DB-IP. Adds region, city, postal code, coordinates and time zone to IP address lookups. ' +
      'Replace the file at any time: it is read again without a restart. Unset: countries only.',
  ),
  GEOIP_ASN_FILE: filePath.describe(
    'Database of networks (.mmdb): GeoLite2 ASN or GeoIP2 ISP from MaxMind, or IP to ASN from ' +
      'DB-IP. Adds `asn` and `asn_org` to IP address lookups. Unset: neither is known.',
  ),
};

/** Settings of the list of people who wait for access. */
export const waitlistSettings = {
  WAITLIST: onOff
    .default(false)
    .describe(
      '`on`: `/signup` puts people on the waitlist, and only people whom an admin has approved ' +
        'get the link that completes the sign-up. `off`: sign-up and waitlist are independent.',
    ),
  WAITLIST_TOTAL: onOff
    .optional()
    .describe(
      '`off` keeps the number of people on the waitlist off the public page and API. Unset: as ' +
        'an admin has chosen in the console (Settings, General); on until then.',
    ),
  WAITLIST_LEADERBOARD: onOff
    .optional()
    .describe(
      '`off` keeps the leaderboard of the waitlist off the public page and API. Unset: as an ' +
        'admin has chosen in the console (Settings, General); on until then.',
    ),
  WAITLIST_ORIGINS: origins
    .default([])
    .describe(
      'Comma-separated origins of websites that embed the waitlist form (`/waitlist.js`). ' +
        'Empty: only pages of the service itself can send it.',
    ),
};

/** Settings of email, SMS and payment webhooks. */
export const messageSettings = {
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\p{Cc}<>"@,;]{1,64} <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
      'must look like Name <post@host.example>',
    )
    .optional()
    .describe(
      'Sender address for outgoing email: `Name <post@host.example>`, or only the address.',
    ),
  SMTP_URL: optionalUrl(/^smtps?:\/\//, 'smtps://user:password@host:465').describe(
    'Mail server. Requires MAIL_FROM. Unset: no email is sent; in development it goes to ' +
      '/dev/outbox.',
  ),
  SMS_URL: optionalUrl(/^https?:\/\/(?![^/]*@)/, 'https://host/path').describe(
    'Receives SMS as signed JSON POST requests `{id,to,text}` (Standard Webhooks). ' +
      'Requires SMS_WEBHOOK_SECRET. If neither this nor Twilio is configured, no SMS is ' +
      'sent; in development, messages go to /dev/outbox.',
  ),
  SMS_WEBHOOK_SECRET: longSecret
    .optional()
    .describe(
      'Secret that signs requests to SMS_URL: `whsec_` followed by base64, or any text. ' +
        'At least 32 characters.',
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
    .optional()
    .describe('Twilio account for SMS. Requires the other two Twilio settings.'),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional().describe('Auth token of the Twilio account.'),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(?:\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/i,
      'must be a number like +15551234567 or the id of a messaging service (MG…)',
    )
    .optional()
    .describe('Number (E.164) or messaging service (`MG…`) that Twilio sends from.'),
  PAYMENTS_WEBHOOK_SECRET: z
    .string()
    .transform(entriesOf)
    .refine(
      (list) => list.length >= 1 && list.length <= 2 && list.every((secret) => secret.length >= 16),
      'must be one secret, or two separated by a comma, of at least 16 characters',
    )
    .optional()
    .describe(
      'Verifies events that the payment provider sends to /api/auth/webhooks/payments: the ' +
        '`whsec_…` secret of the Stripe endpoint, or two separated by a comma during ' +
        'rotation. Unset: the path returns 503.',
    ),
};
