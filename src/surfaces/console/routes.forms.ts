import type { z } from 'zod';
import { type HttpCall, httpCall } from '../../platform/operations/call.ts';
import { asForm, FormValues, parseForm, requireWord } from './forms.ts';
import { bodyOfForm } from './forms/schema-body.ts';
import type { ConsolePage } from './layout.tsx';
import { type ConsoleRoute, type ConsoleRoutesOptions, redirectTo } from './request-context.ts';
import { form as formOptions } from './route-options.ts';
import type { Output, RouteFacts } from './routes.pages.ts';

type Schema = z.ZodType | undefined;

interface Spec<P extends Schema, B extends Schema, Input, Result> extends RouteFacts<P> {
  /** What the form is converted to, by the names of its fields: the body of the API's call. */
  body?: B;
  /** Members that the form has in another shape than its fields. */
  read?: (values: FormValues) => object;
  /** The word that has to be typed, for what can't be undone. */
  word?: string | ((input: Input, context: ConsoleRoutesOptions) => string | Promise<string>);
  /** Whether it needs a sign-in within the last five minutes. */
  isFresh?: true;
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

/** Parameters of the path and the body in one object. Throws `console.form_invalid`. */
function inputOf({ body, read }: AnySpec, params: unknown, values: FormValues): object {
  const input = Object.assign({}, params);
  if (body === undefined) return input;
  const parsed = parseForm(body, { ...bodyOfForm(values, body), ...read?.(values) });
  return { ...parsed, ...input };
}

/** A form of the console: a POST route that changes something and leads to a page. */
export function form<
  P extends Schema = undefined,
  B extends z.ZodObject | undefined = undefined,
  Result = unknown,
>(spec: FormSpec<P, B, Result>): ConsoleRoute;
export function form(spec: AnySpec): ConsoleRoute {
  const { id, path, summary, params, limit, isFresh, word, run, to, done } = spec;
  const options = formOptions(id, summary, { ...(params && { params }), body: FormValues });
  return (app, context) => {
    app.post(path, { ...options, ...(limit && { config: limit }) }, async (request, reply) => {
      if (isFresh) context.services.guards.requireFresh(request);
      const input = inputOf(spec, request.params, request.body);
      const expected = typeof word === 'function' ? await word(input, context) : word;
      if (expected !== undefined) requireWord(request.body, expected);
      const result = await asForm(async () => run(context, input, httpCall(request, reply)));
      const next = typeof to === 'function' ? to(input, result) : to;
      if (typeof next !== 'string') return context.send(reply, next);
      return redirectTo(reply, next, { done: typeof done === 'function' ? done(input) : done });
    });
  };
}
