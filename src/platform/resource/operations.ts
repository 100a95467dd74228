import { z } from 'zod';
import { type Operation, operationsOf } from '../operations/operation.ts';
import { NextCursor } from '../validation/paging-schemas.ts';
import { BatchView, runAll } from './batch.ts';
import { bulkBodyOf } from './bulk-body.ts';
import { exportOperation, importOperation } from './operations.files.ts';
import {
  type BoundResource,
  entryParamsOf,
  ListQuery,
  listQueryOf,
  type Resource,
  splitParents,
} from './resource.ts';
import { resourceLimits } from './resource-limits.ts';

/** The schema of a page of the list. */
const pageOf = ({ view, type, texts, hasTotal = false }: Resource) =>
  z
    .object({
      data: z.array(view),
      next_cursor: NextCursor,
      ...(hasTotal && { total: z.int().describe('Number of entries on all pages.') }),
    })
    .meta({ id: `${type}List`, description: `A page of ${texts.many}.` });

const deletedOf = ({ type, texts, id = z.uuid() }: Resource) =>
  z
    .object({ deleted: z.literal(true), id })
    .meta({ id: `Deleted${type}`, description: `The id of the deleted ${bare(texts.one)}.` });

/** `a QR code` without its article. */
const bare = (one: string): string => one.replace(/^an? /, '');

/** Adds a sentence about retries, which hold for every change. */
const safelyRepeatable = (text: string): string =>
  `${text} Send an \`Idempotency-Key\` header to retry safely.`;

const operationOf = ({ resource: { scope, tag } }: BoundResource) =>
  operationsOf<object>({ scope, tag, limit: resourceLimits.read });

/** For changes: the limit, and whether they need a fresh sign-in. */
const changing = ({ resource: { freshFor } }: BoundResource) => ({
  limit: resourceLimits.write,
  needsFreshSignIn: freshFor === 'changes',
});

function readOperations(bound: BoundResource) {
  const { resource, service } = bound;
  const { name, path, texts, view, notFound, searches } = resource;
  const operation = operationOf(bound);
  return [
    operation({
      id: `${name}.list`,
      path: `GET ${path}`,
      summary: `List ${texts.many}`,
      description:
        `${texts.description} All filters must match; unknown ones are refused.` +
        (searches === undefined ? '' : ` \`q\` searches the ${searches}.`),
      params: resource.parents,
      query: listQueryOf(resource),
      output: pageOf(resource),
      errors: ['request.cursor_invalid'],
      run(_, input, { signal }) {
        const { parents, values } = splitParents(resource, input);
        return service.list(ListQuery.parse(values), signal, parents);
      },
    }),
    operation({
      id: `${name}.get`,
      path: `GET ${path}/:id`,
      summary: `Get ${texts.one}`,
      description: `Returns ${texts.one} by its id.`,
      params: entryParamsOf(resource),
      output: view,
      errors: [notFound],
      schema: { returns: `The ${bare(texts.one)}.` },
      run: (_, { id, ...parents }) => service.get(id, parents),
    }),
  ];
}

function createOperation(bound: BoundResource): Operation<object>[] {
  const { resource, service } = bound;
  const { create: body, name, path, texts, view, errors } = resource;
  const create = service.create?.bind(service);
  if (body === undefined || create === undefined) return [];
  return [
    operationOf(bound)({
      ...changing(bound),
      id: `${name}.create`,
      path: `POST ${path}`,
      summary: `Create ${texts.one}`,
      description: safelyRepeatable(`Creates ${texts.one}.`),
      params: resource.parents,
      body,
      output: resource.created ?? view,
      errors: errors?.create ?? [],
      schema: { returns: `The new ${bare(texts.one)}.` },
      run(_, input, { by }) {
        const { parents, values } = splitParents(resource, input);
        return create(values, by, parents);
      },
    }),
  ];
}

function updateOperation(bound: BoundResource): Operation<object>[] {
  const { resource, service } = bound;
  const { update: body, name, path, texts, view, errors, notFound } = resource;
  const update = service.update?.bind(service);
  if (body === undefined || update === undefined) return [];
  return [
    operationOf(bound)({
      ...changing(bound),
      id: `${name}.update`,
      path: `PATCH ${path}/:id`,
      summary: `Update ${texts.one}`,
      description: safelyRepeatable(`Changes ${texts.one}. Members that you omit stay unchanged.`),
      params: entryParamsOf(resource),
      body,
      output: view,
      errors: [notFound, ...(errors?.update ?? [])],
      schema: { returns: `The changed ${bare(texts.one)}.` },
      run(_, { id, ...input }, { by }) {
        const { parents, values } = splitParents(resource, input);
        return update(id, values, by, parents);
      },
    }),
  ];
}

function deleteOperation(bound: BoundResource): Operation<object>[] {
  const { resource, service } = bound;
  const { name, path, texts, errors, notFound, canDelete = true } = resource;
  const remove = service.delete?.bind(service);
  if (!canDelete || remove === undefined) return [];
  return [
    operationOf(bound)({
      ...changing(bound),
      id: `${name}.delete`,
      path: `DELETE ${path}/:id`,
      summary: `Delete ${texts.one}`,
      description: safelyRepeatable(`Deletes ${texts.one}. This cannot be undone.`),
      params: entryParamsOf(resource),
      output: deletedOf(resource),
      errors: [notFound, ...(errors?.delete ?? [])],
      async run(_, { id, ...parents }, { by }) {
        await remove(id, by, parents);
        return { deleted: true as const, id };
      },
    }),
  ];
}

const Changes = z.record(z.string(), z.unknown());

/** Changes of many entries in one request. */
function bulkOperation(bound: BoundResource): Operation<object>[] {
  const { resource, service } = bound;
  const { name, path, texts, canDelete = true, update, notFound, errors } = resource;
  if (!canDelete && update === undefined) return [];
  return [
    operationOf(bound)({
      ...changing(bound),
      limit: resourceLimits.file,
      id: `${name}.bulk`,
      path: `POST ${path}/bulk`,
      summary: `Change several ${texts.many}`,
      description:
        `Changes up to 500 ${texts.many} in one request, or deletes them. Members in \`set\` are ` +
        'set on each of `ids`. Each change succeeds or fails on its own.',
      params: resource.parents,
      body: bulkBodyOf(resource),
      output: BatchView,
      errors: [notFound, ...(errors?.update ?? []), ...(errors?.delete ?? [])],
      run(_, { ids, ...rest }, { by }) {
        const { parents } = splitParents(resource, { ...rest });
        const changes = Changes.safeParse('set' in rest ? rest.set : undefined).data;
        const run = async (id: string) =>
          changes === undefined
            ? service.delete?.(id, by, parents)
            : service.update?.(id, changes, by, parents);
        return runAll([...new Set(ids)].map((id) => ({ at: { id }, run: () => run(id) })));
      },
    }),
  ];
}

/**
 * The operations of a resource: list, get, create, update, delete, bulk, and CSV in and out, as far
 * as the resource has them.
 */
export const resourceOperations = (bound: BoundResource): Operation<object>[] => [
  ...readOperations(bound),
  ...createOperation(bound),
  ...updateOperation(bound),
  ...deleteOperation(bound),
  ...bulkOperation(bound),
  exportOperation(bound),
  ...importOperation(bound),
];
