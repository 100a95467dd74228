import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preValidationHookHandler,
} from 'fastify';
import { z } from 'zod';
import { enteredTexts, type FormMembers, formToJson } from '../../lib/form-values.ts';
import { acceptForms } from '../http/body-parsers.ts';
import { failureOf } from '../http/error-handler.ts';
import { isNavigation } from '../http/requests/request-origin.ts';
import { changeResponseHeaders, pagePolicy } from '../http/security.ts';
import { RequestValidationError } from '../validation/validation-error.ts';
import { navigationErrors } from './error-pages.tsx';
import type { Link } from './forbidden-page.tsx';
import { documentErrorPages } from './page-scope.ts';
import { type Layout, type Page, sendPage } from './pages.tsx';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Returns the page with the form again, for an error that a person can mend there; undefined
     * for others.
     */
    formAgain?: (error: Error, request: FastifyRequest) => string | undefined;
  }
}

/** The response of an HTML page. */
export const HtmlPage = { content: { 'text/html': { schema: z.string() } } };

/** The response of a form: a page for browsers, JSON for programs. */
export const jsonOrPage = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema }, ...HtmlPage.content },
});

/** True for a body that a form has sent. */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

/** Converts the body of a form to that of JSON, before it is validated. */
export const readFormAs =
  (toJson: (form: unknown) => unknown): preValidationHookHandler =>
  (request, _reply, done) => {
    if (isForm(request)) Reflect.set(request, 'body', toJson(request.body));
    done();
  };

/** Converts the fields of a form to the members of the JSON body. */
export const readForm = (members: FormMembers): preValidationHookHandler =>
  readFormAs((form) => formToJson(form, members));

/**
 * A `formAgain` for errors of fields. `page` returns the page with what was entered, and with the
 * names of the wrong fields.
 */
export const showInvalid =
  <Name extends string>(
    fields: readonly Name[],
    page: (entered: Partial<Record<Name, string>>, wrong: Name[]) => string,
  ) =>
  (error: Error, { body }: FastifyRequest): string | undefined => {
    if (!(error instanceof RequestValidationError)) return undefined;
    const wrong = fields.filter((name) => error.details.some(({ loc }) => loc[1] === name));
    return page(enteredTexts(body, fields), wrong);
  };

/**
 * Prepares a scope for forms that people send from pages, and programs as JSON: content security
 * policy, no caching, form bodies, errors as pages for browsers. Call it before adding the routes.
 * Returns what answers with a page of `layout`, and with a page or JSON.
 */
export function configurePublicForms(
  scope: FastifyInstance,
  { layout, back, policy = pagePolicy }: { layout: Layout; back: Link; policy?: string },
) {
  changeResponseHeaders(scope, {
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(scope);
  documentErrorPages(scope, 'for browsers');
  const showError = navigationErrors({ layout, back, placeOf: () => undefined });
  scope.setErrorHandler<Error>((error, request, reply) => {
    const { formAgain } = request.routeOptions.config;
    const again =
      isForm(request) && isNavigation(request, reply) ? formAgain?.(error, request) : undefined;
    if (again === undefined) {
      showError(error, request, reply);
      return;
    }
    const { problem, headers } = failureOf(error, request);
    void sendPage(reply.code(problem.status).headers(headers), again);
  });

  const show = (reply: FastifyReply, page: Page): FastifyReply => sendPage(reply, layout(page));
  return {
    show,
    showOr: (request: FastifyRequest, reply: FastifyReply, page: Page, json: object) =>
      isNavigation(request, reply) ? show(reply, page) : reply.send(json),
  };
}

export type PublicForms = ReturnType<typeof configurePublicForms>;
