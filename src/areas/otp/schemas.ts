import { z } from 'zod';
import { countryCode } from '../../lib/text/text-patterns.ts';

const plus =
  'An international number, which starts with a plus sign, such as `+1 415 555 0132`; or any ' +
  'number of `country`.';
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
  .describe('E-mail address, or international phone number, which starts with a plus sign.')
  .meta({ examples: ['ada@example.com'] });
const country = z
  .string()
  .regex(countryCode)
  .optional()
  .describe(
    'ISO 3166-1 alpha-2: whose rules a number without a plus sign is read by. Without it such ' +
      'a number is 422.',
  );
const code = z.string().min(1).max(64).describe('The six digits.');
const verificationId = z
  .string()
  .max(64)
  .optional()
  .describe('Of the answer that sent the code. With it nobody else can use up your tries.');

// A regional variant of a supported language is accepted, as in Accept-Language (RFC 4647 §3.4).
const isSupported = (tag: string): boolean => /^en(?:-[a-z0-9]{1,8})*$/i.test(tag);
const locale = z
  .string()
  .max(35)
  .refine(isSupported, 'messages are written in these languages only: en')
  .optional()
  .describe('Language of the message (BCP 47). There is `en`; any other is 422.')
  .meta({ examples: ['en'] });
const appHash = z
  .string()
  .max(64)
  .refine(() => false, 'there is no message for the SMS Retriever; leave it out')
  .optional()
  .describe('Not supported: 422 when it is there.');

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
      .describe('E-mail address, or international phone number; or give `phone` or `email`.'),
    phone: phone.optional(),
    email: email.optional(),
    country,
    verification_id: verificationId,
    mfa_token: z
      .string()
      .max(1024)
      .optional()
      .describe(
        'Of a sign-in that needs its second factor; `code` is then that of the app, or a ' +
          'backup code.',
      ),
  })
  .refine(
    ({ identifier: either, phone: number, email: address, mfa_token: token }) =>
      [either, number, address, token].some((given) => given !== undefined),
    {
      message: 'one of identifier, phone, email and mfa_token is needed',
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

export const ReopenBody = z.object({ identifier, country }).meta({ id: 'ReopenBody' });

export const ReopenedView = z
  .object({
    ok: z.literal(true),
    reopened: z.boolean().describe('False when the codes were not off.'),
  })
  .meta({
    id: 'Reopened',
    description: 'Whether one-time codes were off for this identifier.',
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
    to: z.string().describe('Where the code goes, masked.'),
    expires_in: z.int().describe('Seconds.'),
    expires_at: z.iso.datetime(),
    resend_after: z.int().describe('Seconds to wait before another code is asked for.'),
    code_length: z.int(),
    max_attempts: z.int(),
  })
  .meta({
    id: 'OTPResponse',
    description: 'The code was sent: its masked recipient, lifetime and verification id.',
  });
export type OTPResponse = z.output<typeof OTPResponse>;
