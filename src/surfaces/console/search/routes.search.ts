import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import { redirectResponse } from '../../../platform/ui/page-scope.ts';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { isNavigation } from '../../../platform/http/requests/request-origin.ts';
import { pageLimit } from '../rate-limits.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { formBodyLimit, page } from '../route-options.ts';
import { find, HtmlPage } from '../schemas.ts';
import { search } from './search.ts';
import { searchPage } from './search-page.tsx';

const SearchForm = z.object({
  q: z
    .string()
    .max(200)
    .trim()
    .default('')
    .describe('Start of a name, email address, phone number or id.')
    .meta({ examples: ['ada'] }),
});
const SearchView = z
  .object({
    data: z.array(
      z.object({
        name: z.string(),
        hint: z.string().describe('Short description, such as an email address and role.'),
        href: z.string(),
      }),
    ),
  })
  .meta({
    id: 'ConsoleSearch',
    description:
      'Matching pages, sites and incidents; for admins also users, devices and API keys.',
    examples: [
      {
        data: [
          {
            name: 'Ada Lovelace',
            hint: 'ada@example.com, admin',
            href: '/api/svc/console/users/01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
          },
        ],
      },
    ],
  });
const redirects = redirectResponse(
  'Not signed in, or the device is not approved: redirect to the page for it. For forms: ' +
    'redirect to the results.',
);

function searchPageRoute(
  app: ConsoleScope,
  { services, viewerOf, send, searchTerms }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/search',
    page('console.search_page', 'Console: search results', {
      description: 'Search results page.',
      querystring: z.object({ find }),
      errors: ['console.search_unreadable'],
      response: { 200: HtmlPage, ...redirects },
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const text = searchTerms.open(request.query.find) ?? '';
      const found = await search(services, text, viewer, requesterOf(request, reply));
      return send(reply, searchPage(text, found, viewer.isAdmin));
    },
  );
}

/** The search: the palette gets JSON, browsers are redirected to the page of results. */
function searchRoute(
  app: ConsoleScope,
  { services, viewerOf, searchTerms }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/search',
    {
      bodyLimit: formBodyLimit,
      config: pageLimit,
      schema: {
        operationId: 'console.search',
        summary: 'Search the console',
        tags: ['pages'],
        body: SearchForm,
        response: { 200: SearchView, ...redirects },
        description:
          'Searches pages, sites and incidents; for admins, also users, devices and API ' +
          'keys. Returns at most 20 results. The search terms are in the body to keep ' +
          'them out of logs and browser history; for browsers, they are encrypted in the ' +
          'URL of the results page.',
      },
    },
    async (request, reply) => {
      const { q: text } = request.body;
      if (isNavigation(request, reply))
        return redirectTo(reply, `${consolePath}search`, { find: searchTerms.seal(text) });
      const data = await search(services, text, viewerOf(request), requesterOf(request, reply));
      return reply.send({ data });
    },
  );
}

export const searchRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  searchPageRoute(app, options);
  searchRoute(app, options);
};
