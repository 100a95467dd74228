import { z } from 'zod';
import { type Operation, operationsOf } from '../operations/operation.ts';
import { BatchView } from './batch.ts';
import { exportColumnsOf, importColumnsOf, maxImportRows } from './entry-csv.ts';
import { importerOf } from './import.ts';
import { sendListFile } from './list-file.ts';
import { resourceLimits } from './resource-limits.ts';
import {
  type BoundResource,
  ListQuery,
  type Resource,
  selectionOf,
  splitParents,
} from './resource.ts';

const maxExportRows = 100_000;
const pageSize = 500;
const bodyLimit = 2 * 1024 * 1024;

const format = z.enum(['csv', 'json']).default('csv').describe('Format of the file.');
const FileQuery = z.looseObject({ format });
const fileName = (path: string): string => path.split('/').at(-1) ?? 'list';

const operationOf = ({ resource: { scope, tag } }: BoundResource) =>
  operationsOf<object>({ scope, tag, limit: resourceLimits.file });

function fileOf(resource: Resource) {
  const header = exportColumnsOf(resource).map(([column]) => column);
  const csv = z.string().meta({ examples: [`${header.join(',')}\r\n`] });
  const json = z.object({ data: z.array(z.looseObject({})) });
  return { content: { 'text/csv': { schema: csv }, 'application/json': { schema: json } } };
}

/** The list as a file. */
export function exportOperation(bound: BoundResource): Operation<object> {
  const { resource, service } = bound;
  const { name, path, texts } = resource;
  return operationOf(bound)({
    id: `${name}.export`,
    path: `GET ${path}/export`,
    summary: `Export ${texts.many}`,
    description:
      `Returns the ${texts.many} that match the filters as CSV or JSON, at most ` +
      `${maxExportRows.toLocaleString('en-US')}.`,
    params: resource.parents,
    query: selectionOf(resource).extend({ format }),
    schema: {
      returns: `The ${texts.many}, in the order of the query.`,
      response: { 200: fileOf(resource) },
    },
    run(_, input, { reply, signal }) {
      const { parents, values } = splitParents(resource, input);
      const { format: wanted, ...selection } = FileQuery.parse(values);
      return sendListFile(reply, {
        name: fileName(path),
        format: wanted,
        columns: exportColumnsOf(resource),
        maxRows: maxExportRows,
        readPage: (cursor) =>
          service.list(ListQuery.parse({ ...selection, limit: pageSize, cursor }), signal, parents),
      });
    },
  });
}

/** Entries from a CSV file. */
export function importOperation(bound: BoundResource): Operation<object>[] {
  const { name, path, texts, errors, freshFor } = bound.resource;
  const importer = importerOf(bound);
  if (importer === undefined) return [];
  const columns = importColumnsOf(importer.body).join(',');
  return [
    operationOf(bound)({
      id: `${name}.import`,
      path: `POST ${path}/import`,
      needsFreshSignIn: freshFor === 'changes',
      accepts: ['text/csv'],
      summary: `Import ${texts.many} from CSV`,
      description:
        `Creates ${texts.many} from a CSV file: a header row with columns of \`${columns}\`, ` +
        `and at most ${maxImportRows.toLocaleString('en-US')} rows. Separate the values of a ` +
        'list by `;`. If a row is invalid, nothing is imported, and `loc` has its line number. ' +
        'Rows that conflict with existing records are skipped and listed in `failed`.',
      params: bound.resource.parents,
      schema: {
        consumes: ['text/csv'],
        body: z.string().meta({ examples: [`${columns}\r\n`] }),
      },
      output: BatchView,
      errors: errors?.create ?? [],
      route: { bodyLimit },
      run: (_, input, { request, by }) =>
        importer.run(
          z.string().parse(request.body),
          by,
          splitParents(bound.resource, input).parents,
        ),
    }),
  ];
}
