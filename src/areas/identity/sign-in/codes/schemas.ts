import { z } from 'zod';
import { countryCode } from '../../../../lib/text/text-patterns.ts';

const plus =
  'International number starting with a plus sign, such as `+1 415 555 0132`, or a ' +
  'national number of `country`.';
const phone = z
  .string()
  .min(1)
  .max(64)
  .describe(plus)
  .meta({ examples: ['+1 415 555 0132'] });
const email = z
  .string()
  .min(1)
  .max(320)
  .meta({ examples: ['ada@example.com'] });
const identifier = z
  .string()
  .min(1)
  .max(320)
  .describe('Email address, or international phone number starting with a plus sign.')
  .meta({ examples: ['ada@example.com'] });
const country = z
  .string()
  .regex(countryCode)
  .optional()
  .describe(
    'Country (ISO 3166-1 alpha-2) of a phone number without a plus sign. Required for ' +
      'such numbers.',
  );
const code = z.string().min(1).max(64).describe('The six-digit code.');
const verificationId = z
  .string()
  .max(64)
  .optional()
  .describe('Returned when the code was requested. Prevents others from using up your attempts.');

// A regional variant of a supported language is accepted, as in Accept-Language (RFC 4647 §3.4).
const isSupported = (tag: string): boolean => /^en(?:-[a-z0-9]{1,8})*$/i.test(tag);
const locale = z
  .string()
  .max(35)
  .refine(isSupported, 'messages are written in these languages only: en')
  .optional()
  .describe('Language of the message (BCP 47). Only `en` is supported.')
  .meta({ examples: ['en'] });
const appHash = z
  .string()
  .max(64)
  .refine(() => false, 'is not supported; omit it')
  .optional()
  .describe('Not supported. Requests that include this field get 422.');

// Every declared member has an effect. Unknown members are ignored, as in all bodies.
export const CMYKPhoneRequest = z
  .object({ phone, country, channel: z.literal('sms').optional(), locale })
  .meta({ id: 'CMYKPhoneRequest' });

export const CMYKVerifyOTPRequest = z
  .object({
    phone,
    country,
    code: code.meta({ examples: ['482913'] }),
    verification_id: verificationId,
  })
  .meta({ id: 'CMYKVerifyOTPRequest' });

export const CMYKPhoneOnlyRequest = z
  .object({ phone, country, code: code.nullish(), verification_id: verificationId, locale })
  .meta({ id: 'CMYKPhoneOnlyRequest' });

export const MobileAuthRequest = z
  .object({ phone, country, channel: z.literal('sms').optional(), locale, app_hash: appHash })
  .meta({ id: 'MobileAuthRequest' });

export const VerifyOTPRequest = z
  .object({
    code,
    identifier: identifier
      .optional()
      .describe('Email address or international phone number. Alternatives: `phone`, `email`.'),
    phone: phone.optional(),
    email: email.optional(),
    country,
    verification_id: verificationId,
    mfa_token: z
      .string()
      .max(1024)
      .optional()
      .describe(
        'From a sign-in that requires a second factor. In that case, `code` is a code ' +
          'from the authenticator app or a backup code.',
      ),
  })
  .refine(
    ({ identifier: either, phone: number, email: address, mfa_token: token }) =>
      [either, number, address, token].some((given) => given !== undefined),
    {
      message: 'Send `identifier`, `phone`, `email` or `mfa_token`.',
    },
  )
  .meta({
    id: 'VerifyOTPRequest',
    examples: [
      { email: 'ada@example.com', code: '482913', verification_id: '8sK2mQpXw4Tn' },
      { mfa_token: '7Rk1cV9bQe2Lx0Ty', code: '482913' },
    ],
  });
export type VerifyOTPRequest = z.output<typeof VerifyOTPRequest>;

export const EmailAuthRequest = z.object({ email, locale }).meta({ id: 'EmailAuthRequest' });

export const IdentifierQuery = z.object({
  identifier,
  country: country.meta({ examples: ['US'] }),
});
export type IdentifierQuery = z.output<typeof IdentifierQuery>;

export const ReopenBody = z.object({ identifier, country }).meta({ id: 'ReopenCodes' });

export const ReopenedView = z
  .object({
    ok: z.literal(true),
    reopened: z.boolean().describe('False if codes were not turned off.'),
  })
  .meta({
    id: 'ReopenedCodes',
    description: 'Whether one-time codes were turned off for this identifier.',
    examples: [{ ok: true, reopened: true }],
  });

export const PhoneBody = z.object({ phone, country });
export const PhoneCodeBody = z.object({
  phone,
  country,
  code: code.meta({ examples: ['482913'] }),
  verification_id: verificationId,
});

export const OTPResponse = z
  .object({
    success: z.literal(true),
    message: z.string(),
    verification_id: z.string(),
    channel: z.enum(['sms', 'email']),
    to: z.string().describe('Recipient of the code, masked.'),
    expires_in: z.int().describe('Seconds.'),
    expires_at: z.iso.datetime(),
    resend_after: z.int().describe('Seconds before another code can be requested.'),
    code_length: z.int(),
    max_attempts: z.int(),
  })
  .meta({
    id: 'OTPResponse',
    description:
      'The code was sent. Returns its masked recipient, its lifetime and the verification id.',
  });
export type OTPResponse = z.output<typeof OTPResponse>;
