import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { importOf } from '../../../platform/resource/import.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { invalidForm } from '../forms.ts';
import type { ConsoleRoutesOptions, ConsoleScope } from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { importPage, importResultPage, maxImportLength } from './import-page.tsx';
import { importPath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

/** Every character may be percent-encoded. */
const bodyLimit = 3 * maxImportLength;
const maxProblems = 5;
const ImportForm = z.object({ rows: z.string().max(maxImportLength).default('') });

const problemOf = ({ loc: [, line, ...path], msg }: RequestValidationError['details'][number]) =>
  texts.import.problem({
    line: String(line ?? 1),
    column: path.join('.'),
    message: msg.replace(/^Value error, /, ''),
  });

/** Runs an import. A file with errors becomes `console.form_invalid`, which names the lines. */
async function naming<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RequestValidationError)) throw error;
    const problems = error.details.slice(0, maxProblems).map(problemOf).join(' ');
    throw invalidForm(texts.import.invalid({ problems }));
  }
}

/** The pages that import entries of a resource. Both need a fresh sign-in. */
export function importRoutes(
  app: ConsoleScope,
  { bound, send, services: { guards } }: ConsoleRoutesOptions & { bound: BoundResource },
): void {
  const importing = importOf(bound);
  if (importing === undefined) return;
  const { resource } = bound;
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
      const result = await naming(() => importing.run(rows, requestActor(request)));
      return send(reply, importResultPage(resource, result));
    },
  );
}
