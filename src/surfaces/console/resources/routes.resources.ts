import { z } from 'zod';
import { operationsFor } from '../../../platform/operations/bound.ts';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import {
  type BoundResource,
  filtersOf,
  idOf,
  ListQuery,
  selectionOf,
  type Values,
} from '../../../platform/resource/resource.ts';
import { withQuery } from '../components/navigation.tsx';
import { parseForm } from '../forms.ts';
import { exportFormat, exportLinks, sendListExport } from '../list-export.tsx';
import { pageLimit } from '../rate-limits.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import type { ConsolePath } from '../sections.ts';
import { done, find } from '../schemas.ts';
import { createdPage, entryPage } from './entry-page.tsx';
import { importRoutes } from './routes.import.ts';
import { resourceListPage } from './list-page.tsx';
import { recordsPage } from './records-page.tsx';
import { resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

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

const listRoutes = (bound: BoundResource, path: ConsolePath): ConsoleRoute[] => {
  const { resource, service } = bound;
  return [
    page({
      id: `console.${resource.name}`,
      path,
      summary: `Console: ${resource.texts.many}`,
      query: ListPageQuery,
      async show({ searchTerms }, query, { reply, signal }) {
        const { find: sealed, format, cursor, done: doneKey } = query;
        const text = searchTerms.open(sealed);
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
        return resourceListPage({ ...view, exportLinks: links });
      },
    }),
    form({
      id: `console.find_${resource.name}`,
      path: `${path}/find`,
      summary: `Form: search ${resource.texts.many}`,
      limit: pageLimit,
      body: z.looseObject({ text: z.string().optional() }),
      read: (values) => givenTexts(bound, values),
      run: ({ searchTerms }, { text }) => searchTerms.seal(text),
      to: (values, find) => withQuery(path, { ...givenTexts(bound, values), find }),
    }),
  ];
};

function createRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  const { create: body, created, name, texts: named } = resource;
  const create = service.create?.bind(service);
  if (body === undefined || create === undefined) return [];
  return [
    form({
      id: `console.create_${name}`,
      path,
      summary: `Form: add ${named.one}`,
      body,
      run: (_context, values, { by }) => create(values, by),
      // What is shown only once can't be on a page of its own.
      to: (_values, entry) =>
        created === undefined
          ? withQuery(`${path}/${entry.id}`, { done: 'created' })
          : createdPage(resource, created, entry),
    }),
  ];
}

function changeRoutes({ resource, service }: BoundResource, path: ConsolePath): ConsoleRoute[] {
  const { name, texts: named, update: body, canDelete = true } = resource;
  const params = z.object({ id: idOf(resource) });
  const updating =
    body &&
    form({
      id: `console.update_${name}`,
      path: `${path}/:id`,
      summary: `Form: change ${named.one}`,
      params,
      body,
      run: async (_context, { id, ...changes }, { by }) => service.update?.(id, changes, by),
      to: ({ id }) => `${path}/${id}`,
      done: 'updated',
    });
  const deleting =
    canDelete &&
    form({
      id: `console.delete_${name}`,
      path: `${path}/:id/delete`,
      summary: `Form: delete ${named.one}`,
      params,
      word: texts.entry.word,
      run: async (_context, { id }, { by }) => service.delete?.(id, by),
      to: path,
      done: 'deleted',
    });
  return [
    page({
      id: `console.${name}_entry`,
      path: `${path}/:id`,
      summary: `Console: ${named.one}`,
      params,
      query: z.object({ done }),
      errors: [resource.notFound],
      show: async (_context, { id, done: doneKey }) =>
        entryPage(resource, await service.get(id), doneKey),
    }),
    ...(updating ? [updating] : []),
    ...(deleting ? [deleting] : []),
  ];
}

function routesOf(bound: BoundResource): ConsoleRoute[] {
  const { consolePage, parents } = bound.resource;
  if (consolePage !== undefined || parents !== undefined) return importRoutes(bound);
  const path = resourcePath(bound.resource);
  return [
    ...importRoutes(bound),
    ...listRoutes(bound, path),
    ...createRoutes(bound, path),
    ...changeRoutes(bound, path),
  ];
}

/** The pages of all resources: an index, and for each a list and the page of an entry. */
export const resourceRoutes = (resources: readonly BoundResource[]): ConsoleRoute[] => [
  page({
    id: 'console.records',
    path: '/api/svc/console/records',
    summary: 'Console: records',
    description: 'The resources that the API offers. For admins on an approved device.',
    show: ({ operationList }) =>
      recordsPage(
        resources.map(({ resource }) => resource),
        operationsFor('console', operationList),
      ),
  }),
  ...resources.flatMap(routesOf),
];
