import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { importerOf } from '../../../platform/resource/import.ts';
import type { ExportColumns } from '../../../platform/resource/list-file.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { invalidForm } from '../forms.ts';
import { sendListExport } from '../list-export.tsx';
import type { ConsoleRoute } from '../request-context.ts';
import { formOptions } from '../route-options.ts';
import { page } from '../routes.pages.ts';
import { exampleRow } from './import-columns.ts';
import { withLineErrors } from './import-problems.ts';
import {
  importPage,
  importPreviewPage,
  importResultPage,
  maxImportLength,
} from './import-page.tsx';
import { hasImportPage, importPath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Every character may be percent-encoded. */
const bodyLimit = 3 * maxImportLength;
const ImportForm = z.object({
  rows: z.string().max(maxImportLength).default(''),
  /** Without it, the rows are only checked and shown. */
  confirmed: z.literal('yes').optional(),
});

/** The pages that import entries of a resource. Both need a fresh sign-in. */
export function importRoutes(bound: BoundResource): ConsoleRoute[] {
  const importer = importerOf(bound);
  const { resource } = bound;
  if (importer === undefined || !hasImportPage(resource)) return [];
  const { name, texts: named } = resource;
  const path = importPath(resource);
  const options = formOptions(`console.import_${name}`, `Form: import ${named.many}`, {
    body: ImportForm,
  });
  return [
    page({
      id: `console.import_${name}_page`,
      path,
      summary: `Console: import ${named.many}`,
      show({ guards }, _input, { request }) {
        guards.requireFresh(request);
        return importPage(resource, importer.body);
      },
    }),
    page({
      id: `console.import_${name}_example`,
      path: `${path}/example`,
      summary: `Console: an example file of ${named.many}`,
      show(_context, _input, { reply }) {
        const row = exampleRow(importer.body);
        const columns: ExportColumns<typeof row> = Object.keys(row).map((column) => [
          column,
          (given) => given[column] ?? null,
        ]);
        const readPage = async () => ({ data: [row], next_cursor: null });
        return sendListExport(reply, { name: `${name}-example`, format: 'csv', columns, readPage });
      },
    }),
    {
      path,
      add(app, context) {
        app.post(path, { ...options, bodyLimit }, async (request, reply) => {
          context.guards.requireFresh(request);
          const { rows, confirmed } = request.body;
          if (rows.trim() === '') throw invalidForm(texts.import.empty);
          if (confirmed === undefined) {
            const read = await withLineErrors(() => importer.read(rows));
            return context.send(reply, importPreviewPage(resource, { text: rows, rows: read }));
          }
          const result = await withLineErrors(() => importer.run(rows, requestActor(request)));
          return context.send(reply, importResultPage(resource, result));
        });
      },
    },
  ];
}
