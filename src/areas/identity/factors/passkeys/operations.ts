import { codeLimits } from '../../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../../platform/http/requests/request-origin.ts';
import { TokenResponse } from '../../../../platform/identity/claims-schemas.ts';
import {
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../../platform/identity/webauthn-schemas.ts';
import { unlimited } from '../../../../platform/operations/limits.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import { completionErrors } from '../errors.ts';
import { callerOf, type SecondFactorContext } from '../operations.ts';
import { OkView } from '../schemas.ts';
import type { PasskeyInfo } from './service.ts';
import {
  PasskeyBody,
  PasskeyChallengeBody,
  PasskeyList,
  PasskeyParams,
  PasskeyVerifyBody,
  PasskeyView,
} from './schemas.ts';

const operation = operationsOf<SecondFactorContext>({
  scope: 'fresh',
  tag: 'second-factor',
  allowsApps: true,
  limit: codeLimits.verify,
});

const toView = ({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyInfo): PasskeyView => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  backed_up: backedUp,
});

/** Signing in with a passkey as the second factor. */
export const passkeySignInOperations = [
  operation({
    scope: 'public',
    id: 'secondFactor.passkey_challenge',
    path: 'POST /api/auth/2fa/passkeys/challenge',
    summary: 'Start a sign-in with a passkey',
    description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`.',
    body: PasskeyChallengeBody,
    output: PasskeyRequestOptions,
    errors: [
      'auth.invalid_mfa_token',
      'second_factor.passkey_not_found',
      'second_factor.passkeys_unavailable',
    ],
    run: ({ signIn }, { mfa_token: token }) => signIn.passkeyOptions(token),
  }),
  operation({
    scope: 'public',
    id: 'secondFactor.verify_passkey',
    path: 'POST /api/auth/2fa/passkeys/verify',
    summary: 'Sign in with a passkey',
    description:
      'Completes the sign-in that the `mfa_token` belongs to. An invalid credential ' +
      'gets 400 `otp.invalid` and counts as a wrong code.',
    body: PasskeyVerifyBody,
    output: TokenResponse,
    errors: completionErrors,
    run({ signIn, clock }, { mfa_token: token, credential }, { request }) {
      const factor = { method: 'passkey', credential } as const;
      return signIn.completeAsBearer(token, factor, originOf(request, clock.now()));
    },
  }),
];

/** The passkeys of the signed-in user. */
export const passkeyListOperations = [
  operation({
    scope: 'signedIn',
    id: 'secondFactor.list_passkeys',
    path: 'GET /api/auth/2fa/passkeys',
    summary: 'List your passkeys',
    description: 'Oldest first.',
    limit: unlimited,
    output: PasskeyList,
    async run({ passkeys, guards }, _input, { request }) {
      const all = await passkeys.listOf(guards.sessionOf(request).userId);
      return { data: all.map(toView), total: all.length };
    },
  }),
];

/** Changes to the user's passkeys. */
export const passkeyOperations = [
  operation({
    id: 'secondFactor.passkey_options',
    path: 'POST /api/auth/2fa/passkeys/options',
    summary: 'Start adding a passkey',
    description:
      'Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. Users with a second ' +
      'factor must have signed in with it.',
    output: PasskeyCreationOptions,
    errors: [
      'second_factor.aal2_required',
      'users.review_account',
      'second_factor.too_many_passkeys',
      'second_factor.passkeys_unavailable',
    ],
    run: ({ passkeys, guards }, _input, { request }) =>
      passkeys.creationOptions(guards.sessionOf(request)),
  }),
  operation({
    id: 'secondFactor.add_passkey',
    path: 'POST /api/auth/2fa/passkeys',
    summary: 'Add a passkey',
    description: 'Every later sign-in requires a second factor. Ends other sessions.',
    status: 201,
    body: PasskeyBody,
    output: PasskeyView,
    errors: [
      'otp.invalid',
      'second_factor.aal2_required',
      'users.review_account',
      'second_factor.too_many_passkeys',
      'second_factor.passkeys_unavailable',
    ],
    async run(context, { credential, name }, call) {
      const { session, from } = callerOf(context, call);
      const passkey = await context.passkeys.enrol(session, credential, name ?? from.client, from);
      await context.sessions.endAll(session.userId, session.id);
      return toView(passkey);
    },
  }),
  operation({
    id: 'secondFactor.remove_passkey',
    path: 'DELETE /api/auth/2fa/passkeys/:id',
    summary: 'Remove a passkey',
    description:
      'Requires a sign-in with a second factor within the last five minutes. Ends ' +
      'other sessions and removes other devices.',
    params: PasskeyParams,
    output: OkView,
    errors: [
      'second_factor.aal2_required',
      'second_factor.passkey_not_found',
      'users.review_account',
    ],
    schema: { returns: 'The passkey is removed.' },
    async run(context, { id }, call) {
      const { session, from } = callerOf(context, call);
      await context.passkeys.remove(session, id, from);
      await context.factorRemoval(session, from);
      return { ok: true as const };
    },
  }),
];
