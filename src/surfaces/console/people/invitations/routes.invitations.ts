import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  CreateInvitationBody,
  InvitationFilters,
} from '../../../../areas/identity/invitations/schemas.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import { FormValues, parseForm, textOf } from '../../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, page } from '../../route-options.ts';
import { cursor, done, emptyable } from '../../schemas.ts';
import { invitationsPage } from './invitations-page.tsx';
import { invitationsPath } from './invitations-path.ts';

const pageSize = 50;
const Params = z.object({ id: z.uuid() });
const Query = z.object({
  status: emptyable(InvitationFilters.shape.status.unwrap()),
  cursor,
  done,
});

/** Errors of the service that the page shows above its list. */
const isShown = (error: unknown): error is AppError =>
  error instanceof AppError && /^(?:invitations\.|users\.|comms\.|console\.form)/.test(error.code);

/** Runs an action, and redirects to the list; a refusal is shown there. */
async function attempt(
  { services, sendAgain }: ConsoleRoutesOptions,
  reply: FastifyReply,
  name: string,
  action: () => Promise<unknown>,
): Promise<FastifyReply> {
  try {
    await action();
    return await redirectTo(reply, invitationsPath, { done: name });
  } catch (error) {
    if (!isShown(error)) throw error;
    const list = await services.invitations.list({ limit: pageSize });
    const view = { page: list, status: undefined, cursor: undefined };
    return sendAgain(error, reply, invitationsPage(view, { refused: error.message }));
  }
}

function listRoute(
  app: ConsoleScope,
  { services: { invitations }, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/users/invitations',
    page('console.invitations', 'Console: invitations', {
      description:
        'Invitations, newest first, and a form to send one. For admins on an approved device.',
      querystring: Query,
    }),
    async ({ query }, reply) => {
      const { status, cursor: after } = query;
      const list = await invitations.list(
        { filters: { status }, limit: pageSize, cursor: after },
        disconnectSignal(reply),
      );
      return send(
        reply,
        invitationsPage({ page: list, status, cursor: after }, { done: query.done }),
      );
    },
  );
}

function inviteRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, invitations } = options.services;
  app.post(
    '/api/svc/console/users/invitations',
    form('console.create_invitation', 'Form: invite a person', { body: FormValues }),
    async (request, reply) => {
      guards.requireFresh(request);
      return attempt(options, reply, 'sent', async () => {
        const body = parseForm(CreateInvitationBody, {
          email: textOf(request.body, 'email') ?? '',
          role: textOf(request.body, 'role'),
          note: textOf(request.body, 'note'),
        });
        return invitations.create(body, requestActor(request));
      });
    },
  );
}

function changeRoutes(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, invitations } = options.services;
  app.post(
    '/api/svc/console/users/invitations/:id/resend',
    form('console.resend_invitation', 'Form: send an invitation again', { params: Params }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      return attempt(options, reply, 'resent', () => invitations.resend(id, requestActor(request)));
    },
  );

  app.post(
    '/api/svc/console/users/invitations/:id/revoke',
    form('console.revoke_invitation', 'Form: revoke an invitation', { params: Params }),
    async (request, reply) => {
      const { id } = request.params;
      return attempt(options, reply, 'revoked', () =>
        invitations.revoke(id, requestActor(request)),
      );
    },
  );
}

/** Invitations: their list, and the forms that send and revoke them. */
export const invitationRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  listRoute(app, options);
  inviteRoute(app, options);
  changeRoutes(app, options);
};
