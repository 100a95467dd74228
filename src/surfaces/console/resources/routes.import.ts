import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { importOf } from '../../../platform/resource/import.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { invalidForm } from '../forms.ts';
import type { ConsoleRoutesOptions, ConsoleScope } from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { namingLines } from './import-problems.ts';
import { importPage, importResultPage, maxImportLength } from './import-page.tsx';
import { hasImportPage, importPath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Every character may be percent-encoded. */
const bodyLimit = 3 * maxImportLength;
const ImportForm = z.object({ rows: z.string().max(maxImportLength).default('') });

/** The pages that import entries of a resource. Both need a fresh sign-in. */
export function importRoutes(
  app: ConsoleScope,
  { bound, send, services: { guards } }: ConsoleRoutesOptions & { bound: BoundResource },
): void {
  const importing = importOf(bound);
  const { resource } = bound;
  if (importing === undefined || !hasImportPage(resource)) return;
  const { name, texts: named } = resource;

  app.get(
    importPath(resource),
    innerPage(`console.import_${name}_page`, `Console: import ${named.many}`, {}),
    async (request, reply) => {
      guards.requireFresh(request);
      return send(reply, importPage(resource, importing.body));
    },
  );

  app.post(
    importPath(resource),
    {
      ...form(`console.import_${name}`, `Form: import ${named.many}`, { body: ImportForm }),
      bodyLimit,
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const { rows } = request.body;
      if (rows.trim() === '') throw invalidForm(texts.import.empty);
      const result = await namingLines(() => importing.run(rows, requestActor(request)));
      return send(reply, importResultPage(resource, result));
    },
  );
}
