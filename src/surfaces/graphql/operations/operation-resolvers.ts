import { z } from 'zod';
import { toCamelCase } from '../../../lib/text/case.ts';
import { principalActor } from '../../../platform/http/requests/request-actor.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import type { GraphqlContext, Resolvers } from '../context.ts';
import { toParameters } from '../schema/arguments.ts';
import { readNodeId } from '../schema/node-ids.ts';
import { isQuery } from './operation-sdl.ts';

type Values = Readonly<Record<string, unknown>>;

/** The access that the scope of an operation requires. Throws TypeError for other scopes. */
export function accessOf({ operation: { id, scope } }: BoundOperation): 'admin' | 'reader' {
  if (scope === 'admin') return 'admin';
  if (scope === 'analytics:read') return 'reader';
  throw new TypeError(`${id} has the scope ${scope}, which GraphQL does not carry`);
}

/** Path parameters may be global ids. */
function withRawIds({ operation: { params } }: BoundOperation, values: Values): Values {
  if (!(params instanceof z.ZodObject)) return values;
  const ids: Record<string, unknown> = {};
  for (const name of Object.keys(params.shape)) {
    const id = values[name];
    ids[name] = typeof id === 'string' ? (readNodeId(id)?.rawId ?? id) : id;
  }
  return { ...values, ...ids };
}

/** The resolver of an operation. Arguments are read with its schemas. */
function resolverOf(bound: BoundOperation) {
  const access = accessOf(bound);
  return async (
    _root: unknown,
    { input = {}, ...args }: { input?: object | null },
    context: GraphqlContext,
  ) => {
    const by = principalActor(await context.access()[access](), context.requestSource());
    bound.admit(by);
    const requester = context.requester();
    const values = withRawIds(bound, toParameters({ ...args, ...input }));
    return (await bound.run(values, { by, requester, signal: requester.signal })) ?? true;
  };
}

/** The resolvers of operations. */
export const resolversOfOperation = (bound: BoundOperation): Resolvers => ({
  [isQuery(bound.operation) ? 'Query' : 'Mutation']: {
    [toCamelCase(bound.name)]: resolverOf(bound),
  },
});
