import { z } from 'zod';
import { type BoundOperation, operationsFor } from '../../../platform/operations/bound.ts';
import { bodyOfForm } from '../forms/schema-body.ts';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { actionPage, actionPath, isDeletion, resultPage } from './action-page.tsx';
import { inputOf } from './operation-resource.ts';
import { texts } from './texts/en.ts';

const Prefilled = z.record(z.string().max(120), z.string().max(200));
const Result = z.record(z.string(), z.unknown());

function routesOf(bound: BoundOperation): ConsoleRoute[] {
  const { name, operation, run } = bound;
  const path = actionPath(bound);
  return [
    page({
      id: `console.${name}_form`,
      path,
      summary: `Console: ${operation.summary}`,
      query: Prefilled,
      show: (_context, query) => actionPage(bound, query),
    }),
    form({
      id: `console.${name}`,
      path,
      summary: `Form: ${operation.summary}`,
      isFresh: operation.needsFreshSignIn === true,
      // Checked by the operation itself.
      body: z.looseObject({}),
      read: (values) => bodyOfForm(values, inputOf(bound)),
      ...(isDeletion(bound) && { word: texts.word }),
      run: (_context, values, call) => run(values, call),
      to: (_values, result) => resultPage(bound, Result.parse(result ?? {})),
    }),
  ];
}

/** A page for each operation that the console carries. */
export const actionRoutes = (operations: readonly BoundOperation[]): ConsoleRoute[] =>
  operationsFor('console', operations).flatMap(routesOf);
