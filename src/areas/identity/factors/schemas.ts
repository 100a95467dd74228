import { z } from 'zod';

const time = z.iso.datetime();

export const TwoFactorStatusResponse = z
  .object({
    enabled: z.boolean().describe('Whether sign-in requires a second factor.'),
    methods: z.array(
      z.object({
        type: z.enum(['totp', 'passkey']),
        verified: z.boolean(),
        created_at: time,
        last_used_at: time.nullable(),
      }),
    ),
    totp_enabled: z.boolean(),
    passkey_count: z.int(),
    phone_verified: z.boolean(),
    email_verified: z.boolean(),
    backup_codes_remaining: z.int(),
    backup_codes_generated_at: time.nullable(),
    aal: z.enum(['aal1', 'aal2']).describe('Assurance level of this session.'),
  })
  .meta({
    id: 'TwoFactorStatusResponse',
    description: 'Your second factors and the number of backup codes left.',
    examples: [
      {
        enabled: true,
        methods: [
          {
            type: 'totp',
            verified: true,
            created_at: '2026-05-04T09:30:00.000Z',
            last_used_at: '2026-05-04T10:15:00.000Z',
          },
        ],
        totp_enabled: true,
        passkey_count: 0,
        phone_verified: false,
        email_verified: true,
        backup_codes_remaining: 9,
        backup_codes_generated_at: '2026-05-04T09:30:00.000Z',
        aal: 'aal2',
      },
    ],
  });
export type TwoFactorStatusResponse = z.output<typeof TwoFactorStatusResponse>;

export const BackupCodesResponse = z
  .object({
    backup_codes: z.array(z.string()).describe('Shown only once. Each code works once.'),
    count: z.int(),
    generated_at: time,
    message: z.string(),
  })
  .meta({
    id: 'BackupCodesResponse',
    description: 'New backup codes. They are shown only once.',
    examples: [
      {
        backup_codes: ['7KQ2-M9XD-4TRW-8HZE', '5NPA-3VJ6-QYB0-TG1C'],
        count: 2,
        generated_at: '2026-05-04T09:30:00.000Z',
        message: 'Keep these codes in a safe place. They are not shown again.',
      },
    ],
  });

export const BackupCodeQuery = z.object({
  code: z
    .string()
    .min(1)
    .max(64)
    .meta({ examples: ['7KQ2-M9XD-4TRW-8HZE'] }),
  user_id: z.uuid().meta({ examples: ['01985f6e-3a10-7c41-9d52-5b8e2f7a1c04'] }),
});

export const BackupCodeBody = z
  .object({
    mfa_token: z
      .string()
      .max(1024)
      .optional()
      .describe('From the pending sign-in that this code completes.')
      .meta({ examples: ['mfa_7Rk1cV9bQe2Lx0Ty'] }),
  })
  .nullish();

export const TotpEnrolment = z
  .object({
    secret: z.string().describe('For manual entry if the QR code can’t be scanned.'),
    otpauth_url: z.string(),
    qr_svg: z.string().describe('`otpauth_url` as a QR code, in SVG.'),
  })
  .meta({
    id: 'TotpEnrolment',
    description: 'The secret for the authenticator app, as text, URI and QR code.',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXP',
        otpauth_url:
          'otpauth://totp/Platform:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Platform',
        qr_svg: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
      },
    ],
  });

export const TotpCodeBody = z.object({
  code: z
    .string()
    .min(1)
    .max(64)
    .describe('The six-digit code from the app.')
    .meta({ examples: ['482913'] }),
});
export const OkView = z.object({ ok: z.literal(true) });
