import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorCatalogue } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { feedAnswer, feedKinds, feedNames, feedTypes } from '../../platform/ui/feeds.ts';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import type { SitePage } from '../../platform/ui/pages.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { changelogFeed } from './feeds.ts';
import { llmsFullText, llmsText } from './markdown-pages.ts';
import { errorsPage } from './page-errors.ts';
import { changelogPage, landingPage } from './pages.ts';
import type { Shared } from './routes.ts';

const tags = ['pages'];
const cacheControl = 'public, max-age=300';
const unchanged = z.undefined().describe('Nothing has changed.');
const answers = { 200: { content: { 'text/html': { schema: z.string() } } }, 304: unchanged };
const texts = { 200: { content: { 'text/plain': { schema: z.string() } } }, 304: unchanged };
const mostFound = 12;

/** The same function, which makes its result once. */
function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => (made ??= { result: make() }).result;
}

/**
 * The page that begins it all, with the search; errors, changes, and the lists for programs that
 * read.
 */
export const overviewRoutes: FastifyPluginAsyncZod<Shared> = async (
  app,
  { surroundings, layout, baseUrl },
) => {
  documentErrorPages(app, 'for browsers');
  const site = () => ({ appName: surroundings().appName, baseUrl });
  const page = (made: SitePage) => ({
    content: layout(made),
    type: 'text/html; charset=utf-8',
    cacheControl,
  });
  const text = (content: string) => ({ content, type: 'text/plain; charset=utf-8', cacheControl });
  const landing = once(() => page(landingPage(undefined, surroundings())));
  const errors = once(() => page(errorsPage(errorCatalogue(), surroundings())));
  const changelog = once(() =>
    page(changelogPage(surroundings().library.changelog(), surroundings())),
  );
  const llms = once(() => text(llmsText(surroundings().library, site())));
  const llmsFull = once(() => text(llmsFullText(surroundings().library, site())));

  app.get(
    '/developer',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'developer.landing',
        summary: 'Page for developers',
        description: 'All guides; with `q` what was found in them.',
        tags,
        querystring: z.object({
          q: z.string().trim().max(200).optional().describe('What to look for.'),
        }),
        response: answers,
      },
    },
    async (request, reply) => {
      const query = request.query.q ?? '';
      return sendCacheable(
        request,
        reply,
        query === ''
          ? landing()
          : page(
              landingPage(
                { query, found: surroundings().library.search(query, mostFound) },
                surroundings(),
              ),
            ),
      );
    },
  );

  app.get(
    '/developer/errors',
    {
      schema: {
        operationId: 'developer.errors',
        summary: 'Page of all error codes',
        description: 'One anchor for each code, such as `#otp.invalid`.',
        tags,
        response: answers,
      },
    },
    async (request, reply) => sendCacheable(request, reply, errors()),
  );

  app.get(
    '/developer/changelog',
    {
      schema: {
        operationId: 'developer.changelog',
        summary: 'Page of what changed',
        description: 'The newest first.',
        tags,
        response: answers,
      },
    },
    async (request, reply) => sendCacheable(request, reply, changelog()),
  );

  for (const kind of feedKinds) {
    const feed = once(async () => ({
      content: await changelogFeed(kind, surroundings().library.changelog(), site()),
      type: feedTypes[kind],
      cacheControl,
    }));
    app.get(
      `/developer/changelog/feed.${kind}`,
      {
        schema: {
          operationId: `developer.changelog_${kind}`,
          summary: `Changes as ${feedNames[kind]}`,
          description: 'Entries keep their ids.',
          tags,
          response: { 200: feedAnswer(kind), 304: unchanged },
        },
      },
      async (request, reply) => sendCacheable(request, reply, await feed()),
    );
  }

  app.get(
    '/llms.txt',
    {
      schema: {
        operationId: 'developer.llms',
        summary: 'List of the guides for programs that read',
        description: 'In the form of llmstxt.org.',
        tags,
        response: texts,
      },
    },
    async (request, reply) => sendCacheable(request, reply, llms()),
  );

  app.get(
    '/developer/llms-full.txt',
    {
      schema: {
        operationId: 'developer.llms_full',
        summary: 'All guides in one text',
        description: 'Markdown, one guide after the other.',
        tags,
        response: texts,
      },
    },
    async (request, reply) => sendCacheable(request, reply, llmsFull()),
  );
};
