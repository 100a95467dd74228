import { z } from 'zod';

const phone = z.string().min(1).max(64).describe('With its country code, in any usual spelling: `+1 415 555 0132`.');
const email = z.string().min(1).max(320);
const code = z.string().min(1).max(64).describe('The six digits.');
const verificationId = z.string().max(64).optional().describe('Of the answer that sent the code. With it nobody else can use up your tries.');
const locale = z.string().max(35).optional();
const captcha = z.string().max(4096).optional();
const fingerprint = z.string().max(512).optional();

export const CMYKPhoneRequest = z.object({
  phone, channel: z.literal('sms').optional(), locale, state: z.string().max(512).optional(), session_id: z.string().max(512).optional(),
  captcha_token: captcha, device_fingerprint: fingerprint,
}).meta({ id: 'CMYKPhoneRequest' });

export const CMYKVerifyOTPRequest = z.object({
  phone, code, verification_id: verificationId, device_fingerprint: fingerprint, trust_device: z.boolean().optional(),
}).meta({ id: 'CMYKVerifyOTPRequest' });

export const CMYKPhoneOnlyRequest = z.object({
  phone, code: code.nullish(), verification_id: verificationId, device_fingerprint: fingerprint,
}).meta({ id: 'CMYKPhoneOnlyRequest' });

export const MobileAuthRequest = z.object({
  phone, channel: z.literal('sms').optional(), locale, device_id: z.string().max(128).optional(), device_fingerprint: fingerprint,
  captcha_token: captcha, app_hash: z.string().max(64).optional(),
}).meta({ id: 'MobileAuthRequest' });

export const VerifyOTPRequest = z.object({
  code,
  identifier: z.string().min(1).max(320).optional().describe('Phone number or e-mail address; or give `phone` or `email`.'),
  phone: phone.optional(),
  email: email.optional(),
  verification_id: verificationId,
  mfa_token: z.string().max(1024).optional().describe('Of a sign-in that needs its second factor; `code` is then that of the app, or a backup code.'),
  device_fingerprint: fingerprint,
  trust_device: z.boolean().optional(),
}).refine(({ identifier, phone: number, email: address, mfa_token: token }) => [identifier, number, address, token].some((given) => given !== undefined), {
  message: 'one of identifier, phone, email and mfa_token is needed',
}).meta({
  id: 'VerifyOTPRequest',
  examples: [{ email: 'ada@example.com', code: '482913', verification_id: '8sK2mQpXw4Tn' }, { mfa_token: '7Rk1cV9bQe2Lx0Ty', code: '482913' }],
});
export type VerifyOTPRequest = z.output<typeof VerifyOTPRequest>;

export const EmailAuthRequest = z.object({ email, locale, captcha_token: captcha, next: z.string().max(2048).optional() }).meta({ id: 'EmailAuthRequest' });

export const IdentifierQuery = z.object({ identifier: z.string().min(1).max(320).describe('Phone number or e-mail address.') });

export const ReopenBody = z.object({ identifier: z.string().min(1).max(320).describe('Phone number or e-mail address.') }).meta({ id: 'ReopenBody' });

export const ReopenedView = z.object({
  ok: z.literal(true),
  reopened: z.boolean().describe('False when the codes were not off.'),
}).meta({
  id: 'Reopened',
  examples: [{ ok: true, reopened: true }],
});

export const PhoneBody = z.object({ phone });
export const PhoneCodeBody = z.object({ phone, code, verification_id: verificationId });

export const OTPResponse = z.object({
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
}).meta({
  id: 'OTPResponse',
  examples: [{
    success: true, message: 'If this address can be reached, a code is on its way.', verification_id: '8sK2mQpXw4Tn', channel: 'sms', to: '+1•••••••132', expires_in: 300, expires_at: '2026-05-04T09:35:00.000Z', resend_after: 30,
    code_length: 6, max_attempts: 5,
  }],
});
export type OTPResponse = z.output<typeof OTPResponse>;
