import type { z } from 'zod';
import { parseUrl } from '../../lib/net/parse-url.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { type HttpCall, httpCall } from '../../platform/operations/call.ts';
import { asForm, FormError, FormValues, parseForm, requireTypedWord } from './forms.ts';
import { bodyOfForm } from './forms/schema-body.ts';
import type { ConsolePage } from './layout.tsx';
import { type ConsoleRoute, type ConsoleRoutesOptions, redirectTo } from './request-context.ts';
import { formOptions } from './route-options.ts';
import type { Output, RouteFacts } from './routes.pages.ts';

type Schema = z.ZodType | undefined;

interface Spec<P extends Schema, B extends Schema, Input, Result> extends RouteFacts<P> {
  /** What the form is converted to, by the names of its fields: the body of the API's call. */
  body?: B;
  /** Members that the form has in another shape than its fields. */
  read?: (values: FormValues) => object;
  /** Maximum bytes of the form. */
  bodyLimit?: number;
  /** The word that has to be typed, for what can't be undone. */
  word?: string | ((input: Input, context: ConsoleRoutesOptions) => string | Promise<string>);
  /** Whether it needs a sign-in within the last five minutes. */
  isFresh?: boolean;
  /** Does it. `input` are the parameters of the path and the body in one object. */
  run: (context: ConsoleRoutesOptions, input: Input, call: HttpCall) => Result | Promise<Result>;
  /** The page that the form leads to: its path, or what is shown only once. */
  to: string | ((input: Input, result: Result) => string | ConsolePage);
  /** The key of the notice on that page. */
  done?: string | ((input: Input) => string);
}

/** A form of exact types. */
export type FormSpec<P extends Schema, B extends Schema, Result> = Spec<
  P,
  B,
  Output<P> & Output<B>,
  Result
>;

type AnySpec = Spec<z.ZodType, z.ZodObject, object, unknown>;

const paramsIn = ({ path }: ConsoleRoute): number => path.split(':').length;

/** Parameters of the path and the body in one object. Throws `console.form_invalid`. */
function inputOf({ body, read }: AnySpec, params: unknown, values: FormValues): object {
  const input = Object.assign({}, params);
  if (body === undefined) return input;
  const parsed = parseForm(body, { ...bodyOfForm(values, body), ...read?.(values) });
  return { ...parsed, ...input };
}

/** Statuses of errors that are about what was filled in. */
const shownAgain: readonly number[] = [400, 409, 422];

/** The page that the form of this request is on, by the referrer. */
async function pageOf(context: ConsoleRoutesOptions, call: HttpCall) {
  const url = parseUrl(call.request.headers.referer ?? '');
  if (url === undefined) return undefined;
  // Routes with parameters come last, as in Fastify.
  for (const { pageAt } of context.routes.toSorted((a, b) => paramsIn(a) - paramsIn(b))) {
    const page = await pageAt?.(url, context, call);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** Shows browsers the page of a refused form again. Throws errors that are about something else. */
async function refuse(error: unknown, context: ConsoleRoutesOptions, call: HttpCall) {
  const { request, reply } = call;
  if (!(error instanceof AppError) || !shownAgain.includes(error.status)) throw error;
  if (!isNavigation(request, reply)) throw error;
  // Not being able to read the page must not hide why the form was refused.
  const ownPage = error instanceof FormError ? error.page : undefined;
  const page = ownPage ?? (await pageOf(context, call).catch(() => undefined));
  if (page === undefined) throw error;
  return context.sendAgain(error, reply, page);
}

/** Runs a form, then redirects. */
async function submit(spec: AnySpec, context: ConsoleRoutesOptions, call: HttpCall) {
  const { isFresh, word, run, to, done } = spec;
  const { request, reply } = call;
  if (isFresh) context.guards.requireFresh(request);
  const values = FormValues.safeParse(request.body).data ?? {};
  const input = inputOf(spec, request.params, values);
  const expected = typeof word === 'function' ? await word(input, context) : word;
  if (expected !== undefined) requireTypedWord(values, expected);
  const result = await asForm(async () => run(context, input, call));
  context.waiting.forget();
  const next = typeof to === 'function' ? to(input, result) : to;
  if (typeof next !== 'string') return context.send(reply, next);
  return redirectTo(reply, next, { done: typeof done === 'function' ? done(input) : done });
}

/**
 * A form of the console: a POST route that changes something and leads to a page. If it is refused,
 * its page is shown again, as it was filled in and with what is wrong at the fields.
 */
export function form<
  P extends Schema = undefined,
  B extends z.ZodObject | undefined = undefined,
  Result = unknown,
>(spec: FormSpec<P, B, Result>): ConsoleRoute;
export function form(spec: AnySpec): ConsoleRoute {
  const { id, path, summary, params, body, word, limit, bodyLimit } = spec;
  const hasValues = body !== undefined || word !== undefined;
  const formBody = formOptions(id, summary, {
    ...(params && { params }),
    ...(hasValues && { body: FormValues }),
  });
  const options = {
    ...formBody,
    ...(limit && { config: limit }),
    ...(bodyLimit !== undefined && { bodyLimit }),
  };
  return {
    path,
    add(app, context) {
      app.post(path, options, async (request, reply) => {
        const call = httpCall(request, reply);
        return submit(spec, context, call).catch((error: unknown) => refuse(error, context, call));
      });
    },
  };
}
