import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { allowApps } from '../../platform/http/cross-origin.ts';
import { noStore } from '../../platform/http/security.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import type { Guards } from '../auth/guards.ts';
import type { Session, Sessions } from '../auth/sessions/sessions.ts';
import type { BackupCodeSignIn } from './backup-codes/backup-code-sign-in.ts';
import { completionErrors } from './errors.ts';
import type { FactorRemoval } from './factor-removal.ts';
import {
  BackupCodeBody,
  BackupCodeQuery,
  BackupCodesResponse,
  OkView,
  TotpCodeBody,
  TotpEnrolment,
  TwoFactorStatusResponse,
} from './schemas.ts';
import type { SecondFactor, SecondFactorStatus } from './service.ts';

export interface SecondFactorRoutesOptions {
  secondFactor: SecondFactor;
  sessions: Pick<Sessions, 'endAll'>;
  factorRemoval: FactorRemoval;
  backupCodeSignIn: BackupCodeSignIn;
  guards: Pick<Guards, 'sessionOf'>;
  clock: Clock;
  /** Maps an operation id to that of the mount's prefix. */
  operationId: (id: string) => string;
}

const tags = ['second-factor'];

type Method = TwoFactorStatusResponse['methods'][number];

function toMethod(
  type: Method['type'],
  verified: boolean,
  { createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null },
): Method {
  return {
    type,
    verified,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function toStatus(
  { isEnabled, totp, passkeys, backupCodes }: SecondFactorStatus,
  { user, acr }: Session,
): TwoFactorStatusResponse {
  const apps = totp === undefined ? [] : [toMethod('totp', totp.verified, totp)];
  return {
    enabled: isEnabled,
    methods: [...apps, ...passkeys.map((passkey) => toMethod('passkey', true, passkey))],
    totp_enabled: totp?.verified === true,
    passkey_count: passkeys.length,
    phone_verified: user.phone !== null,
    email_verified: user.email !== null,
    backup_codes_remaining: backupCodes.left,
    backup_codes_generated_at: backupCodes.generatedAt?.toISOString() ?? null,
    aal: acr,
  };
}

/** The second factors of the signed-in user. */
export const secondFactorStatusRoutes: FastifyPluginAsyncZod<SecondFactorRoutesOptions> = async (
  app,
  { secondFactor, guards, operationId },
) => {
  noStore(app);
  allowApps(app);

  app.get(
    '/2fa/status',
    {
      schema: {
        operationId: operationId('secondFactor.status'),
        summary: 'Get your second factors',
        description: 'The configured factors and the number of backup codes left.',
        tags,
        response: { 200: TwoFactorStatusResponse },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      return toStatus(await secondFactor.statusOf(session.userId), session);
    },
  );
};

function backupCodesRoute(
  app: ZodApp,
  { secondFactor, guards, clock, operationId }: SecondFactorRoutesOptions,
): void {
  app.post(
    '/backup-codes',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.create_backup_codes'),
        summary: 'Create backup codes',
        description:
          'Ten codes that each work once in place of a second factor. New codes ' +
          'replace the old ones. Requires a sign-in within the last five minutes.',
        tags,
        errors: ['second_factor.aal2_required', 'users.review_account'],
        response: { 200: BackupCodesResponse },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      await secondFactor.requireSecondFactor(session);
      const { codes, generatedAt } = await secondFactor.newBackupCodes(
        session.userId,
        originOf(request, clock.now()),
      );
      return {
        backup_codes: codes,
        count: codes.length,
        generated_at: generatedAt.toISOString(),
        message: 'Keep these codes in a safe place. They are not shown again.',
      };
    },
  );
}

function totpEnrolRoute(
  app: ZodApp,
  { secondFactor, guards, operationId }: SecondFactorRoutesOptions,
): void {
  app.post(
    '/2fa/totp',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.enrol_totp'),
        summary: 'Set up an authenticator app',
        description:
          'Returns a new secret. It takes effect after `2fa/totp/confirm` accepts a code.',
        tags,
        errors: [
          'second_factor.aal2_required',
          'second_factor.already_enrolled',
          'users.review_account',
        ],
        response: { 200: TotpEnrolment },
      },
    },
    async (request) => {
      const { userId, user, acr } = guards.sessionOf(request);
      const { toString: toQrCode } = await import('qrcode');
      const label = user.email ?? user.phone ?? userId;
      const { secret, uri } = await secondFactor.enrolTotp(userId, label, acr);
      return { secret, otpauth_url: uri, qr_svg: await toQrCode(uri, { type: 'svg', margin: 4 }) };
    },
  );
}

function totpConfirmRoute(
  app: ZodApp,
  { secondFactor, sessions, guards, clock, operationId }: SecondFactorRoutesOptions,
): void {
  app.post(
    '/2fa/totp/confirm',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.confirm_totp'),
        summary: 'Confirm the authenticator app',
        returns: 'The authenticator app is confirmed. Sign-in now requires it.',
        description: 'Every later sign-in requires a second factor. Ends other sessions.',
        tags,
        body: TotpCodeBody,
        errors: [
          'otp.invalid',
          'otp.too_many_attempts',
          'second_factor.aal2_required',
          'second_factor.not_enrolled',
          'second_factor.already_enrolled',
          'users.review_account',
        ],
        response: { 200: OkView },
      },
    },
    async (request) => {
      const { userId, id, acr } = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      await secondFactor.confirmTotp(userId, request.body.code, from, acr);
      await sessions.endAll(userId, id);
      return { ok: true as const };
    },
  );
}

function totpRemoveRoute(
  app: ZodApp,
  { secondFactor, factorRemoval, guards, clock, operationId }: SecondFactorRoutesOptions,
): void {
  app.delete(
    '/2fa/totp',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.remove_totp'),
        summary: 'Remove the authenticator app',
        returns: 'The authenticator app is removed.',
        description:
          'Requires a sign-in with a second factor within the last five minutes. Ends ' +
          'other sessions and removes other devices.',
        tags,
        errors: [
          'second_factor.aal2_required',
          'second_factor.not_enrolled',
          'users.review_account',
        ],
        response: { 200: OkView },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      await secondFactor.requireSecondFactor(session);
      const from = originOf(request, clock.now());
      await secondFactor.removeTotp(session.userId, from);
      await factorRemoval(session, from);
      return { ok: true as const };
    },
  );
}

/** Changes to the user's second factors, which need a fresh sign-in. */
export const secondFactorRoutes: FastifyPluginAsyncZod<SecondFactorRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  allowApps(app);
  backupCodesRoute(app, options);
  totpEnrolRoute(app, options);
  totpConfirmRoute(app, options);
  totpRemoveRoute(app, options);
};

/** Signing in with a backup code. */
export const backupCodeRoutes: FastifyPluginAsyncZod<SecondFactorRoutesOptions> = async (
  app,
  { backupCodeSignIn, clock, operationId },
) => {
  noStore(app);
  allowApps(app);

  app.post(
    '/backup-codes/verify',
    {
      config: { ...codeLimits.verify, quiet: true },
      schema: {
        operationId: operationId('secondFactor.verify_backup_code'),
        summary: 'Sign in with a backup code',
        description:
          'Each code works once. With an `mfa_token` it completes that sign-in; without ' +
          'one it opens a session, and the user is notified.',
        tags,
        querystring: BackupCodeQuery,
        body: BackupCodeBody,
        errors: completionErrors,
        response: { 200: TokenResponse },
      },
    },
    (request) => {
      const { code, user_id: userId } = request.query;
      return backupCodeSignIn(
        { userId, code, mfaToken: request.body?.mfa_token },
        originOf(request, clock.now()),
      );
    },
  );
};
