import type { FastifyReply, FastifySchema, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Surface } from '../../lib/surfaces.ts';
import type { Scopes } from '../http/access.ts';
import type { Call, HttpCall } from './call.ts';
import type { OperationLimit } from './limits.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Method and path, with path parameters as `:name`: `GET /api/v1/status/incidents/:id`. */
type OperationPath = `${Method} /${string}`;

type OpenScope = Exclude<keyof Scopes, 'withScope' | 'acceptIdempotencyKeys'>;

/** Who may call: a scope of API keys, or one of the other scopes. */
export type OperationScope = ApiKeyScope | OpenScope;

/** What operations of a folder have in common. Each one may say otherwise. */
export interface OperationDefaults {
  scope: OperationScope;
  /** The section of the API reference. */
  tag: string;
  limit?: OperationLimit;
  /** Further configuration of the route. */
  config?: Omit<NonNullable<RouteOptions['config']>, 'rateLimit'>;
  /** Content types of a body that is text, besides JSON; or `bytes` of any type, and no JSON. */
  accepts?: readonly string[] | 'bytes';
  /** False: responses may be cached. */
  noStore?: boolean;
  /** True: refuses bodies that repeat a member, as every scope but those of API keys does. */
  refusesRepeats?: boolean;
  /** Headers of every response, errors included, where `noStore` is not enough. */
  headers?: Readonly<Record<string, string>>;
  /** True: single-page apps of `APP_ORIGINS` may call. */
  allowsApps?: boolean;
  /** True: open to everybody, and accepts an `Idempotency-Key`. API key scopes always do. */
  isIdempotent?: boolean;
  /** True: users need a sign-in within the last five minutes. Checked before the body is read. */
  needsFreshSignIn?: boolean;
}

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : unknown;
type Answer<S extends Schema> = S extends z.ZodType ? z.input<S> : unknown;

/** Path parameters, query and body in one object. */
type Input<P extends Schema, Q extends Schema, B extends Schema> = Output<P> &
  Output<Q> &
  Output<B>;

/** What is said of an operation. The API reference is made from it. */
interface OperationFacts extends Partial<OperationDefaults> {
  /** The operation id, and the end of its name elsewhere: `status.create_incident`. */
  id: string;
  path: OperationPath;
  /** A few words in the imperative: `Create an incident`. */
  summary: string;
  description?: string;
  /** The surfaces that carry it besides REST, each in its own form. */
  on?: readonly Surface[];
  /** Its name there, verb first: `approve_entry`. Default: the end of the id. */
  name?: string;
  /** Codes of the errors it throws itself. */
  errors?: readonly string[];
  /** Status of success. Default: 200. */
  status?: 200 | 201 | 202 | 204;
  /** Further members of the route's schema: examples, descriptions, hidden. */
  schema?: Pick<
    FastifySchema,
    | 'examples'
    | 'returns'
    | 'hide'
    | 'security'
    | 'headers'
    | 'consumes'
    | 'rawBody'
    | 'body'
    | 'response'
  >;
  /** Further options of the route: size of the body, own parsers and serializers. */
  route?: Pick<
    RouteOptions,
    'bodyLimit' | 'serializerCompiler' | 'preValidation' | 'exposeHeadRoute' | 'errorHandler'
  >;
}

interface Schemas<P extends Schema, Q extends Schema, B extends Schema, O extends Schema> {
  /** The parameters of the path. */
  params?: P | undefined;
  query?: Q;
  /** The JSON body. */
  body?: B;
  /** The response. */
  output?: O;
}

/**
 * An operation of REST alone. `run` does it. It gets the services of its area, and path parameters,
 * query and body in one object. It may send `call.reply` itself and return it.
 */
interface RestSpec<Context, P extends Schema, Q extends Schema, B extends Schema, O extends Schema>
  extends OperationFacts, Schemas<P, Q, B, O> {
  on?: never;
  run: (
    context: Context,
    input: Input<P, Q, B>,
    call: HttpCall,
  ) => Answer<O> | FastifyReply | Promise<Answer<O> | FastifyReply>;
}

/** An operation of several surfaces. `run` knows nothing of HTTP. */
interface SharedSpec<
  Context,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  O extends Schema,
>
  extends OperationFacts, Schemas<P, Q, B, O> {
  on: readonly Surface[];
  run: (context: Context, input: Input<P, Q, B>, call: Call) => Answer<O> | Promise<Answer<O>>;
}

/** An operation: one description, from which each surface makes its own. */
export interface Operation<Context> extends OperationFacts {
  scope: OperationScope;
  tag: string;
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  body?: z.ZodType | undefined;
  output?: z.ZodType | undefined;
  // A method, so that an operation of exact types is one of any input.
  // oxlint-disable-next-line typescript/method-signature-style
  run(context: Context, input: object, call: Call): unknown;
}

/** A description whose scope and section may be those of its folder. */
type Untyped<O> = Omit<O, 'scope' | 'tag'> & Partial<OperationDefaults>;

/**
 * Returns the function that defines the operations of a folder: `const operation =
 * operationsOf<StatusContext>({ scope: 'admin', tag: 'incidents' })`. `Context` is what `run` gets:
 * the services of the area.
 */
export function operationsOf<Context>(defaults: OperationDefaults) {
  function operation<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    O extends Schema = undefined,
  >(spec: SharedSpec<Context, P, Q, B, O>): Operation<Context>;
  function operation<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    O extends Schema = undefined,
  >(spec: RestSpec<Context, P, Q, B, O>): Operation<Context>;
  function operation(spec: Untyped<Operation<Context>>): Operation<Context> {
    return { ...defaults, ...spec };
  }
  return operation;
}
