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
    page('console.overview', 'The console', {
      description:
        'How things are at a glance: status, visitors, what waits for somebody. Who is not ' +
        'signed in goes to the sign-in page, whose device is not cleared to the page of its ' +
        'state (303).',
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const view = await readOverview(options, viewer, requesterOf(request, reply));
      return send(reply, overviewPage(view, viewer));
    },
  );
};
