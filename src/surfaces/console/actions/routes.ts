import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type BoundOperation, carriedBy } from '../../../platform/operations/bound.ts';
import { httpCall } from '../../../platform/operations/call.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { asForm, FormValues, requireWord } from '../forms.ts';
import type { ConsoleRoutesOptions, ConsoleScope } from '../request-context.ts';
import { bodyOfForm } from '../forms/schema-body.ts';
import { form, innerPage } from '../route-options.ts';
import { actionPage, actionPath, isDeletion, resultPage } from './action-page.tsx';
import { inputOf } from './operation-resource.ts';
import { texts } from './texts/en.ts';

const Prefilled = z.record(z.string().max(120), z.string().max(200));
const Result = z.record(z.string(), z.unknown());

function actionRoutes(
  app: ConsoleScope,
  { send }: ConsoleRoutesOptions,
  bound: BoundOperation,
): void {
  const { name, operation, admit, run } = bound;
  const path = actionPath(bound);
  const input = inputOf(bound);

  app.get(
    path,
    innerPage(`console.${name}_form`, `Console: ${operation.summary}`, { querystring: Prefilled }),
    async ({ query }, reply) => send(reply, actionPage(bound, query)),
  );

  app.post(
    path,
    form(`console.${name}`, `Form: ${operation.summary}`, { body: FormValues }),
    async (request, reply) => {
      admit(requestActor(request));
      if (isDeletion(bound)) requireWord(request.body, texts.word);
      const values = bodyOfForm(request.body, input);
      const result = await asForm(async () => run(values, httpCall(request, reply)));
      return send(reply, resultPage(bound, Result.parse(result ?? {})));
    },
  );
}

/** A page for each operation that the console carries. */
export const actionPages: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  for (const bound of carriedBy('console', options.services.operationList))
    actionRoutes(app, options, bound);
};
