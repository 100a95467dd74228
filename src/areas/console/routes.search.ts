import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { leadsOn, sendPage } from '../../platform/page-scope.ts';
import { isNavigation } from '../../platform/request-origin.ts';
import { looks } from './limits.ts';
import type { ConsoleRoutesOptions } from './routes.overview.ts';
import { type Found, searchPage } from './search-page.ts';
import { consoleHome, sectionsFor } from './sections.ts';

/** Finds what has a page of its own. */
export interface FinderSource {
  /** Sites and incidents: for everybody with a role. */
  figures: (text: string, most: number) => Promise<Found[]>;
  /** People, devices and API keys: for admins. */
  people: (text: string, most: number) => Promise<Found[]>;
}

const most = 20;
const SearchQuery = z.object({ q: z.string().max(200).trim().default('').describe('What a name, an address, a number or an id begins with.') });
const SearchView = z.object({ data: z.array(z.object({ name: z.string(), hint: z.string().describe('What it is.'), href: z.string() })) })
  .meta({ id: 'ConsoleSearch', examples: [{ data: [{ name: 'Ada Lovelace', hint: 'ada@example.com, admin', href: '/api/svc/console/users/01985f6e-3a10-7c41-9d52-5b8e2f7a1c04' }] }] });
const Answer = { description: 'What fits: a page for browsers, JSON for programs.', content: { 'text/html': { schema: z.string() }, 'application/json': { schema: SearchView } } };

/** Search over everything that has a page of its own. */
export const searchRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions & { finder: FinderSource }> = async (app, { consoleLayout, viewerOf, finder }) => {
  app.get('/search', {
    config: looks,
    schema: {
      operationId: 'console.search', summary: 'Search the console', description: 'Pages, sites and incidents; for admins also people, devices and API keys. At most 20.', tags: ['pages'],
      querystring: SearchQuery, response: { 200: Answer, ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.') },
    },
  }, async (request, reply) => {
    const { q: text } = request.query;
    const viewer = viewerOf(request);
    const words = text.toLowerCase();
    const pages = sectionsFor(viewer.roles).filter(({ name, hint }) => `${name} ${hint}`.toLowerCase().includes(words)).map(({ name, hint, path }) => ({ name, hint, href: consoleHome + path }));
    const found = text === '' ? [] : [...pages, ...(viewer.isAdmin ? await finder.people(text, most) : []), ...(await finder.figures(text, most))].slice(0, most);
    if (isNavigation(request)) return sendPage(reply, consoleLayout(searchPage(text, found, viewer.isAdmin), viewer));
    return reply.type('application/json; charset=utf-8').send({ data: found });
  });
};
