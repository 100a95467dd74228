import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { carriedBy } from '../../../platform/operations/bound.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import {
  type BoundResource,
  entryParamsOf,
  filtersOf,
  ListQuery,
  selectionOf,
  type Values,
} from '../../../platform/resource/resource.ts';
import { asForm, FormValues, parseForm, requireWord, textOf } from '../forms.ts';
import { exportFormat, exportLinks, sendListExport } from '../list-export.tsx';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage, page, searchForm } from '../route-options.ts';
import { done, find } from '../schemas.ts';
import { bodyOfForm } from '../forms/schema-body.ts';
import { createdPage, entryPage } from './entry-page.tsx';
import { importRoutes } from './routes.import.ts';
import { resourceListPage } from './list-page.tsx';
import { recordsPage } from './records-page.tsx';
import { recordsPath, resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

type Options = ConsoleRoutesOptions & { bound: BoundResource };

const pageSize = 50;
const exportPageSize = 500;
const text = z.string().max(200).optional();

/** The query of a list page: filters as texts, which are checked when they are used. */
const ListPageQuery = z
  .object({ done, find, format: exportFormat, cursor: z.string().max(2000).optional(), sort: text })
  .catchall(text);

const givenTexts = ({ resource }: BoundResource, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    [...Object.keys(filtersOf(resource).shape), 'sort'].flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** The selection of a list page; unknown values are refused. */
function toSelection(bound: BoundResource, query: Values, q: string | undefined): Values {
  const given = Object.entries(givenTexts(bound, query)).map(([name, value]) => [
    name,
    booleans.get(value) ?? value,
  ]);
  const hasSearch = bound.resource.searches !== undefined && q !== undefined && q !== '';
  return parseForm(selectionOf(bound.resource), {
    ...Object.fromEntries(given),
    ...(hasSearch ? { q } : {}),
  });
}

function listRoutes(app: ConsoleScope, options: Options): void {
  const { bound, searchTerms, send } = options;
  const { resource, service } = bound;
  const path = resourcePath(resource);

  app.get(
    path,
    innerPage(`console.${resource.name}`, `Console: ${resource.texts.many}`, {
      querystring: ListPageQuery,
    }),
    async ({ query }, reply) => {
      const { find: sealed, format, cursor } = query;
      const found = searchTerms.open(sealed);
      const selection = toSelection(bound, query, found);
      const signal = disconnectSignal(reply);
      const list = (limit: number, after: string | undefined) =>
        service.list(ListQuery.parse({ ...selection, limit, cursor: after }), signal);
      if (format !== undefined)
        return sendListExport(reply, {
          name: path.split('/').at(-1) ?? resource.name,
          format,
          columns: exportColumnsOf(resource),
          readPage: (after) => list(exportPageSize, after),
        });
      const filters = { ...givenTexts(bound, query), find: sealed };
      return send(
        reply,
        resourceListPage({
          resource,
          page: await list(pageSize, cursor),
          query: filters,
          text: found,
          cursor,
          done: query.done,
          exportLinks: exportLinks(path, filters),
        }),
      );
    },
  );

  app.post(
    `${path}/find`,
    searchForm(`console.find_${resource.name}`, `Form: look for ${resource.texts.many}`, {
      body: FormValues,
    }),
    async ({ body }, reply) =>
      redirectTo(reply, path, {
        ...givenTexts(bound, body),
        find: searchTerms.seal(textOf(body, 'text')),
      }),
  );
}

function createRoute(app: ConsoleScope, { bound: { resource, service }, send }: Options): void {
  const { create: schema, created, name, texts: named } = resource;
  const create = service.create?.bind(service);
  if (schema === undefined || create === undefined) return;
  const path = resourcePath(resource);
  app.post(
    path,
    form(`console.create_${name}`, `Form: add ${named.one}`, { body: FormValues }),
    async (request, reply) => {
      const body = parseForm(schema, bodyOfForm(request.body, schema));
      const entry = await asForm(() => create(body, requestActor(request)));
      // What is shown only once can't be on a page of its own.
      if (created !== undefined) return send(reply, createdPage(resource, created, entry));
      return redirectTo(reply, `${path}/${entry.id}`, { done: 'created' });
    },
  );
}

function entryRoutes(app: ConsoleScope, { bound: { resource, service }, send }: Options): void {
  const { name, texts: named, update: schema, canDelete = true } = resource;
  const path = resourcePath(resource);

  app.get(
    `${path}/:id`,
    innerPage(`console.${name}_entry`, `Console: ${named.one}`, {
      params: entryParamsOf(resource),
      querystring: z.object({ done }),
      errors: [resource.notFound],
    }),
    async (request, reply) =>
      send(reply, entryPage(resource, await service.get(request.params.id), request.query)),
  );

  if (schema !== undefined)
    app.post(
      `${path}/:id`,
      form(`console.update_${name}`, `Form: change ${named.one}`, {
        params: entryParamsOf(resource),
        body: FormValues,
      }),
      async (request, reply) => {
        const { id } = request.params;
        const changes = parseForm(schema, bodyOfForm(request.body, schema));
        await asForm(async () => service.update?.(id, changes, requestActor(request)));
        return redirectTo(reply, `${path}/${id}`, { done: 'updated' });
      },
    );

  if (canDelete)
    app.post(
      `${path}/:id/delete`,
      form(`console.delete_${name}`, `Form: delete ${named.one}`, {
        params: entryParamsOf(resource),
        body: FormValues,
      }),
      async (request, reply) => {
        requireWord(request.body, texts.entry.word);
        await service.delete?.(request.params.id, requestActor(request));
        return redirectTo(reply, path, { done: 'deleted' });
      },
    );
}

/** The pages of all resources: an index, and for each a list and the page of an entry. */
export const resourceRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  const { resourceList, operationList } = options.services;
  app.get(
    recordsPath,
    page('console.records', 'Console: records', {
      description: 'The resources that the API offers. For admins on an approved device.',
    }),
    async (_request, reply) =>
      options.send(
        reply,
        recordsPage(
          resourceList.map(({ resource }) => resource),
          carriedBy('console', operationList),
        ),
      ),
  );
  for (const bound of resourceList) {
    importRoutes(app, { ...options, bound });
    if (bound.resource.consolePage !== undefined || bound.resource.parents !== undefined) continue;
    const all = { ...options, bound };
    listRoutes(app, all);
    createRoute(app, all);
    entryRoutes(app, all);
  }
};
