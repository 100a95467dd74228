import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { consolePath } from '../../lib/site-paths.ts';
import { leadsOn, sendPage } from '../../platform/ui/page-scope.ts';
import { type Requester, requesterOf } from '../../platform/http/requester.ts';
import { isNavigation } from '../../platform/http/request-origin.ts';
import { formLimit } from './form-values.ts';
import { looks } from './limits.ts';
import { withQuery } from './parts.ts';
import type { Viewer } from './request-context.ts';
import type { ConsoleRoutesOptions } from './operations/routes.overview.ts';
import { type Found, searchPage } from './search-page.ts';
import { find, HtmlPage } from './schemas.ts';
import { sectionsFor } from './sections.ts';

/** Finds what has a page of its own. */
export interface FinderSource {
  /** Sites and incidents: for everybody with a role. */
  figures: (text: string, most: number, by: Requester) => Promise<Found[]>;
  /** People, devices and API keys: for admins. */
  people: (text: string, most: number, by: Requester) => Promise<Found[]>;
}

const most = 20;
const tags = ['pages'];
const SearchForm = z.object({
  q: z
    .string()
    .max(200)
    .trim()
    .default('')
    .describe('What a name, an address, a number or an id begins with.'),
});
const SearchView = z
  .object({
    data: z.array(
      z.object({ name: z.string(), hint: z.string().describe('What it is.'), href: z.string() }),
    ),
  })
  .meta({
    id: 'ConsoleSearch',
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
const leads = leadsOn(
  'Nobody is signed in, or the device is not cleared: to where that is solved. Of a form: to the page of what fits.',
);

/** Search over everything that has a page of its own. */
export const searchRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { finder: FinderSource }
> = async (app, { consoleLayout, viewerOf, words, finder }) => {
  async function lookFor(
    text: string,
    { roles, isAdmin }: Viewer,
    by: Requester,
  ): Promise<Found[]> {
    if (text === '') return [];
    const wanted = text.toLowerCase();
    const pages = sectionsFor(roles)
      .filter(({ name, hint }) => `${name} ${hint}`.toLowerCase().includes(wanted))
      .map(({ name, hint, path }) => ({ name, hint, href: consolePath + path }));
    return [
      ...pages,
      ...(isAdmin ? await finder.people(text, most, by) : []),
      ...(await finder.figures(text, most, by)),
    ].slice(0, most);
  }

  app.get(
    '/search',
    {
      config: looks,
      schema: {
        operationId: 'console.search_page',
        summary: 'The console: what was found',
        description: 'The page to which the form of the search leads.',
        tags,
        querystring: z.object({ find }),
        errors: ['console.search_unreadable'],
        response: { 200: HtmlPage, ...leads },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const text = words.open(request.query.find) ?? '';
      return sendPage(
        reply,
        consoleLayout(
          searchPage(
            text,
            await lookFor(text, viewer, requesterOf(request, reply)),
            viewer.isAdmin,
          ),
          viewer,
        ),
      );
    },
  );

  app.post(
    '/search',
    {
      ...formLimit,
      config: looks,
      schema: {
        operationId: 'console.search',
        summary: 'Search the console',
        tags,
        body: SearchForm,
        response: { 200: SearchView, ...leads },
        description:
          'Pages, sites and incidents; for admins also people, devices and API keys. At most 20. The words are in the body, since addresses are kept in logs and histories; browsers are led to a page in whose address they are sealed.',
      },
    },
    async (request, reply) => {
      const { q: text } = request.body;
      if (isNavigation(request, reply))
        return reply.redirect(withQuery(`${consolePath}search`, { find: words.seal(text) }), 303);
      return reply.send({
        data: await lookFor(text, viewerOf(request), requesterOf(request, reply)),
      });
    },
  );
};
