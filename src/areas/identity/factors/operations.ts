import type { Clock } from '../../../lib/clock.ts';
import { codeLimits } from '../../../platform/http/limits/code-limits.ts';
import { originOf, type RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { HttpCall } from '../../../platform/operations/call.ts';
import { unlimited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { Guards } from '../sessions/guards.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import type { Passkeys } from './passkeys/service.ts';
import {
  BackupCodesResponse,
  OkView,
  TotpCodeBody,
  TotpEnrolment,
  TwoFactorStatusResponse,
} from './schemas.ts';
import type { SecondFactor } from './service.ts';
import { toStatusView } from './views.ts';

/** The services that the operations of second factors use. */
export interface SecondFactorContext {
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  sessions: Pick<Sessions, 'endAll'>;
  /** Ends other sessions and revokes other devices. */
  factorRemoval: (session: Session, from: RequestSource) => Promise<void>;
  guards: Pick<Guards, 'sessionOf'>;
  clock: Clock;
}

const common = { tag: 'second-factor', allowsApps: true, limit: codeLimits.verify };
const ok = { ok: true } as const;

/** The session of a call, and where the call comes from. */
export const callerOf = (
  { guards, clock }: Pick<SecondFactorContext, 'guards' | 'clock'>,
  { request }: HttpCall,
) => ({ session: guards.sessionOf(request), from: originOf(request, clock.now()) });

const operation = operationsOf<SecondFactorContext>({ ...common, scope: 'fresh' });

/** The second factors of the signed-in user. */
export const factorStatusOperations = [
  operation({
    scope: 'signedIn',
    id: 'secondFactor.status',
    path: 'GET /api/auth/2fa/status',
    summary: 'Get your second factors',
    description: 'The configured factors and the number of backup codes left.',
    limit: unlimited,
    output: TwoFactorStatusResponse,
    async run({ secondFactor, guards }, _input, { request }) {
      const session = guards.sessionOf(request);
      return toStatusView(await secondFactor.statusOf(session.userId), session);
    },
  }),
];

/** Changes to the user's authenticator app and backup codes. */
export const factorOperations = [
  operation({
    id: 'secondFactor.create_backup_codes',
    path: 'POST /api/auth/backup-codes',
    summary: 'Create backup codes',
    description:
      'Ten codes that each work once in place of a second factor. New codes ' +
      'replace the old ones. Requires a sign-in within the last five minutes.',
    output: BackupCodesResponse,
    errors: ['second_factor.aal2_required', 'users.review_account'],
    async run(context, _input, call) {
      const { session, from } = callerOf(context, call);
      const { secondFactor } = context;
      await secondFactor.requireSecondFactor(session);
      const { codes, generatedAt } = await secondFactor.newBackupCodes(session.userId, from);
      return {
        backup_codes: codes,
        count: codes.length,
        generated_at: generatedAt.toISOString(),
        message: 'Keep these codes in a safe place. They are not shown again.',
      };
    },
  }),
  operation({
    id: 'secondFactor.enrol_totp',
    path: 'POST /api/auth/2fa/totp',
    summary: 'Set up an authenticator app',
    description: 'Returns a new secret. It takes effect after `2fa/totp/confirm` accepts a code.',
    output: TotpEnrolment,
    errors: [
      'second_factor.aal2_required',
      'second_factor.already_enrolled',
      'users.review_account',
    ],
    async run({ secondFactor, guards }, _input, { request }) {
      const { userId, user, acr } = guards.sessionOf(request);
      const { toString: toQrCode } = await import('qrcode');
      const label = user.email ?? user.phone ?? userId;
      const { secret, uri } = await secondFactor.enrolTotp(userId, label, acr);
      return { secret, otpauth_url: uri, qr_svg: await toQrCode(uri, { type: 'svg', margin: 4 }) };
    },
  }),
  operation({
    id: 'secondFactor.confirm_totp',
    path: 'POST /api/auth/2fa/totp/confirm',
    summary: 'Confirm the authenticator app',
    description: 'Every later sign-in requires a second factor. Ends other sessions.',
    body: TotpCodeBody,
    output: OkView,
    errors: [
      'otp.invalid',
      'otp.too_many_attempts',
      'second_factor.aal2_required',
      'second_factor.not_enrolled',
      'second_factor.already_enrolled',
      'users.review_account',
    ],
    schema: { returns: 'The authenticator app is confirmed. Sign-in now requires it.' },
    async run(context, { code }, call) {
      const { session, from } = callerOf(context, call);
      const { userId, id, acr } = session;
      await context.secondFactor.confirmTotp(userId, code, from, acr);
      await context.sessions.endAll(userId, id);
      return ok;
    },
  }),
  operation({
    id: 'secondFactor.remove_totp',
    path: 'DELETE /api/auth/2fa/totp',
    summary: 'Remove the authenticator app',
    description:
      'Requires a sign-in with a second factor within the last five minutes. Ends ' +
      'other sessions and removes other devices.',
    output: OkView,
    errors: ['second_factor.aal2_required', 'second_factor.not_enrolled', 'users.review_account'],
    schema: { returns: 'The authenticator app is removed.' },
    async run(context, _input, call) {
      const { session, from } = callerOf(context, call);
      const { secondFactor, factorRemoval } = context;
      await secondFactor.requireSecondFactor(session);
      await secondFactor.removeTotp(session.userId, from);
      await factorRemoval(session, from);
      return ok;
    },
  }),
];
