import { z } from 'zod';
import { addressesOf, entriesOf } from '../../lib/text/lists.ts';
import { integer, isRedirectUri, longSecret, onOff, optionalUrl } from './value-schemas.ts';

/** Settings of sign-in, one-time codes and devices. */
export const signInSettings = {
  ADMIN_API_KEY: longSecret
    .optional()
    .describe(
      'An admin API key for automating a new installation. Valid for as long as it is ' +
        'set. At least 32 characters.',
    ),
  AUTH_SECRET: longSecret
    .optional()
    .describe(
      'All keys for codes and tokens are derived from it. Must be the same on all replicas. ' +
        'Unset: generated in DATA_DIR/auth-secret. Required in production with DATABASE_URL.',
    ),
  ADMIN_EMAILS: z
    .string()
    .refine(
      (list) => addressesOf(list).every((address) => z.email().safeParse(address).success),
      'must list email addresses, separated by commas',
    )
    .default('')
    .describe(
      'Comma-separated email addresses. People with these addresses become admins when they ' +
        'sign in.',
    ),
  IDP_ISSUER: optionalUrl(/^https?:\/\/[^?#]+$/, 'https://login.host.example').describe(
    'Issuer of your OpenID Connect provider, exactly as in its discovery document. ' +
      'Register BASE_URL/api/auth/idp/callback and BASE_URL/api/auth/cmyk/idp/callback as ' +
      'redirect URIs there.',
  ),
  IDP_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Client ID at the identity provider. Unset or a placeholder: sign-in with the ' +
        'provider is off, and development offers /api/auth/dev/bypass/{email} instead.',
    ),
  IDP_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Client secret from the identity provider.'),
  IDP_REDIRECT_URIS: z
    .string()
    .refine(
      (list) => entriesOf(list).every(isRedirectUri),
      'must list absolute addresses, separated by commas; http only for this machine',
    )
    .default('')
    .describe(
      'Comma-separated redirect URIs of native apps, such as ' +
        '`com.example.app:/signed-in`. Register them with the identity provider too.',
    ),
  OTP_COUNTRIES: z
    .string()
    .regex(
      /^(?:[A-Z]{2}(?:\s*,\s*[A-Z]{2})*)?$/,
      'must list ISO 3166-1 alpha-2 codes, separated by commas',
    )
    .default('')
    .describe('Countries whose phone numbers can receive codes, such as `US,CA,DE`. Empty: all.'),
  OTP_LIMITS: onOff
    .default(true)
    .describe(
      '`off` removes the limits on sending codes, for load tests. Attempts to enter a code ' +
        'stay limited.',
    ),
  OTP_PREFIX_LIMIT: integer(1)
    .default(20)
    .describe('Maximum codes per hour to phone numbers that differ only in the last four digits.'),
  OTP_DAILY_LIMIT: integer(1)
    .default(10_000)
    .describe(
      'Maximum number of codes per day for all users together, counted separately for SMS ' +
        'and email.',
    ),
  DEVICE_BINDING: z
    .enum(['none', 'cookie', 'key', 'webauthn'])
    .default('cookie')
    .describe(
      'What admin actions require. `cookie`: an approved device; `key`: an approved ' +
        'device that proves possession of its key; `webauthn`: an approved device that ' +
        'proves possession of its key and a passkey; `none`: any device.',
    ),
  DEVICE_CLEARANCE: z
    .enum(['four_eyes', 'self_step_up'])
    .default('four_eyes')
    .describe(
      'Who can approve a device: `four_eyes`, another admin; `self_step_up`, also its ' +
        'owner, right after signing in with a second factor.',
    ),
  DEVICE_FIRST: z
    .enum(['first_admin', 'tofu', 'nobody'])
    .default('first_admin')
    .describe(
      'Which device is approved automatically. `first_admin`: the first device of the ' +
        'first admin, within ten minutes. `tofu` (trust on first use): the first device of ' +
        'each user. `nobody`: none; approve the first one with ADMIN_API_KEY.',
    ),
};
