import { codeLimits } from '../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { SentCode } from '../../otp/service.ts';
import { readEmail, readPhone } from './contact/read-contact.ts';
import type { AccountRoutesOptions } from './routes.ts';
import { ContactCode, ContactCodeSent, EmailChange, OwnAccount, PhoneChange } from './schemas.ts';

const tags = ['account'];

const startErrors = [
  'otp.rate_limited',
  'otp.too_many_attempts',
  'otp.budget',
  'second_factor.aal2_required',
  'account.too_many_changes',
  'users.review_account',
];
const confirmErrors = [
  'otp.invalid',
  'otp.too_many_attempts',
  'account.contact_taken',
  'users.review_account',
];

const startText =
  'The response is the same if another account has it. The code is valid for five minutes and ' +
  'only in this session. Requires a sign-in within the last five minutes. ' +
  'At most 20 codes a day. They count for you: the owner of an address that you ask for gets ' +
  'codes as before.';
const confirmText = 'All sessions stay. A message is sent to the old one.';

const sentBySms: ContactCodeSent = {
  message: 'If this number can be reached, a code is on its way.',
  channel: 'sms',
  to: '+1 ••• ••• ••32',
  expires_in: 300,
  expires_at: '2026-05-04T09:35:00.000Z',
  resend_after: 30,
  code_length: 6,
  max_attempts: 5,
};

const toView = (sent: SentCode): ContactCodeSent => ({
  message: 'If this address can be reached, a code is on its way.',
  channel: sent.channel,
  to: sent.to,
  expires_in: sent.expiresIn,
  expires_at: new Date(sent.expiresAt).toISOString(),
  resend_after: sent.resendAfter,
  code_length: sent.codeLength,
  max_attempts: sent.maxAttempts,
});

/** Starts a change of the address or number. For the fresh scope. */
export function startContactRoutes(app: ZodApp, options: AccountRoutesOptions): void {
  const { contacts, guards, clock } = options;
  app.post(
    '/api/v1/users/me/email',
    {
      config: codeLimits.send,
      schema: {
        operationId: 'account.change_email',
        summary: 'Send a code to your new email address',
        description: startText,
        tags,
        body: EmailChange,
        errors: startErrors,
        response: { 200: ContactCodeSent },
      },
    },
    async (request) =>
      toView(
        await contacts.start(
          guards.sessionOf(request),
          readEmail(request.body.email),
          originOf(request, clock.now()),
        ),
      ),
  );

  app.post(
    '/api/v1/users/me/phone',
    {
      config: codeLimits.send,
      schema: {
        operationId: 'account.change_phone',
        summary: 'Send a code to your new phone number',
        description: startText,
        tags,
        body: PhoneChange,
        examples: { answer: sentBySms },
        errors: startErrors,
        response: { 200: ContactCodeSent },
      },
    },
    async (request) =>
      toView(
        await contacts.start(
          guards.sessionOf(request),
          await readPhone(request.body.phone, request.body.country),
          originOf(request, clock.now()),
        ),
      ),
  );
}

/** Completes a change of the address or number. */
export function confirmContactRoutes(app: ZodApp, options: AccountRoutesOptions): void {
  const { contacts, profiles, guards, clock } = options;
  app.post(
    '/api/v1/users/me/email/confirm',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.confirm_email',
        summary: 'Confirm your new email address',
        description: `Replaces your email address. ${confirmText}`,
        tags,
        body: ContactCode,
        errors: confirmErrors,
        response: { 200: OwnAccount },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      await contacts.confirm(session, 'email', request.body.code, from);
      return profiles.show(session.userId);
    },
  );

  app.post(
    '/api/v1/users/me/phone/confirm',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.confirm_phone',
        summary: 'Confirm your new phone number',
        description: `Replaces your phone number. ${confirmText}`,
        tags,
        body: ContactCode,
        errors: confirmErrors,
        response: { 200: OwnAccount },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      await contacts.confirm(session, 'phone', request.body.code, from);
      return profiles.show(session.userId);
    },
  );
}
