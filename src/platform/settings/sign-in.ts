import { z } from 'zod';
import { addressesOf, entriesOf } from '../../lib/text/lists.ts';
import { integer, isRedirectUri, longSecret, onOff, optionalUrl } from './value-schemas.ts';

/** Settings of sign-in, one-time codes and devices. */
export const signInSettings = {
  ADMIN_API_KEY: longSecret
    .optional()
    .describe(
      'Accepted as an admin API key while set, so that a fresh install can be automated. 32 ' +
        'characters or more.',
    ),
  AUTH_SECRET: longSecret
    .optional()
    .describe(
      'All keys for codes and tokens come from it; the same on every replica. Unset: one is ' +
        'made in DATA_DIR/auth-secret. Production needs it with DATABASE_URL.',
    ),
  ADMIN_EMAILS: z
    .string()
    .refine(
      (list) => addressesOf(list).every((address) => z.email().safeParse(address).success),
      'must list email addresses, separated by commas',
    )
    .default('')
    .describe('Comma-separated addresses whose owners become admins when they sign in.'),
  IDP_ISSUER: optionalUrl(/^https?:\/\/[^?#]+$/, 'https://login.host.example').describe(
    'Issuer of the OpenID Connect provider that people sign in at, spelt as its discovery ' +
      'document spells it. Register BASE_URL/api/auth/idp/callback and ' +
      'BASE_URL/api/auth/cmyk/idp/callback there.',
  ),
  IDP_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client id at the provider. Unset or a placeholder: no sign-in there; in development ' +
        '/api/auth/dev/bypass/{email} signs in instead.',
    ),
  IDP_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at the provider.'),
  IDP_REDIRECT_URIS: z
    .string()
    .refine(
      (list) => entriesOf(list).every(isRedirectUri),
      'must list absolute addresses, separated by commas; http only for this machine',
    )
    .default('')
    .describe(
      'Comma-separated addresses that native clients may be sent back to, such as ' +
        '`com.example.app:/signed-in`. They must be registered at the provider too.',
    ),
  OTP_COUNTRIES: z
    .string()
    .regex(
      /^(?:[A-Z]{2}(?:\s*,\s*[A-Z]{2})*)?$/,
      'must list ISO 3166-1 alpha-2 codes, separated by commas',
    )
    .default('')
    .describe('Countries whose phone numbers get codes, such as `US,CA,DE`. Empty: all.'),
  OTP_LIMITS: onOff
    .default(true)
    .describe(
      '`off` lifts the limits on how many codes are sent, for load tests. Tries stay limited.',
    ),
  OTP_PREFIX_LIMIT: integer(1)
    .default(20)
    .describe('Codes an hour to phone numbers that differ in the last four digits only.'),
  OTP_DAILY_LIMIT: integer(1)
    .default(10_000)
    .describe('Codes a day by SMS, and as many by e-mail, to everybody together.'),
  DEVICE_BINDING: z
    .enum(['none', 'cookie', 'key', 'webauthn'])
    .default('cookie')
    .describe(
      'What a person must have to do what admins do: `cookie`, a cleared device; `key`, one ' +
        'that proves a key; `webauthn`, one that proves a key and a passkey of its own; `none`: ' +
        'any device.',
    ),
  DEVICE_CLEARANCE: z
    .enum(['four_eyes', 'self_step_up'])
    .default('four_eyes')
    .describe(
      'Who clears a device: `four_eyes`, another admin; `self_step_up`: its owner too, right ' +
        'after signing in with the second factor.',
    ),
  DEVICE_FIRST: z
    .enum(['first_admin', 'tofu', 'nobody'])
    .default('first_admin')
    .describe(
      'Which device is cleared without being asked about: `first_admin`, the first one of the ' +
        'first admin, within ten minutes; `tofu`, the first one of everybody; `nobody`: ' +
        'ADMIN_API_KEY has to approve the first.',
    ),
};
