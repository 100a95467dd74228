import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { FormValues, parseForm, textOf } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage, searchForm } from '../route-options.ts';
import { cursor, done, find } from '../schemas.ts';
import { statusNotice } from './notices.tsx';
import { subscribersPage, subscribersPath } from './subscribers-page.tsx';

const FindForm = z.object({ email: z.string().trim().max(320).default('') });

const pageSize = 25;

function subscribersPageRoute(
  app: ConsoleScope,
  { services: { subscribers }, searchTerms, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/status/subscribers',
    innerPage('console.subscribers', 'The console: subscribers of the status', {
      querystring: z.object({ done, find, cursor }),
    }),
    async ({ query }, reply) => {
      const email = searchTerms.open(query.find);
      const page = await subscribers.list(
        { limit: pageSize, cursor: query.cursor, email },
        disconnectSignal(reply),
      );
      const view = { page, email, find: query.find, isFirst: query.cursor === undefined };
      return send(reply, subscribersPage(view, statusNotice(query.done)));
    },
  );
}

function findSubscribersRoute(app: ConsoleScope, { searchTerms }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/status/subscribers/find',
    searchForm('console.find_subscribers', 'Form: look for an address', { body: FindForm }),
    async ({ body }, reply) =>
      redirectTo(reply, subscribersPath, { find: searchTerms.seal(body.email) }),
  );
}

function deleteSubscriberRoute(
  app: ConsoleScope,
  { services: { subscribers } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/status/subscribers/remove',
    form('console.delete_subscriber', 'Form: take an address off the updates', {
      body: FormValues,
    }),
    async (request, reply) => {
      const id = parseForm(z.uuid(), textOf(request.body, 'id'));
      await subscribers.delete(id, requestActor(request));
      return redirectTo(reply, subscribersPath, { done: 'subscriber_removed' });
    },
  );
}

/** Subscribers to status updates by email. */
export const subscriberRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  subscribersPageRoute(app, options);
  findSubscribersRoute(app, options);
  deleteSubscriberRoute(app, options);
};
