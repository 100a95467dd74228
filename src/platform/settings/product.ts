import { z } from 'zod';
import { entriesOf } from '../../lib/text/lists.ts';
import { longSecret, optionalUrl, singleLine } from './value-schemas.ts';

/** Settings of the product's name and its provider. */
export const productSettings = {
  APP_NAME: singleLine(50)
    .default('Platform Service')
    .describe('What messages and pages call the product.'),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe(
      'Where people can write to: on the public pages, and in `/.well-known/security.txt`. ' +
        'Unset: the pages name no address.',
    ),
  LEGAL_NAME: singleLine(100)
    .optional()
    .describe('Who offers the service, in the terms and the privacy notice. Unset: APP_NAME.'),
  LEGAL_ADDRESS: singleLine(300)
    .optional()
    .describe('Postal address of who offers the service, in one line, parts separated by commas.'),
  MCP_CONFORMANCE: z
    .stringbool()
    .default(false)
    .describe(
      '`1` adds the tools, resources and prompts that the conformance suite of the Model ' +
        'Context Protocol asks for. Never in production.',
    ),
};

/** Settings of e-mail, SMS and payment webhooks. */
export const messageSettings = {
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\p{Cc}<>"@,;]{1,64} <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
      'must look like Name <post@host.example>',
    )
    .optional()
    .describe('Sender of e-mail: `Name <post@host.example>` or an address alone.'),
  SMTP_URL: optionalUrl(/^smtps?:\/\//, 'smtps://user:password@host:465').describe(
    'Mail server for e-mail; needs MAIL_FROM. Unset: no e-mail; with the conveniences of ' +
      'development it goes to /dev/outbox.',
  ),
  SMS_URL: optionalUrl(/^https?:\/\/(?![^/]*@)/, 'https://host/path').describe(
    'Takes SMS as signed JSON POSTs `{id,to,text}` (Standard Webhooks); needs ' +
      'SMS_WEBHOOK_SECRET. Neither this nor Twilio: no SMS; with the conveniences of development ' +
      'they go to /dev/outbox.',
  ),
  SMS_WEBHOOK_SECRET: longSecret
    .optional()
    .describe(
      'Signs what is sent to SMS_URL: `whsec_` and base64, or any text, of 32 characters or more.',
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits')
    .optional()
    .describe('Twilio account for SMS; needs the other two Twilio settings.'),
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
      "Checks what the payment provider reports to /api/auth/webhooks/payments: the endpoint's " +
        '`whsec_…` of Stripe, or two separated by a comma while one is rolled over. Unset: the ' +
        'path answers 503.',
    ),
};
