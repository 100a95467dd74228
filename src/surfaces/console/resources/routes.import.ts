import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { importerOf } from '../../../platform/resource/import.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { invalidForm } from '../forms.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { formOptions } from '../route-options.ts';
import { page } from '../routes.pages.ts';
import { withLineErrors } from './import-problems.ts';
import { importPage, importResultPage, maxImportLength } from './import-page.tsx';
import { hasImportPage, importPath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Every character may be percent-encoded. */
const bodyLimit = 3 * maxImportLength;
const ImportForm = z.object({ rows: z.string().max(maxImportLength).default('') });

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
    {
      path,
      add(app, context) {
        app.post(path, { ...options, bodyLimit }, async (request, reply) => {
          context.guards.requireFresh(request);
          const { rows } = request.body;
          if (rows.trim() === '') throw invalidForm(texts.import.empty);
          const result = await withLineErrors(() => importer.run(rows, requestActor(request)));
          return context.send(reply, importResultPage(resource, result));
        });
      },
    },
  ];
}
