import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../../lib/clock.ts';
import { codeLimits } from '../../../platform/http/limits/code-limits.ts';
import { allowApps } from '../../../platform/http/cross-origin.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { TokenResponse } from '../../../platform/identity/claims-schemas.ts';
import {
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../platform/identity/webauthn-schemas.ts';
import type { Guards } from '../../auth/guards.ts';
import type { Sessions } from '../../auth/sessions/sessions.ts';
import type { SignIn } from '../../auth/sign-in.ts';
import { completionErrors } from '../errors.ts';
import type { FactorRemoval } from '../factor-removal.ts';
import type { PasskeyInfo, Passkeys } from './passkeys.ts';
import { OkView } from '../schemas.ts';
import {
  PasskeyBody,
  PasskeyChallengeBody,
  PasskeyList,
  PasskeyParams,
  PasskeyVerifyBody,
  PasskeyView,
} from './schemas.passkeys.ts';

export interface PasskeyRoutesOptions {
  passkeys: Passkeys;
  signIn: Pick<SignIn, 'passkeyOptions' | 'completeAsBearer'>;
  sessions: Pick<Sessions, 'endAll'>;
  factorRemoval: FactorRemoval;
  guards: Pick<Guards, 'sessionOf'>;
  clock: Clock;
  /** Maps an operation id to that of the mount's prefix. */
  operationId: (id: string) => string;
}

const tags = ['second-factor'];

const toView = ({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyInfo): PasskeyView => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  backed_up: backedUp,
});

/** The passkeys of the signed-in user. */
export const passkeyListRoutes: FastifyPluginAsyncZod<PasskeyRoutesOptions> = async (
  app,
  { passkeys, guards, operationId },
) => {
  noStore(app);
  allowApps(app);

  app.get(
    '/2fa/passkeys',
    {
      schema: {
        operationId: operationId('secondFactor.list_passkeys'),
        summary: 'List your passkeys',
        description: 'Oldest first.',
        tags,
        response: { 200: PasskeyList },
      },
    },
    async (request) => {
      const all = await passkeys.listOf(guards.sessionOf(request).userId);
      return { data: all.map(toView), total: all.length };
    },
  );
};

function creationRoutes(app: ZodApp, options: PasskeyRoutesOptions): void {
  const { passkeys, sessions, guards, clock, operationId } = options;

  app.post(
    '/2fa/passkeys/options',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.passkey_options'),
        summary: 'Start adding a passkey',
        description:
          'Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. Users with a second ' +
          'factor must have signed in with it.',
        tags,
        errors: [
          'second_factor.aal2_required',
          'users.review_account',
          'second_factor.too_many_passkeys',
          'second_factor.passkeys_unavailable',
        ],
        response: { 200: PasskeyCreationOptions },
      },
    },
    (request) => passkeys.creationOptions(guards.sessionOf(request)),
  );

  app.post(
    '/2fa/passkeys',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.add_passkey'),
        summary: 'Add a passkey',
        description: 'Every later sign-in requires a second factor. Ends other sessions.',
        tags,
        body: PasskeyBody,
        errors: [
          'otp.invalid',
          'second_factor.aal2_required',
          'users.review_account',
          'second_factor.too_many_passkeys',
          'second_factor.passkeys_unavailable',
        ],
        response: { 201: PasskeyView },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      const { credential, name = from.client } = request.body;
      const passkey = await passkeys.enrol(session, credential, name, from);
      await sessions.endAll(session.userId, session.id);
      return reply.code(201).send(toView(passkey));
    },
  );
}

function removalRoute(
  app: ZodApp,
  { passkeys, factorRemoval, guards, clock, operationId }: PasskeyRoutesOptions,
): void {
  app.delete(
    '/2fa/passkeys/:id',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.remove_passkey'),
        summary: 'Remove a passkey',
        returns: 'The passkey is removed.',
        description:
          'Requires a sign-in with a second factor within the last five minutes. Ends ' +
          'other sessions and removes other devices.',
        tags,
        params: PasskeyParams,
        errors: [
          'second_factor.aal2_required',
          'second_factor.passkey_not_found',
          'users.review_account',
        ],
        response: { 200: OkView },
      },
    },
    async (request) => {
      const session = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      await passkeys.remove(session, request.params.id, from);
      await factorRemoval(session, from);
      return { ok: true as const };
    },
  );
}

/** Changes to the user's passkeys, which need a fresh sign-in. */
export const passkeyRoutes: FastifyPluginAsyncZod<PasskeyRoutesOptions> = async (app, options) => {
  noStore(app);
  allowApps(app);
  creationRoutes(app, options);
  removalRoute(app, options);
};

function challengeRoute(app: ZodApp, { signIn, operationId }: PasskeyRoutesOptions): void {
  app.post(
    '/2fa/passkeys/challenge',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.passkey_challenge'),
        summary: 'Start a sign-in with a passkey',
        description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`.',
        tags,
        body: PasskeyChallengeBody,
        errors: [
          'auth.invalid_mfa_token',
          'second_factor.passkey_not_found',
          'second_factor.passkeys_unavailable',
        ],
        response: { 200: PasskeyRequestOptions },
      },
    },
    (request) => signIn.passkeyOptions(request.body.mfa_token),
  );
}

function verifyRoute(app: ZodApp, { signIn, clock, operationId }: PasskeyRoutesOptions): void {
  app.post(
    '/2fa/passkeys/verify',
    {
      config: codeLimits.verify,
      schema: {
        operationId: operationId('secondFactor.verify_passkey'),
        summary: 'Sign in with a passkey',
        description:
          'Completes the sign-in that the `mfa_token` belongs to. An invalid credential ' +
          'gets 400 `otp.invalid` and counts as a wrong code.',
        tags,
        body: PasskeyVerifyBody,
        errors: completionErrors,
        response: { 200: TokenResponse },
      },
    },
    (request) => {
      const { mfa_token: mfaToken, credential } = request.body;
      const factor = { method: 'passkey', credential } as const;
      return signIn.completeAsBearer(mfaToken, factor, originOf(request, clock.now()));
    },
  );
}

/** Signing in with a passkey as the second factor. */
export const passkeySignInRoutes: FastifyPluginAsyncZod<PasskeyRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  allowApps(app);
  challengeRoute(app, options);
  verifyRoute(app, options);
};
