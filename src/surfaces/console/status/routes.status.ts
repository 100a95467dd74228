import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { page } from '../route-options.ts';
import { done } from '../schemas.ts';
import { statusNotice } from './notices.tsx';
import { statusPage } from './status-page.tsx';

/** The state of the service. */
export const statusRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  { clock, services: { status, subscribers }, viewerOf, send },
) => {
  app.get(
    '/api/svc/console/status',
    page('console.status', 'Console: status and incidents', {
      querystring: z.object({ done }),
      description:
        'Components, open incidents and maintenance. Admins also get forms to change them.',
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const view = {
        state: status.state(),
        subscribers: viewer.isAdmin
          ? (await subscribers.list({ limit: 1 }, disconnectSignal(reply))).total
          : undefined,
        now: clock.now(),
      };
      return send(reply, statusPage(view, viewer, statusNotice(request.query.done)));
    },
  );
};
