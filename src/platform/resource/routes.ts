import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { approvedDevice } from '../http/access.ts';
import { requestActor } from '../http/requests/request-actor.ts';
import { disconnectSignal } from '../http/requests/requester.ts';
import { refusing, scope } from '../http/scopes.ts';
import { noStore } from '../http/security.ts';
import { stepUpRequired } from '../identity/freshness.ts';
import type { ZodApp } from '../http/zod-app.ts';
import { NextCursor } from '../validation/paging-schemas.ts';
import { type BoundResource, ListQuery, listQueryOf, type Resource } from './resource.ts';
import { resourceLimits } from './resource-limits.ts';
import { bulkRoute } from './routes.bulk.ts';
import { exportRoute, importRoutes } from './routes.csv.ts';

const EntryParams = z.object({ id: z.uuid().toLowerCase() });

/** The schema of a page of the list. */
const pageOf = ({ view, type, texts }: Resource) =>
  z
    .object({ data: z.array(view), next_cursor: NextCursor })
    .meta({ id: `${type}Page`, description: `A page of ${texts.many}.` });

const deletedOf = ({ type, texts }: Resource) =>
  z
    .object({ deleted: z.literal(true), id: z.uuid() })
    .meta({ id: `Deleted${type}`, description: `The id of ${texts.one}, which is deleted.` });

/** Adds a sentence about retries, which hold for every change. */
const safelyRepeatable = (text: string): string =>
  `${text} Send an \`Idempotency-Key\` header to retry safely.`;

function readRoutes(app: ZodApp, { resource, service }: BoundResource): void {
  const { name, path, tag, texts, view, notFound, searches } = resource;

  app.get(
    path,
    {
      config: resourceLimits.read,
      schema: {
        operationId: `${name}.list`,
        summary: `List ${texts.many}`,
        description:
          `${texts.description} All filters must match; unknown ones are refused.` +
          (searches === undefined ? '' : ` \`q\` searches the ${searches}.`),
        tags: [tag],
        errors: ['request.cursor_invalid'],
        querystring: listQueryOf(resource),
        response: { 200: pageOf(resource) },
      },
    },
    (request, reply) => service.list(ListQuery.parse(request.query), disconnectSignal(reply)),
  );

  app.get(
    `${path}/:id`,
    {
      config: resourceLimits.read,
      schema: {
        operationId: `${name}.get`,
        summary: `Get ${texts.one}`,
        description: texts.description,
        tags: [tag],
        params: EntryParams,
        errors: [notFound],
        response: { 200: view },
      },
    },
    (request) => service.get(request.params.id),
  );
}

function createRoute(app: ZodApp, { resource, service }: BoundResource): void {
  const { create: body, name, path, tag, texts, view, errors } = resource;
  const create = service.create?.bind(service);
  if (body === undefined || create === undefined) return;
  app.post(
    path,
    {
      config: resourceLimits.write,
      schema: {
        operationId: `${name}.create`,
        summary: `Create ${texts.one}`,
        description: safelyRepeatable('Answers with the new entry.'),
        tags: [tag],
        body,
        errors: errors?.create ?? [],
        response: { 200: view },
      },
    },
    (request) => create(request.body, requestActor(request)),
  );
}

function updateRoute(app: ZodApp, { resource, service }: BoundResource): void {
  const { update: body, name, path, tag, texts, view, errors, notFound } = resource;
  const update = service.update?.bind(service);
  if (body === undefined || update === undefined) return;
  app.patch(
    `${path}/:id`,
    {
      config: resourceLimits.write,
      schema: {
        operationId: `${name}.update`,
        summary: `Update ${texts.one}`,
        description: safelyRepeatable('Omitted members stay unchanged.'),
        tags: [tag],
        params: EntryParams,
        body,
        errors: [notFound, ...(errors?.update ?? [])],
        response: { 200: view },
      },
    },
    (request) => update(request.params.id, request.body, requestActor(request)),
  );
}

function deleteRoute(app: ZodApp, { resource, service }: BoundResource): void {
  const { name, path, tag, texts, errors, notFound, canDelete = true } = resource;
  const remove = service.delete?.bind(service);
  if (!canDelete || remove === undefined) return;
  app.delete(
    `${path}/:id`,
    {
      config: resourceLimits.write,
      schema: {
        operationId: `${name}.delete`,
        summary: `Delete ${texts.one}`,
        description: safelyRepeatable('This cannot be undone.'),
        tags: [tag],
        params: EntryParams,
        errors: [notFound, ...(errors?.delete ?? [])],
        response: { 200: deletedOf(resource) },
      },
    },
    async (request) => {
      await remove(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );
}

/** Refuses changes with an old sign-in before their body is read. */
const freshForChanges = ({ admitChange }: BoundResource) =>
  refusing({ errorsOfChanges: [stepUpRequired().code] }, (request: FastifyRequest): void => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) admitChange(requestActor(request));
  });

const resourceRoutes: FastifyPluginAsyncZod<{ bound: BoundResource }> = async (app, { bound }) => {
  noStore(app);
  readRoutes(app, bound);
  createRoute(app, bound);
  updateRoute(app, bound);
  deleteRoute(app, bound);
  bulkRoute(app, bound);
  exportRoute(app, bound);
  app.register(importRoutes, { bound });
};

/**
 * Registers the REST routes of a resource: list, get, create, update, delete, bulk, and CSV in and
 * out, as far as the resource has them. The caller opens the scope of the resource.
 */
export function registerResource(app: FastifyInstance, bound: BoundResource): void {
  const { resource } = bound;
  const register = (child: FastifyInstance) => void child.register(resourceRoutes, { bound });
  if (resource.freshFor === undefined) register(app);
  else scope(app, approvedDevice(resource.scope), freshForChanges(bound), register);
}
