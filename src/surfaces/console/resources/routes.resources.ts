import { z } from 'zod';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import { type BoundResource, idOf, ListQuery } from '../../../platform/resource/resource.ts';
import { exportLinks, sendListExport } from '../list-export.tsx';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import type { ConsolePath } from '../sections.ts';
import { deleteEntryPage, editEntryPage, newEntryPage } from './form-pages.tsx';
import { familyOf } from './list-family.ts';
import { findRoute, givenTexts, ListPageQuery, toSelection } from './list-query.ts';
import { importRoutes } from './routes.import.ts';
import { resourceListPage } from './list-page.tsx';
import { backPath, entryPath, isInConsole, resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const pageSize = 50;
const exportPageSize = 500;
const listRoutes = (bound: BoundResource, path: ConsolePath): ConsoleRoute[] => {
  const { resource, service } = bound;
  return [
    page({
      id: `console.${resource.name}`,
      path,
      summary: `Console: ${resource.texts.many}`,
      query: ListPageQuery,
      async show(context, query, { reply, signal }) {
        const { find: sealed, format, cursor, done: doneKey } = query;
        const text = context.searchTerms.open(sealed);
        const selection = toSelection(bound, query, text);
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
        const found = await list(pageSize, cursor);
        const links = exportLinks(path, filters);
        const view = { resource, page: found, query: filters, text, cursor, done: doneKey };
        const family = await familyOf(context, resource, signal);
        return resourceListPage({ ...view, family, exportLinks: links });
      },
    }),
    findRoute(bound, path),
  ];
};

function createRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  const { create: body, name, texts: named } = resource;
  const create = service.create?.bind(service);
  if (body === undefined || create === undefined) return [];
  return [
    page({
      id: `console.new_${name}`,
      path: `${path}/new`,
      summary: `Console: add ${named.one}`,
      show: () => newEntryPage(resource),
    }),
    form({
      id: `console.create_${name}`,
      path,
      summary: `Form: add ${named.one}`,
      body,
      run: (_context, values, { by }) => create(values, by),
      to: (_values, { id }) => backPath(resource, id),
      done: 'created',
    }),
  ];
}

function editRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  const { name, texts: named, update: body } = resource;
  if (body === undefined) return [];
  const params = z.object({ id: idOf(resource) });
  return [
    page({
      id: `console.edit_${name}`,
      path: `${path}/:id/edit`,
      summary: `Console: change ${named.one}`,
      params,
      errors: [resource.notFound],
      show: async (_context, { id }) => editEntryPage(resource, await service.get(id)),
    }),
    form({
      id: `console.update_${name}`,
      path: `${path}/:id`,
      summary: `Form: change ${named.one}`,
      params,
      body,
      run: async (_context, { id, ...changes }, { by }) => service.update?.(id, changes, by),
      to: ({ id }) => backPath(resource, id),
      done: 'updated',
    }),
  ];
}

function deleteRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  const { name, texts: named, canDelete = true } = resource;
  if (!canDelete) return [];
  const params = z.object({ id: idOf(resource) });
  return [
    page({
      id: `console.confirm_delete_${name}`,
      path: `${path}/:id/delete`,
      summary: `Console: delete ${named.one}`,
      params,
      errors: [resource.notFound],
      show: async (_context, { id }) => deleteEntryPage(resource, await service.get(id)),
    }),
    form({
      id: `console.delete_${name}`,
      path: `${path}/:id/delete`,
      summary: `Form: delete ${named.one}`,
      params,
      word: texts.entry.word,
      run: async (_context, { id }, { by }) => service.delete?.(id, by),
      to: path,
      done: 'deleted',
    }),
  ];
}

/** Where an entry without a page of its own is: in the form that changes it. */
function entryRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  if (resource.entryPage !== undefined) return [];
  const { name, texts: named } = resource;
  return [
    page({
      id: `console.${name}_entry`,
      path: `${path}/:id`,
      summary: `Console: ${named.one}`,
      params: z.object({ id: idOf(resource) }),
      errors: [resource.notFound],
      async show(_context, { id }, { reply }) {
        await service.get(id);
        return reply.redirect(entryPath(resource, id), 302);
      },
    }),
  ];
}

function routesOf(bound: BoundResource): ConsoleRoute[] {
  const { consolePage } = bound.resource;
  if (!isInConsole(bound.resource)) return [];
  if (consolePage !== undefined) return importRoutes(bound);
  const path = resourcePath(bound.resource);
  return [
    ...importRoutes(bound),
    ...listRoutes(bound, path),
    ...createRoutes(bound, path),
    ...entryRoutes(bound, path),
    ...editRoutes(bound, path),
    ...deleteRoutes(bound, path),
  ];
}

/** The pages made from resources: for each a list, and forms. */
export const resourceRoutes = (resources: readonly BoundResource[]): ConsoleRoute[] =>
  resources.flatMap(routesOf);
