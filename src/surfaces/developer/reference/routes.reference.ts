import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject, memoizeByObjects } from '../../../lib/memoize.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { sendCacheable } from '../../../platform/http/etag.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { ReferenceFiles } from '../../../platform/openapi/swagger-files.ts';
import { documentErrorPages } from '../../../platform/ui/page-scope.ts';
import { routeTable } from '../../../platform/http/scopes.ts';
import { responsesOf, htmlContent } from '../routes.contents.ts';
import { type ApiTag, readDocument } from './openapi-document.ts';
import { interactivePage } from './page-interactive.tsx';
import { type Reference, referencePage, tagPage } from './page-reference.tsx';
import type { Surroundings } from '../pages.tsx';
import type { DeveloperPageContext } from '../routes.ts';

const tags = ['pages'];
const TagParams = z.object({
  tag: z
    .string()
    .regex(/^[a-z0-9-]{1,80}$/)
    .describe('Tag, as named in the reference.')
    .meta({ examples: ['otp'] }),
});

interface ReferencePages extends Pick<DeveloperPageContext, 'surroundings' | 'layout'> {
  reference: () => Promise<Reference>;
}

function registerReference(app: ZodApp, { surroundings, layout, reference }: ReferencePages): void {
  const pageOf = memoizeByObject((whole: Reference) =>
    htmlContent(layout(referencePage(whole, surroundings()))),
  );
  app.get(
    '/developer/reference',
    {
      schema: {
        operationId: 'developer.reference',
        summary: 'API reference page',
        description: 'All operations by tag.',
        tags,
        response: responsesOf('text/html'),
      },
    },
    async (request, reply) => sendCacheable(request, reply, pageOf(await reference())),
  );
}

function registerTag(app: ZodApp, { surroundings, layout, reference }: ReferencePages): void {
  const pageOf = memoizeByObject(async (tag: ApiTag) =>
    htmlContent(layout(await tagPage(tag, await reference(), surroundings()))),
  );
  app.get(
    '/developer/reference/:tag',
    {
      schema: {
        operationId: 'developer.reference_tag',
        summary: 'API reference page for one tag',
        description: 'Fields, responses and code samples in three languages.',
        tags,
        params: TagParams,
        errors: ['request.not_found'],
        response: responsesOf('text/html'),
      },
    },
    async (request, reply) => {
      const { document } = await reference();
      const tag = document.tags.find(({ name }) => name === request.params.tag);
      if (tag === undefined)
        throw requestErrors.not_found({ detail: 'The reference has no section with this name.' });
      return sendCacheable(request, reply, await pageOf(tag));
    },
  );
}

/** The API reference, readable without scripts: an overview, and a page per tag. */
export const referenceRoutes: FastifyPluginAsyncZod<DeveloperPageContext> = async (
  app,
  { surroundings, layout, baseUrl },
) => {
  documentErrorPages(app, 'for browsers');
  let cached: Promise<Reference> | undefined;
  const read = async (): Promise<Reference> => ({
    document: readDocument(await app.openApiDocument()),
    scopes: new Map(routeTable(app).map(({ operationId = '', scope }) => [operationId, scope])),
    baseUrl,
  });
  // Read on the first request: by then all routes are registered, and startup is not delayed.
  const reference = () => (cached ??= read());
  const interactive = memoizeByObjects(async (_surroundings: Surroundings, files: ReferenceFiles) =>
    htmlContent(layout(interactivePage((await reference()).document, files))),
  );
  app.setReferencePage((files) => interactive(surroundings(), files));
  registerReference(app, { surroundings, layout, reference });
  registerTag(app, { surroundings, layout, reference });
};
