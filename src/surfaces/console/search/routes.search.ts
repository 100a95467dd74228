import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import { redirectResponse } from '../../../platform/ui/page-scope.ts';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { isNavigation } from '../../../platform/http/requests/request-origin.ts';
import { pageLimit } from '../rate-limits.ts';
import { type ConsoleRoute, redirectTo } from '../request-context.ts';
import { formBodyLimit } from '../route-options.ts';
import { page } from '../routes.pages.ts';
import { find } from '../schemas.ts';
import { findPages, search } from './search.ts';
import { searchPage } from './search-page.tsx';

/** The most results of one kind. */
const paletteResults = 5;
const pageResults = 20;

const SearchForm = z.object({
  q: z
    .string()
    .max(200)
    .trim()
    .default('')
    .describe('Any part of a name, an address, a number, a code or another text; or an id.')
    .meta({ examples: ['ada'] }),
});
const SearchView = z
  .object({
    data: z.array(
      z.object({
        name: z.string(),
        hint: z.string().describe('Short description, such as an email address.'),
        href: z.string(),
        group: z.string().describe('What kind of thing it is, such as `Users`.'),
        icon: z.string().describe('The name of its icon.'),
      }),
    ),
  })
  .meta({
    id: 'ConsoleSearch',
    description:
      'Matching pages, sites, incidents and guides; for admins also people, devices, ' +
      'API keys, codes, tags, messages and waitlist entries.',
    examples: [
      {
        data: [
          {
            name: 'Ada Lovelace',
            hint: 'ada@example.com',
            href: '/api/svc/console/users/01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
            group: 'Users',
            icon: 'user',
          },
        ],
      },
    ],
  });
const redirects = redirectResponse(
  'Not signed in, or the device is not approved: redirect to the page for it. For forms: ' +
    'redirect to the results.',
);

const searchOptions = {
  bodyLimit: formBodyLimit,
  config: pageLimit,
  schema: {
    operationId: 'console.search',
    summary: 'Search the console',
    tags: ['pages'],
    body: SearchForm,
    response: { 200: SearchView, ...redirects },
    description:
      'Searches pages, sites, incidents and guides; for admins, also people, devices, ' +
      'API keys, QR codes, NFC tags, messages and waitlist entries. Everything matches by any ' +
      'part of its text. Returns the five newest of each kind. The text is in the body to keep ' +
      'them out of logs and browser history; for browsers, they are encrypted in the ' +
      'URL of the results page.',
  },
};

/** The search: the palette gets JSON, browsers are redirected to the page of results. */
export const searchRoutes: readonly ConsoleRoute[] = [
  page({
    id: 'console.search_page',
    path: '/api/svc/console/search',
    summary: 'Console: search results',
    description: 'Search results page.',
    query: z.object({ find }),
    errors: ['console.search_unreadable'],
    redirects,
    async show(context, query, { request, requester }) {
      const viewer = context.viewerOf(request);
      const text = context.searchTerms.open(query.find) ?? '';
      const found = await search(context, text, viewer, { by: requester, limit: pageResults });
      return searchPage(text, found, viewer);
    },
  }),
  {
    path: '/api/svc/console/search',
    add(app, context) {
      app.post('/api/svc/console/search', searchOptions, async (request, reply) => {
        const { q: text } = request.body;
        if (isNavigation(request, reply)) {
          const sealed = context.searchTerms.seal(text);
          return redirectTo(reply, `${consolePath}search`, { find: sealed });
        }
        const viewer = context.viewerOf(request);
        const by = requesterOf(request, reply);
        const found = await search(context, text, viewer, { by, limit: paletteResults });
        const groups = [findPages(text, viewer), ...found];
        return reply.send({
          data: groups.flatMap(({ title: group, icon, found }) =>
            found.map((each) => ({ ...each, group, icon })),
          ),
        });
      });
    },
  },
];
