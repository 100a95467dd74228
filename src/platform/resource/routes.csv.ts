import type { FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptText } from '../http/body-parsers.ts';
import { requestActor } from '../http/requests/request-actor.ts';
import { disconnectSignal } from '../http/requests/requester.ts';
import type { ZodApp } from '../http/zod-app.ts';
import { exportColumnsOf, importColumnsOf, maxImportRows } from './entry-csv.ts';
import { importOf } from './import.ts';
import { sendListFile } from './list-file.ts';
import { BatchView } from './batch.ts';
import { resourceLimits } from './resource-limits.ts';
import { type BoundResource, ListQuery, type Resource, selectionOf } from './resource.ts';

const maxExportRows = 100_000;
const pageSize = 500;
const bodyLimit = 2 * 1024 * 1024;

const format = z.enum(['csv', 'json']).default('csv').describe('Format of the file.');
const fileName = (path: string): string => path.split('/').at(-1) ?? 'list';

function exportSchema(resource: Resource): FastifySchema {
  const { name, texts, tag } = resource;
  const header = exportColumnsOf(resource).map(([column]) => column);
  const csv = z.string().meta({ examples: [`${header.join(',')}\r\n`] });
  const json = z.object({ data: z.array(z.looseObject({})) });
  return {
    operationId: `${name}.export`,
    summary: `Export ${texts.many}`,
    returns: 'The list as a file, with the filters and the order of the query.',
    description: `At most ${maxExportRows.toLocaleString('en-US')} entries.`,
    tags: [tag],
    querystring: selectionOf(resource).extend({ format }),
    response: {
      200: { content: { 'text/csv': { schema: csv }, 'application/json': { schema: json } } },
    },
  };
}

const FileQuery = z.looseObject({ format });

/** The list as a file. */
export function exportRoute(app: ZodApp, { resource, service }: BoundResource): void {
  app.get(
    `${resource.path}/export`,
    { config: resourceLimits.file, schema: exportSchema(resource) },
    async (request, reply) => {
      const { format: wanted, ...selection } = FileQuery.parse(request.query);
      const signal = disconnectSignal(reply);
      return sendListFile(reply, {
        name: fileName(resource.path),
        format: wanted,
        columns: exportColumnsOf(resource),
        maxRows: maxExportRows,
        readPage: (cursor) =>
          service.list(ListQuery.parse({ ...selection, limit: pageSize, cursor }), signal),
      });
    },
  );
}

/** In its own plugin, because only this route accepts CSV. */
export const importRoutes: FastifyPluginAsyncZod<{ bound: BoundResource }> = async (
  app,
  { bound },
) => {
  const { resource } = bound;
  const { name, path, tag, texts, errors } = resource;
  const importing = importOf(bound);
  if (importing === undefined) return;
  const columns = importColumnsOf(importing.body).join(',');
  acceptText(app, ['text/csv']);

  app.post(
    `${path}/import`,
    {
      bodyLimit,
      config: resourceLimits.file,
      schema: {
        operationId: `${name}.import`,
        summary: `Import ${texts.many} from CSV`,
        description:
          `A header row with columns of \`${columns}\`, and at most ` +
          `${maxImportRows.toLocaleString('en-US')} rows. Lists are separated by \`;\`. If a row ` +
          'is invalid, nothing is imported, and `loc` has the number of its line. Rows in ' +
          'conflict with existing entries are skipped and listed in `failed`.',
        tags: [tag],
        consumes: ['text/csv'],
        body: z.string().meta({ examples: [`${columns}\r\n`] }),
        errors: errors?.create ?? [],
        response: { 200: BatchView },
      },
    },
    (request) => importing.run(request.body, requestActor(request)),
  );
};
