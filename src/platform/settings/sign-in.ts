import { z } from 'zod';
import { emailIdentity } from '../../lib/identifiers.ts';
import { emailKeysOf, entriesOf } from '../../lib/text/lists.ts';
import { parseDomainRule } from '../../lib/net/domain-rules.ts';
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
      (list) => emailKeysOf(list).every((address) => emailIdentity(address) !== undefined),
      'must list email addresses, separated by commas',
    )
    .default('')
    .describe(
      'Comma-separated email addresses. People with these addresses become admins when they ' +
        'sign in.',
    ),
  SIGN_UP: z
    .enum(['open', 'invitation', 'domain'])
    .optional()
    .describe(
      'Who can create an account. `open`: anyone; `invitation`: people whom an admin has ' +
        'invited; `domain`: also people with a verified email address of SIGN_UP_DOMAINS. ' +
        'ADMIN_EMAILS and existing accounts can always sign in. Unset: as an admin has chosen ' +
        'in the console (Settings, Sign-in); open until then.',
    ),
  SIGN_UP_DOMAINS: z
    .string()
    .refine(
      (list) => entriesOf(list).every((entry) => parseDomainRule(entry) !== undefined),
      'must list domains such as example.com or *.example.com, separated by commas',
    )
    .default('')
    .describe(
      'Comma-separated domains for `SIGN_UP=domain`, such as `example.com,*.example.com`. ' +
        '`*.` means all subdomains, without the domain itself.',
    ),
  REVIEW_ACCOUNT: z
    .string()
    .refine(
      (text) => emailIdentity(text) !== undefined || /^\+[1-9]\d{6,14}$/.test(text),
      'must be an email address, or a phone number like +14155550132',
    )
    .optional()
    .describe(
      'Email address or phone number (E.164) of the account that reviewers of app stores use. ' +
        'It gets no messages: REVIEW_CODE signs it in. It never gets a role. Requires ' +
        'REVIEW_CODE and REVIEW_UNTIL. Unset it after the review.',
    ),
  REVIEW_CODE: z
    .string()
    .regex(/^\d{6,12}$/, 'must have 6 to 12 digits')
    .optional()
    .describe('The fixed code of the review account: 6 to 12 random digits, preferably 8 or more.'),
  REVIEW_UNTIL: z.iso
    .date()
    .optional()
    .describe(
      'The last day (UTC) on which the review account works, such as `2031-01-31`. At most 90 ' +
        'days ahead.',
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
  DEVICE_FIRST: z
    .enum(['first_admin', 'nobody'], {
      error: ({ input }) =>
        input === 'tofu'
          ? 'can no longer be tofu, which also approved the device of a thief: set it to ' +
            'first_admin or nobody'
          : undefined,
    })
    .default('first_admin')
    .describe(
      'Which device is approved automatically. `first_admin`: the first device of the ' +
        'first admin, within ten minutes. `nobody`: none; approve the first one with ' +
        'ADMIN_API_KEY.',
    ),
};
