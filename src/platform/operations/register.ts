import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import { type ApiKeyScope, apiKeyScopes } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { approvedDevice, type Scopes } from '../http/access.ts';
import { acceptBytes, acceptText, refuseRepeatedMembers } from '../http/body-parsers.ts';
import { allowApps } from '../http/cross-origin.ts';
import { requestActor } from '../http/requests/request-actor.ts';
import { refusing, scope as openScope } from '../http/scopes.ts';
import { changeResponseHeaders, noStore } from '../http/security.ts';
import { requireFresh, stepUpRequired } from '../identity/freshness.ts';
import { httpCall } from './call.ts';
import { usualLimit } from './limits.ts';
import type { Operation, OperationScope } from './operation.ts';

/** What the routes of operations need besides their context. */
export interface OperationServices {
  scopes: Scopes;
  clock: Clock;
}

const isKeyScope = (scope: OperationScope): scope is ApiKeyScope =>
  apiKeyScopes.some((name) => name === scope);

/** Operations with the same scope, in whose Fastify instance they are registered together. */
interface Group<Context> {
  like: Operation<Context>;
  operations: Operation<Context>[];
}

/** What is set for a whole instance. */
const traits = [
  'scope',
  'accepts',
  'noStore',
  'headers',
  'refusesRepeats',
  'allowsApps',
  'isIdempotent',
  'needsFreshSignIn',
] as const;

/** True when both are registered in the same way. */
const belongTogether = <Context>(one: Operation<Context>, other: Operation<Context>): boolean =>
  traits.every((trait) => one[trait] === other[trait]);

/** Joins neighbours, so that routes keep the order of the list. */
function groupsOf<Context>(operations: readonly Operation<Context>[]): Group<Context>[] {
  const groups: Group<Context>[] = [];
  for (const operation of operations) {
    const last = groups.at(-1);
    if (last !== undefined && belongTogether(last.like, operation)) last.operations.push(operation);
    else groups.push({ like: operation, operations: [operation] });
  }
  return groups;
}

/** Body, query and path parameters in one object. Of members with one name, the path's counts. */
function inputOf({ params, query, body }: Operation<never>) {
  const parts = [
    ...(body === undefined ? [] : ['body' as const]),
    ...(query === undefined ? [] : ['query' as const]),
    ...(params === undefined ? [] : ['params' as const]),
  ];
  return (request: FastifyRequest): object => {
    const input = {};
    for (const part of parts) Object.assign(input, request[part]);
    return input;
  };
}

/** Runs the operation, and sets its status. */
function handlerOf<Context>(operation: Operation<Context>, context: Context) {
  const { status = 200 } = operation;
  const read = inputOf(operation);
  const run = (request: FastifyRequest, reply: FastifyReply): unknown =>
    operation.run(context, read(request), httpCall(request, reply));
  if (status === 200) return run;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    void reply.code(status);
    return run(request, reply);
  };
}

const methodOf = ({ path }: Operation<never>): string => path.slice(0, path.indexOf(' '));

function schemaOf(operation: Operation<never>): FastifySchema {
  const { id, summary, description, tag, errors, schema } = operation;
  const { params, query, body, output, status = 200 } = operation;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(body !== undefined && { body }),
    ...(errors !== undefined && { errors }),
    ...(output !== undefined && { response: { [status]: output } }),
    ...(status === 204 && { response: { 204: z.undefined().describe('Deleted.') } }),
    ...schema,
  };
}

function addRoute<Context>(
  app: FastifyInstance,
  operation: Operation<Context>,
  context: Context,
): void {
  const { path, limit = usualLimit, config, route } = operation;
  app.route({
    method: methodOf(operation),
    url: path.slice(path.indexOf(' ') + 1),
    config: { ...limit, ...config },
    schema: schemaOf(operation),
    handler: handlerOf(operation, context),
    ...route,
  });
}

/** Refuses an old sign-in before the body is read. */
const freshSignIn = (clock: Clock) =>
  refusing({ errors: [stepUpRequired().code] }, (request: FastifyRequest): void =>
    requireFresh(requestActor(request), clock.now()),
  );

/** Prepares the instance of a group for its routes. */
function prepare(routes: FastifyInstance, scopes: Scopes, like: Operation<never>): void {
  const { noStore: isPrivate = true, allowsApps = false, isIdempotent = false } = like;
  if (!isKeyScope(like.scope) || like.refusesRepeats === true) refuseRepeatedMembers(routes);
  if (isPrivate) noStore(routes);
  if (like.headers !== undefined) changeResponseHeaders(routes, like.headers);
  if (allowsApps) allowApps(routes);
  if (like.accepts === 'bytes') acceptBytes(routes);
  else if (like.accepts !== undefined) acceptText(routes, like.accepts);
  if (isIdempotent) scopes.acceptIdempotencyKeys(routes);
}

/** Opens the scope of a group, and calls `register` in it. */
function openScopeOf(
  app: FastifyInstance,
  { scopes, clock }: OperationServices,
  like: Operation<never>,
  register: (routes: FastifyInstance) => void,
): void {
  const open = (routes: FastifyInstance): void => {
    prepare(routes, scopes, like);
    register(routes);
  };
  const { scope } = like;
  if (!isKeyScope(scope) && like.needsFreshSignIn === true)
    throw new TypeError(`${like.id} has the scope ${scope}: use the scope fresh`);
  if (!isKeyScope(scope)) scopes[scope](app, open);
  else
    scopes.withScope(scope, app, (keys) => {
      if (like.needsFreshSignIn === true)
        openScope(keys, approvedDevice(scope), freshSignIn(clock), open);
      else open(keys);
    });
}

/**
 * Registers operations as REST routes, each in its scope. `context` is what they run with: the
 * services of the area.
 */
export function registerOperations<Context>(
  app: FastifyInstance,
  context: Context & OperationServices,
  operations: readonly Operation<Context>[],
): void {
  for (const { like, operations: members } of groupsOf(operations))
    openScopeOf(app, context, like, (routes) => {
      for (const operation of members) addRoute(routes, operation, context);
    });
}
