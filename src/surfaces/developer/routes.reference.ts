import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import { routeTable } from '../../platform/http/scopes.ts';
import { type ApiTag, readDocument } from './openapi-document.ts';
import { type Reference, referencePage, tagPage } from './page-reference.ts';
import type { Shared } from './routes.ts';

const tags = ['pages'];
const answers = {
  200: { content: { 'text/html': { schema: z.string() } } },
  304: z.undefined().describe('Nothing has changed.'),
};
const TagParams = z.object({
  tag: z
    .string()
    .regex(/^[a-z0-9-]{1,80}$/)
    .describe('What the operations are about, as in the reference.')
    .meta({ examples: ['otp'] }),
});

/**
 * The API reference as pages that can be read without scripts: one for all operations, and one for
 * each tag.
 */
export const referenceRoutes: FastifyPluginAsyncZod<Shared> = async (
  app,
  { surroundings, layout, baseUrl },
) => {
  documentErrorPages(app, 'for browsers');
  let known: Promise<Reference> | undefined;
  const read = async (): Promise<Reference> => ({
    document: await readDocument(app.swagger()),
    scopes: new Map(routeTable(app).map(({ operationId = '', scope }) => [operationId, scope])),
    baseUrl,
  });
  // With the first question: all routes are there then, and the start does not wait for it.
  const reference = () => (known ??= read());
  const page = (content: string) => ({
    content,
    type: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
  });
  const overview = memoizeByObject((all: Reference) =>
    page(layout(referencePage(all, surroundings()))),
  );
  const whole = memoizeByObject(async (tag: ApiTag) =>
    page(layout(await tagPage(tag, await reference(), surroundings()))),
  );

  app.get(
    '/developer/reference',
    {
      schema: {
        operationId: 'developer.reference',
        summary: 'Page of the API reference',
        description: 'Every operation, by what it is about.',
        tags,
        response: answers,
      },
    },
    async (request, reply) => sendCacheable(request, reply, overview(await reference())),
  );

  app.get(
    '/developer/reference/:tag',
    {
      schema: {
        operationId: 'developer.reference_tag',
        summary: 'Page of the operations of one tag',
        description: 'With fields, answers, and samples in three languages.',
        tags,
        params: TagParams,
        errors: ['request.not_found'],
        response: answers,
      },
    },
    async (request, reply) => {
      const { document } = await reference();
      const tag = document.tags.find(({ name }) => name === request.params.tag);
      if (tag === undefined)
        throw requestErrors.not_found({ detail: 'The reference has nothing of this name.' });
      return sendCacheable(request, reply, await whole(tag));
    },
  );
};
