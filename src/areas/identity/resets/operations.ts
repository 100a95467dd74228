import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { Guards } from '../sessions/guards.ts';
import { factorResetErrors } from './errors.ts';
import {
  ApproveFactorResetBody,
  FactorResetParams,
  FactorResetView,
  RequestFactorResetBody,
} from './schemas.ts';
import type { FactorResets } from './service.ts';
import { toResetView } from './views.ts';

export interface FactorResetContext {
  factorResets: FactorResets;
  guards: Pick<Guards, 'requireFresh' | 'sessionOf'>;
  clock: Clock;
}

const operation = operationsOf<FactorResetContext>({ scope: 'admin', tag: 'users' });

const changes = limited({ max: 20, seconds: 300 });
const changeErrors = [
  'auth.step_up_required',
  'users.not_found',
  'factor_resets.person_required',
  'factor_resets.own_account',
  'factor_resets.user_disabled',
];

async function latestOf({ factorResets }: FactorResetContext, userId: string) {
  const reset = await factorResets.latest(userId);
  if (reset === undefined) throw factorResetErrors.not_found();
  return toResetView(reset);
}

/** Resets of the second factors of other users, for admins. */
export const factorResetOperations = [
  operation({
    id: 'users.get_factor_reset',
    path: 'GET /api/v1/users/:id/factor-reset',
    summary: 'Get a user’s 2FA reset',
    description: 'The open reset, otherwise the most recent one.',
    params: FactorResetParams,
    output: FactorResetView,
    errors: ['users.not_found', 'factor_resets.not_found'],
    run: (context, { id }) => latestOf(context, id),
  }),
  operation({
    id: 'users.request_factor_reset',
    path: 'POST /api/v1/users/:id/factor-reset',
    summary: 'Request a 2FA reset',
    description:
      'For a user who lost every second factor. Another admin needs to approve it within 7 days, ' +
      'and it takes effect 24 hours later. The user is notified on every channel, and so are ' +
      'the other admins. Requires a sign-in within the last five minutes; API keys cannot do ' +
      'this. At most three for a user in 24 hours.',
    status: 201,
    limit: changes,
    params: FactorResetParams,
    body: RequestFactorResetBody,
    output: FactorResetView,
    errors: [
      ...changeErrors,
      'factor_resets.too_few_admins',
      'factor_resets.already_open',
      'factor_resets.nothing_to_reset',
      'factor_resets.rate_limited',
    ],
    async run({ factorResets, guards }, { id, reason }, { request, by }) {
      guards.requireFresh(request);
      return toResetView(await factorResets.request(id, reason, by));
    },
  }),
  operation({
    id: 'users.approve_factor_reset',
    path: 'POST /api/v1/users/:id/factor-reset/approve',
    summary: 'Approve a 2FA reset',
    description:
      'Requires an admin other than the one who requested it. After 24 hours, the factors ' +
      'are removed, the sessions end and the devices are revoked. Requires a sign-in ' +
      'within the last five minutes; API keys cannot do this. The same admin can repeat ' +
      'the call.',
    limit: changes,
    params: FactorResetParams,
    body: ApproveFactorResetBody.optional(),
    output: FactorResetView,
    errors: [
      ...changeErrors,
      'factor_resets.not_found',
      'factor_resets.own_request',
      'factor_resets.changed',
      'factor_resets.already_approved',
      'factor_resets.requester_gone',
    ],
    async run({ factorResets, guards }, _input, { request, by }) {
      guards.requireFresh(request);
      // Both have an `id`: that of the user, and that of the reset.
      const { id: userId } = FactorResetParams.parse(request.params);
      const body = ApproveFactorResetBody.nullish().parse(request.body);
      return toResetView(await factorResets.approve(userId, body?.id, by));
    },
  }),
  operation({
    id: 'users.cancel_factor_reset',
    path: 'DELETE /api/v1/users/:id/factor-reset',
    summary: 'Cancel a 2FA reset',
    description: 'Possible until it takes effect. Repeating the call has no effect.',
    status: 204,
    params: FactorResetParams,
    errors: ['factor_resets.not_found', 'factor_resets.took_effect'],
    schema: { response: { 204: z.undefined().describe('Canceled.') } },
    async run({ factorResets }, { id }, { by }) {
      await factorResets.cancel(id, by);
    },
  }),
];

const ownOperation = operationsOf<FactorResetContext>({
  scope: 'signedIn',
  tag: 'account',
  limit: limited({ max: 60, seconds: 60 }),
});

/** The reset of your own second factors: anyone who can sign in with one can cancel it. */
export const ownFactorResetOperations = [
  ownOperation({
    id: 'account.get_factor_reset',
    path: 'GET /api/v1/users/me/factor-reset',
    summary: 'Get your 2FA reset',
    description: 'The open reset, otherwise the most recent one.',
    output: FactorResetView,
    errors: ['factor_resets.not_found'],
    run: (context, _input, { request }) =>
      latestOf(context, context.guards.sessionOf(request).userId),
  }),
  ownOperation({
    id: 'account.cancel_factor_reset',
    path: 'DELETE /api/v1/users/me/factor-reset',
    summary: 'Cancel your 2FA reset',
    description:
      'Requires a session with the second factor. Without an open reset, the call has no ' +
      'effect.',
    status: 204,
    errors: ['second_factor.aal2_required', 'users.review_account'],
    schema: { response: { 204: z.undefined().describe('No reset is open anymore.') } },
    async run({ factorResets, guards, clock }, _input, { request }) {
      const session = guards.sessionOf(request);
      await factorResets.cancelOwn(session, originOf(request, clock.now()));
    },
  }),
];
