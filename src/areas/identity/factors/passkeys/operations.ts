import { codeLimits } from '../../../../platform/http/limits/code-limits.ts';
import { PasskeyCreationOptions } from './webauthn-schemas.ts';
import { unlimited } from '../../../../platform/operations/limits.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import { callerOf, type SecondFactorContext } from '../operations.ts';
import { OkView } from '../schemas.ts';
import type { PasskeyInfo } from './service.ts';
import { PasskeyBody, PasskeyList, PasskeyParams, PasskeyView } from './schemas.ts';

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
