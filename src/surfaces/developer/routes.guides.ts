import { distance } from 'fastest-levenshtein';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject, memoizeByObjects } from '../../lib/memoize.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { varyOn } from '../../platform/http/vary.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { responsesOf, htmlContent, markdownContent, sendOnce } from './routes.contents.ts';
import type { Guide } from './library.ts';
import { guidesText, prefersMarkdown } from './markdown-pages.ts';
import { guidesPath } from './navigation.tsx';
import { guidePage, guidesPage, missingGuidePage, type Surroundings } from './pages.tsx';
import type { DeveloperPageContext } from './routes.ts';

const tags = ['pages'];
const GuideParams = z.object({
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,80}$/)
    .describe('The name of the guide, as in the list of guides.')
    .meta({ examples: ['sign-in'] }),
});
const notFound = {
  description: 'There is no such guide.',
  content: { 'text/html': { schema: z.string() } },
};
// Prepared content is cached for as long as the guide object exists.
const markdownOf = memoizeByObject((guide: Guide) => markdownContent(guide.markdown));
const missingGuide = (near: readonly Guide[]) =>
  requestErrors.not_found({
    detail: 'No guide has this name.',
    extra: { suggestions: near.map(({ slug }) => slug) },
  });

const maxSimilar = 3;

const haveCommonWord = (slug: string, other: string): boolean => {
  const words = new Set(other.split('-'));
  return slug.split('-').some((word) => word.length > 2 && words.has(word));
};

/** Suggests guides for an unknown slug: similarly spelt or with a common word, best first. */
function similarGuides(slug: string, guides: readonly Guide[]): Guide[] {
  const candidates = guides.map((guide) => ({
    guide,
    far: distance(slug, guide.slug),
    shares:
      haveCommonWord(slug, guide.slug) ||
      guide.slug.startsWith(slug) ||
      slug.startsWith(guide.slug),
  }));
  return candidates
    .filter(({ guide, far, shares }) => shares || far <= Math.max(2, guide.slug.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxSimilar)
    .map(({ guide }) => guide);
}

function registerGuide(app: ZodApp, { surroundings, layout }: DeveloperPageContext): void {
  const pageOf = memoizeByObjects((guide: Guide, now: Surroundings) =>
    htmlContent(layout(guidePage(guide, now))),
  );
  app.get(
    '/developer/guides/:slug',
    {
      schema: {
        operationId: 'developer.guide',
        summary: 'Guide page',
        returns: 'The guide, as HTML or Markdown.',
        description:
          'With `Accept: text/markdown`, returns Markdown. Unknown names get 404 with ' +
          'suggestions.',
        tags,
        params: GuideParams,
        errors: ['request.not_found'],
        response: { ...responsesOf('text/html', 'text/markdown'), 404: notFound },
      },
    },
    async (request, reply) => {
      varyOn(reply, 'accept');
      const { slug } = request.params;
      const { library } = surroundings();
      const guide = library.find(slug);
      if (guide !== undefined) {
        const answer = prefersMarkdown(request.headers.accept)
          ? markdownOf(guide)
          : pageOf(guide, surroundings());
        return sendCacheable(request, reply, answer);
      }
      const near = similarGuides(slug, library.guides());
      if (!isNavigation(request, reply)) throw missingGuide(near);
      return sendPage(
        reply.code(404).header('cache-control', 'no-store'),
        layout(missingGuidePage(slug, near, surroundings())),
      );
    },
  );
}

function registerList(app: ZodApp, { surroundings, layout, baseUrl }: DeveloperPageContext): void {
  const sendPageOnce = sendOnce(surroundings, (now) => htmlContent(layout(guidesPage(now))));
  const sendMarkdownOnce = sendOnce(surroundings, ({ library }) =>
    markdownContent(guidesText(library, { baseUrl })),
  );
  app.get(
    guidesPath,
    {
      schema: {
        operationId: 'developer.guides',
        summary: 'List of guides page',
        returns: 'The list of guides, as HTML or Markdown.',
        description: 'All guides by subject. With `Accept: text/markdown`, returns Markdown.',
        tags,
        response: responsesOf('text/html', 'text/markdown'),
      },
    },
    async (request, reply) => {
      varyOn(reply, 'accept');
      const send = prefersMarkdown(request.headers.accept) ? sendMarkdownOnce : sendPageOnce;
      return send(request, reply);
    },
  );
  app.get(
    '/developer/guides.md',
    {
      schema: {
        operationId: 'developer.guides_markdown',
        summary: 'List guides as Markdown',
        returns: 'The list of guides, as Markdown.',
        description: 'Links to the Markdown of each guide.',
        tags,
        response: responsesOf('text/markdown'),
      },
    },
    sendMarkdownOnce,
  );
}

function registerGuideMarkdown(app: ZodApp, { surroundings }: DeveloperPageContext): void {
  app.get(
    '/developer/guides/:slug.md',
    {
      schema: {
        operationId: 'developer.guide_markdown',
        summary: 'Get a guide as Markdown',
        returns: 'The guide, as Markdown.',
        description: 'The source of the guide, with the address of this server in its examples.',
        tags,
        params: GuideParams,
        errors: ['request.not_found'],
        response: responsesOf('text/markdown'),
      },
    },
    async (request, reply) => {
      const { library } = surroundings();
      const guide = library.find(request.params.slug);
      if (guide === undefined)
        throw missingGuide(similarGuides(request.params.slug, library.guides()));
      return sendCacheable(request, reply, markdownOf(guide));
    },
  );
}

/** The guides, as pages and as Markdown. */
export const guideRoutes: FastifyPluginAsyncZod<DeveloperPageContext> = async (app, shared) => {
  documentErrorPages(app, 'for browsers');
  registerList(app, shared);
  registerGuide(app, shared);
  registerGuideMarkdown(app, shared);
};
