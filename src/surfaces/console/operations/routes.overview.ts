import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { type Requester, requesterOf } from '../../../platform/http/requester.ts';
import type { ConsoleLayout } from '../layout.ts';
import { looks } from '../limits.ts';
import { overviewPage, type OverviewView } from './overview-page.ts';
import { HtmlPage } from '../schemas.ts';
import type { Viewer, Viewers } from '../request-context.ts';
import type { SearchWords } from '../search-words.ts';

/** What every part of the console is given. */
export interface ConsoleRoutesOptions {
  consoleLayout: ConsoleLayout;
  viewerOf: Viewers;
  words: SearchWords;
}

export interface OverviewSource {
  view: (viewer: Viewer, by: Requester) => Promise<OverviewView>;
}

/** The first page of the console. */
export const overviewRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { overview: OverviewSource }
> = async (app, { consoleLayout, viewerOf, overview }) => {
  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.overview',
        summary: 'The console',
        tags: ['pages'],
        description:
          'How things are at a glance: status, visitors, what waits for somebody. Who is not signed in goes to the sign-in page, whose device is not cleared to the page of its state (303).',
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      return sendPage(
        reply,
        consoleLayout(
          overviewPage(await overview.view(viewer, requesterOf(request, reply)), viewer),
          viewer,
        ),
      );
    },
  );
};
