import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Annotations } from './annotations.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import {
  AnnotationListQuery,
  AnnotationPage,
  AnnotationParams,
  AnnotationView,
  UpdateAnnotationBody,
  CreateAnnotationBody,
} from './schemas.ts';
import { SiteParams } from '../sites/schemas.sites.ts';

interface AnnotationRoutesOptions {
  annotations: Annotations;
}

const tags = ['sites'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Annotations, for callers with `analytics:read`. */
export const annotationRoutes: FastifyPluginAsyncZod<AnnotationRoutesOptions> = async (
  app,
  { annotations },
) => {
  noStore(app);

  app.get(
    '/sites/:site_id/annotations',
    {
      config,
      schema: {
        operationId: 'analytics.list_annotations',
        summary: 'List the annotations of a site',
        description:
          'Notes about events such as releases, latest first. They are shown on the chart.',
        tags,
        params: SiteParams,
        querystring: AnnotationListQuery,
        errors: ['analytics.site_unknown'],
        response: { 200: AnnotationPage },
      },
    },
    (request, reply) =>
      annotations.listAnnotations(request.params.site_id, request.query, disconnectSignal(reply)),
  );
};

function createAnnotation(app: ZodApp, { annotations }: AnnotationRoutesOptions): void {
  app.post(
    '/sites/:site_id/annotations',
    {
      config,
      schema: {
        operationId: 'analytics.create_annotation',
        summary: 'Create an annotation',
        description:
          'Marks a release, campaign or outage on the chart. A site can have 10,000 annotations.',
        tags,
        params: SiteParams,
        body: CreateAnnotationBody,
        errors: ['analytics.site_unknown', 'analytics.too_many_annotations'],
        response: { 201: AnnotationView },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await annotations.createAnnotation(
            request.params.site_id,
            request.body,
            requestActor(request),
          ),
        ),
  );
}

function updateAnnotation(app: ZodApp, { annotations }: AnnotationRoutesOptions): void {
  app.patch(
    '/sites/:site_id/annotations/:id',
    {
      config,
      schema: {
        operationId: 'analytics.update_annotation',
        summary: 'Update an annotation',
        description: 'Omitted fields stay unchanged.',
        tags,
        params: AnnotationParams,
        body: UpdateAnnotationBody,
        errors: ['analytics.site_unknown', 'analytics.annotation_unknown'],
        response: { 200: AnnotationView },
      },
    },
    (request) =>
      annotations.updateAnnotation(
        request.params.site_id,
        request.params.id,
        request.body,
        requestActor(request),
      ),
  );
}

function deleteAnnotation(app: ZodApp, { annotations }: AnnotationRoutesOptions): void {
  app.delete(
    '/sites/:site_id/annotations/:id',
    {
      config,
      schema: {
        operationId: 'analytics.delete_annotation',
        summary: 'Delete an annotation',
        description: 'This cannot be undone.',
        tags,
        params: AnnotationParams,
        errors: ['analytics.site_unknown', 'analytics.annotation_unknown'],
        response: { 204: z.undefined().describe('Deleted.') },
      },
    },
    async (request, reply) => {
      await annotations.deleteAnnotation(
        request.params.site_id,
        request.params.id,
        requestActor(request),
      );
      return reply.code(204).send();
    },
  );
}

/** Annotation management, for admins. */
export const annotationAdminRoutes: FastifyPluginAsyncZod<AnnotationRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  createAnnotation(app, options);
  updateAnnotation(app, options);
  deleteAnnotation(app, options);
};
