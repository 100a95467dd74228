import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorCatalogue } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { feedResponse, type FeedKind, feedNames, feedTypes } from '../../platform/ui/feeds.ts';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import {
  responsesOf,
  feedContent,
  htmlContent,
  sendOnce,
  textContent,
  unchanged,
} from './routes.contents.ts';
import { changeKinds } from './guide-library.ts';
import { changelogFeed } from './feeds.ts';
import { llmsFullText, llmsText } from './markdown-pages.ts';
import { errorsPage } from './page-errors.tsx';
import { changelogPage } from './page-changelog.tsx';
import { landingPage } from './page-landing.tsx';
import type { DeveloperPageContext } from './routes.ts';

const tags = ['pages'];
const maxResults = 12;

function registerLandingPage(app: ZodApp, { surroundings, layout }: DeveloperPageContext): void {
  const sendLanding = sendOnce(surroundings, (now) =>
    htmlContent(layout(landingPage(undefined, now))),
  );
  app.get(
    '/developer',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'developer.landing',
        summary: 'Developer home page',
        description: 'All guides, or the search results for `q`.',
        tags,
        querystring: z.object({
          q: z
            .string()
            .trim()
            .max(200)
            .optional()
            .describe('Search terms.')
            .meta({ examples: ['rate limits'] }),
        }),
        response: responsesOf('text/html'),
      },
    },
    async (request, reply) => {
      const query = request.query.q ?? '';
      if (query === '') return sendLanding(request, reply);
      const found = surroundings().library.search(query, maxResults);
      const page = landingPage({ query, found }, surroundings());
      return sendCacheable(request, reply, htmlContent(layout(page)));
    },
  );
}

function registerErrorsPage(app: ZodApp, { surroundings, layout }: DeveloperPageContext): void {
  app.get(
    '/developer/errors',
    {
      schema: {
        operationId: 'developer.errors',
        summary: 'Error codes page',
        description: 'One anchor for each code, such as `#otp.invalid`.',
        tags,
        response: responsesOf('text/html'),
      },
    },
    sendOnce(surroundings, (now) => htmlContent(layout(errorsPage(errorCatalogue(), now)))),
  );
}

const ChangelogQuery = z.object({
  kind: z.enum(changeKinds).optional().describe('Only changes of this kind.'),
  area: z
    .string()
    .trim()
    .max(60)
    .optional()
    .describe('Only changes to this part of the service.')
    .meta({ examples: ['Analytics'] }),
});

function registerChangelog(app: ZodApp, { surroundings, layout }: DeveloperPageContext): void {
  const sendWhole = sendOnce(surroundings, (now) => htmlContent(layout(changelogPage({}, now))));
  app.get(
    '/developer/changelog',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'developer.changelog',
        summary: 'Changelog page',
        description: 'Newest first. Filter it by `kind` and `area`.',
        tags,
        querystring: ChangelogQuery,
        response: responsesOf('text/html'),
      },
    },
    async (request, reply) => {
      const { kind, area } = request.query;
      if (kind === undefined && area === undefined) return sendWhole(request, reply);
      const page = changelogPage({ kind, area }, surroundings());
      return sendCacheable(request, reply, htmlContent(layout(page)));
    },
  );
}

function registerChangelogFeeds(app: ZodApp, { surroundings, baseUrl }: DeveloperPageContext) {
  const feed = (kind: FeedKind, operationId: string) =>
    [
      {
        schema: {
          operationId,
          summary: `Get the changelog as ${feedNames[kind]}`,
          description: 'Updated entries keep their ids.',
          tags,
          returns: `The changelog, as ${feedNames[kind]}.`,
          response: { 200: feedResponse(kind), 304: unchanged },
        },
      },
      sendOnce(surroundings, async ({ appName, library }) => {
        const site = { appName, baseUrl };
        return feedContent(await changelogFeed(kind, library.changelog(), site), feedTypes[kind]);
      }),
    ] as const;
  app.get('/developer/changelog/feed.atom', ...feed('atom', 'developer.changelog_atom'));
  app.get('/developer/changelog/feed.rss', ...feed('rss', 'developer.changelog_rss'));
  app.get('/developer/changelog/feed.json', ...feed('json', 'developer.changelog_json'));
}

function registerLlmsTexts(app: ZodApp, { surroundings, baseUrl }: DeveloperPageContext): void {
  app.get(
    '/llms.txt',
    {
      schema: {
        operationId: 'developer.llms',
        summary: 'Get llms.txt',
        returns: 'A list of the guides with their URLs, as plain text (llms.txt).',
        description: 'In the llmstxt.org format.',
        tags,
        response: responsesOf('text/plain'),
      },
    },
    sendOnce(surroundings, ({ appName, library }) =>
      textContent(llmsText(library, { appName, baseUrl })),
    ),
  );
  app.get(
    '/developer/llms-full.txt',
    {
      schema: {
        operationId: 'developer.llms_full',
        summary: 'Get all guides in one file',
        returns: 'All guides in one plain-text file.',
        description: 'All guides in Markdown.',
        tags,
        response: responsesOf('text/plain'),
      },
    },
    sendOnce(surroundings, ({ appName, library }) =>
      textContent(llmsFullText(library, { appName, baseUrl })),
    ),
  );
}

/** The landing page with its search, the error catalogue, the changelog, and the llms texts. */
export const overviewRoutes: FastifyPluginAsyncZod<DeveloperPageContext> = async (app, shared) => {
  documentErrorPages(app, 'for browsers');
  registerLandingPage(app, shared);
  registerErrorsPage(app, shared);
  registerChangelog(app, shared);
  registerChangelogFeeds(app, shared);
  registerLlmsTexts(app, shared);
};
