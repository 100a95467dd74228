import { operationsOf } from '../../../platform/operations/operation.ts';
import type { AnalyticsContext } from '../compose.ts';
import { SiteParams } from '../sites/schemas.ts';
import {
  AnnotationListQuery,
  AnnotationPage,
  AnnotationParams,
  AnnotationView,
  CreateAnnotationBody,
  UpdateAnnotationBody,
} from './schemas.ts';

const reading = operationsOf<AnalyticsContext>({ scope: 'analytics:read', tag: 'sites' });
const operation = operationsOf<AnalyticsContext>({ scope: 'admin', tag: 'sites' });

export const annotationListOperations = [
  reading({
    id: 'analytics.list_annotations',
    path: 'GET /analytics/sites/:site_id/annotations',
    summary: 'List a site’s annotations',
    description: 'Notes about events such as releases, latest first. They are shown on the chart.',
    params: SiteParams,
    query: AnnotationListQuery,
    output: AnnotationPage,
    errors: ['analytics.site_unknown'],
    run: ({ annotations }, { site_id, ...query }, { signal }) =>
      annotations.listAnnotations(site_id, query, signal),
  }),
];

/** Annotation management. */
export const annotationOperations = [
  operation({
    id: 'analytics.create_annotation',
    path: 'POST /analytics/sites/:site_id/annotations',
    summary: 'Create an annotation',
    description:
      'Marks a release, campaign or outage on the chart. A site can have 10,000 annotations.',
    params: SiteParams,
    body: CreateAnnotationBody,
    status: 201,
    output: AnnotationView,
    errors: ['analytics.site_unknown', 'analytics.too_many_annotations'],
    run: ({ annotations }, { site_id, ...body }, { by }) =>
      annotations.createAnnotation(site_id, body, by),
  }),
  operation({
    id: 'analytics.update_annotation',
    path: 'PATCH /analytics/sites/:site_id/annotations/:id',
    summary: 'Update an annotation',
    description: 'Omitted fields stay unchanged.',
    params: AnnotationParams,
    body: UpdateAnnotationBody,
    output: AnnotationView,
    errors: ['analytics.site_unknown', 'analytics.annotation_unknown'],
    run: ({ annotations }, { site_id, id, ...changes }, { by }) =>
      annotations.updateAnnotation(site_id, id, changes, by),
  }),
  operation({
    id: 'analytics.delete_annotation',
    path: 'DELETE /analytics/sites/:site_id/annotations/:id',
    summary: 'Delete an annotation',
    description: 'This cannot be undone.',
    params: AnnotationParams,
    status: 204,
    errors: ['analytics.site_unknown', 'analytics.annotation_unknown'],
    run: ({ annotations }, { site_id, id }, { by }) =>
      annotations.deleteAnnotation(site_id, id, by),
  }),
];
