import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { page } from '../route-options.ts';
import { readOverview } from './overview.ts';
import { overviewPage } from './overview-page.tsx';

/** The overview, which is the first page of the console. */
export const overviewRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  const { viewerOf, send } = options;
  app.get(
    '/api/svc/console/',
    page('console.overview', 'Console overview page', {
      description:
        'Status, visitors and pending tasks. Redirects to the sign-in page, or to the ' +
        'devices page if the device is not approved (303).',
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const view = await readOverview(options, viewer, requesterOf(request, reply));
      return send(reply, overviewPage(view, viewer));
    },
  );
};
