import { tokenExample } from '../../claims-schemas.ts';
import type { OTPResponse } from './schemas.ts';

const sent: OTPResponse = {
  success: true,
  message: 'If this address can be reached, a code is on its way.',
  verification_id: '8sK2mQpXw4Tn',
  channel: 'sms',
  to: '+1•••••0132',
  expires_in: 300,
  expires_at: '2026-05-04T09:35:00.000Z',
  resend_after: 30,
  code_length: 6,
  max_attempts: 5,
};
const byPhone = {
  ...tokenExample.user,
  email: null,
  email_verified: false,
  phone_number: '+14155550132',
  phone_number_verified: true,
};
const signedIn = { ...tokenExample, user: byPhone };

/** Examples in the API reference for operations that use a single channel. */
export const examples = {
  sentByEmail: { answer: { ...sent, channel: 'email', to: 'a•••@example.com' } },
  sentByPhone: { answer: sent },
  codeDue: {
    answer: {
      ...tokenExample,
      access_token: null,
      expires_in: 0,
      refresh_token: null,
      refresh_expires_in: 0,
      scope: '',
      session_id: null,
      device_token: null,
      user: null,
      status: 'otp_required',
      verification_id: sent.verification_id,
      resend_after: 30,
    },
  },
  verifiedByPhone: { answer: signedIn },
  verifiedOnPhone: {
    body: { phone: '+1 415 555 0132', code: '482913', verification_id: sent.verification_id },
    answer: signedIn,
  },
} as const;
