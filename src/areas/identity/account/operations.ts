import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { attachment } from '../../../lib/net/header-text.ts';
import { codeLimits } from '../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { HttpCall } from '../../../platform/operations/call.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { Guards } from '../sessions/guards.ts';
import { toSentCodeView } from '../codes/views.ts';
import type { OwnAccountServices } from './compose.ts';
import { readEmail, readPhone } from './contact/read-contact.ts';
import {
  AvatarParams,
  AvatarView,
  ContactCode,
  ContactCodeSent,
  DeletionView,
  EmailChange,
  ExportView,
  maxAvatarBytes,
  OwnAccount,
  PhoneChange,
  ProfilePatch,
} from './schemas.ts';

export interface AccountContext {
  ownAccount: OwnAccountServices;
  guards: Pick<Guards, 'sessionOf'>;
  clock: Clock;
}

const common = {
  tag: 'account',
  allowsApps: true,
  isIdempotent: true,
  limit: limited({ max: 120, seconds: 60 }),
};
const operation = operationsOf<AccountContext>({ ...common, scope: 'signedIn' });
/** For changes that need a sign-in within the last five minutes. */
const freshOperation = operationsOf<AccountContext>({ ...common, scope: 'fresh' });
/** For the pictures of all users, on pages of any site. */
const publicOperation = operationsOf<AccountContext>({
  tag: 'account',
  scope: 'public',
  noStore: false,
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
});

/** The session of a call, its user, and where it comes from. */
function callerOf({ guards, clock }: AccountContext, { request }: HttpCall) {
  const session = guards.sessionOf(request);
  return { session, userId: session.userId, from: originOf(request, clock.now()) };
}

const rareChanges = limited({ max: 20, seconds: 300 });
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
  'The response is the same if another account already uses the address or number. The code is ' +
  'valid for five minutes and only in this session. Requires a sign-in within the last five ' +
  'minutes. At most 20 codes a day. They count against your own limit, so the owner of the ' +
  'address or number can still get codes.';
const confirmText = 'All sessions stay active. A message is sent to the old address or number.';

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

/** Completes a change of the address or number, and returns the account. */
async function confirm(
  context: AccountContext,
  kind: 'email' | 'phone',
  code: string,
  call: HttpCall,
): Promise<OwnAccount> {
  const { contacts, profiles } = context.ownAccount;
  const { session, userId, from } = callerOf(context, call);
  await contacts.confirm(session, kind, code, from);
  return profiles.show(userId);
}

const image = z.any().meta({ type: 'string', format: 'binary', examples: ['RIFF…WEBP…'] });
const zip = z.any().meta({ type: 'string', format: 'binary', examples: ['PK…'] });

/** The own account, for signed-in users, and their pictures, for everybody. */
export const accountOperations = [
  publicOperation({
    id: 'account.get_avatar',
    path: 'GET /api/v1/users/:id/avatar/:file',
    summary: 'Get a profile picture',
    description:
      'The URL is the `picture` claim of a user. It changes with the picture, so the response ' +
      'can be cached forever.',
    limit: limited({ max: 600, seconds: 60, failOpen: true }),
    params: AvatarParams,
    errors: ['account.avatar_not_found'],
    schema: {
      response: {
        200: {
          description: 'The picture: WebP, 256 pixels square.',
          content: { 'image/webp': { schema: image } },
        },
      },
    },
    run: async ({ ownAccount }, { id, file }, { reply }) =>
      reply
        .header('content-type', 'image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(await ownAccount.avatars.find(id, file)),
  }),
  operation({
    id: 'account.get',
    path: 'GET /api/v1/users/me',
    summary: 'Get your account',
    description: 'OpenID Connect claims of the account, and whether it will be deleted.',
    output: OwnAccount,
    errors: ['users.not_found'],
    run: (context, _input, call) =>
      context.ownAccount.profiles.show(callerOf(context, call).userId),
  }),
  operation({
    id: 'account.update',
    path: 'PATCH /api/v1/users/me',
    summary: 'Change your profile',
    description: 'Changes your name, language and time zone.',
    body: ProfilePatch,
    output: OwnAccount,
    errors: ['users.not_found'],
    run(context, patch, call) {
      const { userId, from } = callerOf(context, call);
      return context.ownAccount.profiles.change(userId, patch, from);
    },
  }),
  operation({
    id: 'account.confirm_email',
    path: 'POST /api/v1/users/me/email/confirm',
    summary: 'Confirm your new email address',
    description: `Replaces your email address. ${confirmText}`,
    limit: codeLimits.verify,
    body: ContactCode,
    output: OwnAccount,
    errors: confirmErrors,
    run: (context, { code }, call) => confirm(context, 'email', code, call),
  }),
  operation({
    id: 'account.confirm_phone',
    path: 'POST /api/v1/users/me/phone/confirm',
    summary: 'Confirm your new phone number',
    description: `Replaces your phone number. ${confirmText}`,
    limit: codeLimits.verify,
    body: ContactCode,
    output: OwnAccount,
    errors: confirmErrors,
    run: (context, { code }, call) => confirm(context, 'phone', code, call),
  }),
  operation({
    id: 'account.start_export',
    path: 'POST /api/v1/users/me/export',
    summary: 'Request a copy of your data',
    description:
      'A background job collects everything the service stores about you. You get a ' +
      'message when it is ready. If a copy is in progress or less than an hour old, that ' +
      'one is returned instead.',
    limit: rareChanges,
    status: 202,
    output: ExportView,
    run(context, _input, call) {
      const { userId, from } = callerOf(context, call);
      return context.ownAccount.exports.start(userId, from);
    },
  }),
  operation({
    id: 'account.get_export',
    path: 'GET /api/v1/users/me/export',
    summary: 'Get the status of the copy of your data',
    description: 'The progress of the copy, and how long its file is kept.',
    output: ExportView,
    run: (context, _input, call) =>
      context.ownAccount.exports.state(callerOf(context, call).userId),
  }),
  operation({
    id: 'account.put_avatar',
    path: 'PUT /api/v1/users/me/avatar',
    summary: 'Upload your picture',
    description:
      'A JPEG, PNG or WebP picture of at most 5 MB and 40 million pixels. It is cropped to a ' +
      'square of 256 pixels, and its metadata is removed. At most 20 uploads an hour.',
    limit: limited({ max: 30, seconds: 300 }),
    accepts: 'bytes',
    schema: { consumes: ['image/jpeg', 'image/png', 'image/webp'], rawBody: image },
    route: { bodyLimit: maxAvatarBytes },
    output: AvatarView,
    errors: [
      'account.avatar_type',
      'account.avatar_unreadable',
      'account.avatar_busy',
      'account.too_many_changes',
    ],
    async run(context, _input, call) {
      const { body } = call.request;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const { userId, from } = callerOf(context, call);
      return { picture: await context.ownAccount.avatars.put(userId, bytes, from) };
    },
  }),
  operation({
    id: 'account.delete_avatar',
    path: 'DELETE /api/v1/users/me/avatar',
    summary: 'Remove your picture',
    description: 'Browsers and caches may keep the old picture.',
    limit: limited({ max: 60, seconds: 60 }),
    output: AvatarView,
    async run(context, _input, call) {
      const { userId, from } = callerOf(context, call);
      await context.ownAccount.avatars.remove(userId, from);
      return { picture: null };
    },
  }),
  freshOperation({
    id: 'account.change_email',
    path: 'POST /api/v1/users/me/email',
    summary: 'Send a code to your new email address',
    description: startText,
    limit: codeLimits.send,
    body: EmailChange,
    output: ContactCodeSent,
    errors: startErrors,
    async run(context, { email }, call) {
      const { session, from } = callerOf(context, call);
      return toSentCodeView(
        await context.ownAccount.contacts.start(session, readEmail(email), from),
      );
    },
  }),
  freshOperation({
    id: 'account.change_phone',
    path: 'POST /api/v1/users/me/phone',
    summary: 'Send a code to your new phone number',
    description: startText,
    limit: codeLimits.send,
    body: PhoneChange,
    schema: { examples: { answer: sentBySms } },
    output: ContactCodeSent,
    errors: startErrors,
    async run(context, { phone, country }, call) {
      const { session, from } = callerOf(context, call);
      const number = await readPhone(phone, country);
      return toSentCodeView(await context.ownAccount.contacts.start(session, number, from));
    },
  }),
  freshOperation({
    id: 'account.delete',
    path: 'POST /api/v1/users/me/deletion',
    summary: 'Delete your account in 14 days',
    description:
      'Ends all other sessions. Until then you can sign in and keep the account. Requires a ' +
      'sign-in within the last five minutes.',
    limit: rareChanges,
    output: DeletionView,
    errors: ['account.last_admin', 'second_factor.aal2_required', 'users.review_account'],
    async run(context, _input, call) {
      const { session, from } = callerOf(context, call);
      const dueAt = await context.ownAccount.deletions.request(session, from);
      return { deletion_due_at: dueAt.toISOString() };
    },
  }),
  freshOperation({
    id: 'account.keep',
    path: 'DELETE /api/v1/users/me/deletion',
    summary: 'Keep your account',
    description:
      'Cancels the deletion. Requires a sign-in within the last five minutes, so that someone ' +
      'else with an old session cannot cancel it.',
    limit: rareChanges,
    output: DeletionView,
    errors: ['second_factor.aal2_required', 'users.review_account'],
    async run(context, _input, call) {
      const { session, from } = callerOf(context, call);
      await context.ownAccount.deletions.cancel(session, from);
      return { deletion_due_at: null };
    },
  }),
  freshOperation({
    id: 'account.get_export_file',
    path: 'GET /api/v1/users/me/export/file',
    summary: 'Download the copy of your data',
    description:
      'A zip with JSON and CSV files, for 24 hours after it was ready. Requires a sign-in within ' +
      'the last five minutes.',
    limit: rareChanges,
    errors: ['account.export_not_ready'],
    schema: {
      response: {
        200: {
          description: 'The zip. README.txt lists its files.',
          content: { 'application/zip': { schema: zip } },
        },
      },
    },
    async run(context, _input, call) {
      const { userId, from } = callerOf(context, call);
      const { name, size, chunks } = await context.ownAccount.exports.file(userId, from);
      return call.reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachment(name))
        .send(Readable.from(chunks));
    },
  }),
];
