import { IANAZone } from 'luxon';
import { z } from 'zod';
import { canonicalLocale } from '../../../lib/text/locale-tags.ts';
import { countryCode } from '../../../lib/text/text-patterns.ts';
import { claims, claimsExample } from '../claims-schemas.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';

const time = z.iso.datetime();
const id = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const fileExample = '5f0c2ab41d7e9f3c8a6b1e2d4c7f9031.webp';

const ownAccount = {
  ...claimsExample,
  locale: 'en-GB',
  zoneinfo: 'Europe/London',
  created_at: '2026-05-04T09:30:00.000Z',
  deletion_due_at: null,
};

export const OwnAccount = z
  .object({
    ...claims,
    locale: z.string().nullable().describe('Language (BCP 47). Null if not chosen.'),
    zoneinfo: z.string().nullable().describe('IANA time zone. Null if not chosen.'),
    created_at: time,
    deletion_due_at: time
      .nullable()
      .describe('When the account will be deleted. Null unless its deletion was requested.'),
  })
  .meta({
    id: 'OwnAccount',
    description: 'Your account: OpenID Connect claims, and whether it will be deleted.',
    examples: [ownAccount],
  });
export type OwnAccount = z.output<typeof OwnAccount>;

const locale = z
  .string()
  .max(35)
  .refine((tag) => canonicalLocale(tag) !== undefined, 'must be a language tag such as en or pt-BR')
  .overwrite((tag) => canonicalLocale(tag) ?? tag)
  .describe('Language tag (BCP 47). Messages and pages use the closest supported language: en.');

const zoneinfo = z
  .string()
  .max(64)
  .refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA time zone, such as Europe/Berlin')
  .describe('IANA time zone, such as `Europe/Berlin`.');

export const ProfilePatch = z
  .object({
    name: lineText(100).nullable().optional().describe('Up to 100 characters, on one line.'),
    locale: locale.nullable().optional(),
    zoneinfo: zoneinfo.nullable().optional(),
  })
  .meta({
    id: 'UpdateProfile',
    description: 'Fields to change. Omitted fields stay unchanged; null clears a field.',
    examples: [{ name: 'Ada Lovelace', locale: 'en-GB', zoneinfo: 'Europe/London' }],
  });
export type ProfilePatch = z.output<typeof ProfilePatch>;

export const EmailChange = z
  .object({ email: z.string().min(1).max(320) })
  .meta({ id: 'ChangeEmail', examples: [{ email: 'ada@example.org' }] });

export const PhoneChange = z
  .object({
    phone: z.string().min(1).max(64),
    country: z
      .string()
      .regex(countryCode)
      .optional()
      .describe('Country (ISO 3166-1 alpha-2) of a number without a plus sign.'),
  })
  .meta({ id: 'ChangePhone', examples: [{ phone: '+1 415 555 0132' }] });

export const ContactCode = z
  .object({ code: z.string().min(1).max(64).describe('The six-digit code.') })
  .meta({ id: 'ConfirmAddress', examples: [{ code: '482913' }] });

export const ContactCodeSent = z
  .object({
    message: z.string(),
    channel: z.enum(['sms', 'email']),
    to: z.string().describe('Recipient of the code, masked.'),
    expires_in: z.int().describe('Seconds.'),
    expires_at: time,
    resend_after: z.int().describe('Seconds before another code can be requested.'),
    code_length: z.int(),
    max_attempts: z.int(),
  })
  .meta({
    id: 'SentContactCode',
    description: 'A code is on its way to the new address or number.',
    examples: [
      {
        message: 'If this address can be reached, a code is on its way.',
        channel: 'email',
        to: 'a•••@example.org',
        expires_in: 300,
        expires_at: '2026-05-04T09:35:00.000Z',
        resend_after: 30,
        code_length: 6,
        max_attempts: 5,
      },
    ],
  });
export type ContactCodeSent = z.output<typeof ContactCodeSent>;

/** The size of an uploaded picture. */
export const maxAvatarBytes = 5 * 1024 * 1024;

export const AvatarView = z
  .object({ picture: z.url().nullable().describe('URL of the picture.') })
  .meta({
    id: 'Avatar',
    description: 'The picture of your account.',
    examples: [
      {
        picture: `https://svc.example.com/api/v1/users/${id}/avatar/${fileExample}`,
      },
    ],
  });

export const AvatarParams = z.object({
  id: z.uuid(),
  file: z
    .string()
    .max(64)
    .describe('Hash of the picture with `.webp`.')
    .meta({ examples: [fileExample] }),
});

export const DeletionView = z
  .object({
    deletion_due_at: time.nullable().describe('When the account will be deleted; null: never.'),
  })
  .meta({
    id: 'AccountDeletion',
    description: 'Whether and when your account will be deleted.',
    examples: [{ deletion_due_at: '2026-05-18T09:30:00.000Z' }],
  });

export const ExportView = z
  .object({
    state: z.enum(['none', 'queued', 'running', 'ready', 'failed']),
    progress: z
      .object({ done: z.int(), total: z.int() })
      .nullable()
      .describe('Collected parts. Null without an export.'),
    size: z.int().nullable().describe('Size of the file in bytes, once it is ready.'),
    requested_at: time.nullable(),
    expires_at: time.nullable().describe('When the file is removed, 24 hours after it was ready.'),
  })
  .meta({
    id: 'DataExport',
    description: 'The state of the copy of your data.',
    examples: [
      {
        state: 'ready',
        progress: { done: 24, total: 24 },
        size: 18_204,
        requested_at: '2026-05-04T09:30:00.000Z',
        expires_at: '2026-05-05T09:30:02.000Z',
      },
    ],
  });
export type ExportView = z.output<typeof ExportView>;

const undoToken = z
  .string()
  .max(64)
  .default('')
  .meta({ examples: ['k4r…'] });
export const UndoQuery = z.object({ token: undoToken.describe('Token from the link.') });
export const UndoForm = z.object({ token: undoToken });
