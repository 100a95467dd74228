import type { SentCode } from './send.ts';

/** A sent code, as responses show it. */
export const toSentCodeView = (sent: SentCode) => ({
  message: 'If this address can be reached, a code is on its way.',
  channel: sent.channel,
  to: sent.to,
  expires_in: sent.expiresIn,
  expires_at: new Date(sent.expiresAt).toISOString(),
  resend_after: sent.resendAfter,
  code_length: sent.codeLength,
  max_attempts: sent.maxAttempts,
});
