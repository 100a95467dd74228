import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  ApproveFactorResetBody,
  FactorResetParams,
  RequestFactorResetBody,
} from '../../../../areas/identity/resets/schemas.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { FormValues, parseForm, requireWord, textOf } from '../../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form } from '../../route-options.ts';
import { confirmationOf, userPath } from '../labels.tsx';

function requestRoute(
  app: ConsoleScope,
  { services: { guards, users, factorResets } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/factor-reset/request',
    form('console.request_factor_reset', 'Form: request a 2FA reset', {
      params: FactorResetParams,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      requireWord(request.body, confirmationOf(await users.get(id)));
      const { reason } = parseForm(RequestFactorResetBody, {
        reason: textOf(request.body, 'reason') ?? '',
      });
      await factorResets.request(id, reason, requestActor(request));
      return redirectTo(reply, userPath(id), { done: 'reset_requested' });
    },
  );
}

function approveRoute(
  app: ConsoleScope,
  { services: { guards, users, factorResets } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/factor-reset/approve',
    form('console.approve_factor_reset', 'Form: approve a 2FA reset', {
      params: FactorResetParams,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      requireWord(request.body, confirmationOf(await users.get(id)));
      // The one that the page showed, which may have been replaced meanwhile.
      const shown = parseForm(ApproveFactorResetBody.required(), {
        id: textOf(request.body, 'reset'),
      });
      await factorResets.approve(id, shown.id, requestActor(request));
      return redirectTo(reply, userPath(id), { done: 'reset_approved' });
    },
  );
}

function cancelRoute(
  app: ConsoleScope,
  { services: { factorResets } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/factor-reset/cancel',
    form('console.cancel_factor_reset', 'Form: cancel a 2FA reset', {
      params: FactorResetParams,
      body: z.object({}),
    }),
    async (request, reply) => {
      const { id } = request.params;
      await factorResets.cancel(id, requestActor(request));
      return redirectTo(reply, userPath(id), { done: 'reset_canceled' });
    },
  );
}

/** Forms for 2FA resets. Asking for one and approving one need a fresh sign-in. */
export const factorResetFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  requestRoute(app, options);
  approveRoute(app, options);
  cancelRoute(app, options);
};
