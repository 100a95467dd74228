import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
  isInterfaceType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql/index.js';
import type { AppError } from '../../../platform/errors/errors.ts';
import { graphqlErrors } from '../errors.ts';
import { limits } from './limits.ts';

/** What fields cost that ask a store; all others cost 1. Lists multiply what is asked of their entries. */
const costs: Readonly<Partial<Record<string, number>>> = {
  'Query.dashboard': 3500,
  'Query.sites': 500,
  'Query.audit': 100,
  'Query.apiKeys': 100,
  'Query.node': 100,
  'Query.viewer': 20,
  'Query.health': 20,
  'AuditActor.apiKey': 5,
  'Viewer.sessions': 20,
  'Viewer.devices': 20,
  'Session.device': 5,
  'Mutation.openIncident': 500,
  'Mutation.updateIncident': 500,
  'Mutation.resolveIncident': 500,
  'Mutation.createApiKey': 500,
  'Mutation.revokeApiKey': 500,
  'Mutation.endSession': 100,
  'Mutation.endSessions': 500,
};

/** Entries that a list is taken to have where nothing says so. */
const assumedLength = 10;
/** Those of the schema's description of itself, where a field costs little: nobody but the schema is asked. */
const introspectionLengths: Readonly<Partial<Record<string, number>>> = {
  fields: 6,
  args: 1,
  inputFields: 3,
  interfaces: 1,
  enumValues: 3,
  possibleTypes: 2,
  directives: 6,
};
const introspectionCost = 0.05;
const mostFirst = 100;
const defaultFirst = 50;

type Composite = Pick<GraphQLObjectType, 'name' | 'getFields'>;

interface Measures {
  /** A store may be asked. */
  asks: boolean;
  depth: number;
  cost: number;
  aliases: number;
  /** Of the longest alias, which the answer repeats for each entry of a list. */
  aliasLength: number;
  fields: number;
}

const nothing: Measures = { asks: false, depth: 0, cost: 0, aliases: 0, aliasLength: 0, fields: 0 };

function both(a: Measures, b: Measures): Measures {
  return {
    asks: a.asks || b.asks,
    depth: Math.max(a.depth, b.depth),
    cost: a.cost + b.cost,
    aliases: a.aliases + b.aliases,
    aliasLength: Math.max(a.aliasLength, b.aliasLength),
    fields: a.fields + b.fields,
  };
}

const isOfIntrospection = (parent: Composite | undefined): boolean =>
  parent?.name.startsWith('__') === true;

/** How many entries a field gives. Variables are not known when a document is looked at: they count as the most. */
function lengthOf(
  field: FieldNode,
  {
    isList,
    isConnection,
    own,
  }: { isList: boolean; isConnection: boolean; own: number | undefined },
): number {
  if (own !== undefined) return own;
  const first = field.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (first?.kind === Kind.INT) return Math.min(mostFirst, Math.max(1, Number(first.value)));
  if (first !== undefined) return mostFirst;
  if (isConnection) return defaultFirst;
  return isList ? assumedLength : 1;
}

/** Measures the operations of a document before it is validated: what is not in the schema counts as a plain field. */
function createMeasuring(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
) {
  const known = new Map<string, Measures>();
  const typeCount = Object.keys(schema.getTypeMap()).length;

  function typeOf(name: string, parent: Composite | undefined): GraphQLOutputType | undefined {
    const described =
      name === '__schema' || name === '__type'
        ? schema.getType(`__${name.slice(2, 3).toUpperCase()}${name.slice(3)}`)
        : undefined;
    return isObjectType(described) ? described : parent?.getFields()[name]?.type;
  }

  const introspectionLength = (name: string): number =>
    name === 'types' ? typeCount : (introspectionLengths[name] ?? 1);

  function ofField(field: FieldNode, parent: Composite | undefined): Measures {
    const name = field.name.value;
    const price = costs[`${parent?.name ?? ''}.${name}`];
    const own = {
      ...nothing,
      asks: price !== undefined,
      cost: price ?? (isOfIntrospection(parent) ? introspectionCost : 1),
      aliases: field.alias === undefined ? 0 : 1,
      aliasLength: field.alias?.value.length ?? 0,
      fields: 1,
    };
    if (field.selectionSet === undefined) return { ...own, depth: 1 };
    const isIntrospection = name === '__schema' || name === '__type';
    const type = typeOf(name, parent);
    const named = type === undefined ? undefined : getNamedType(type);
    const isConnection = named?.name.endsWith('Connection') === true;
    const inner = ofSelections(
      field.selectionSet,
      named !== undefined &&
        isCompositeType(named) &&
        (isObjectType(named) || isInterfaceType(named))
        ? named
        : undefined,
    );
    // The lists of a connection have the length that was asked of it.
    const isList =
      type !== undefined &&
      isListType(getNullableType(type)) &&
      parent?.name.endsWith('Connection') !== true;
    const depth = isIntrospection && inner.depth < limits.introspectionDepth ? 1 : inner.depth + 1;
    return {
      asks: own.asks || inner.asks,
      depth,
      cost:
        own.cost +
        inner.cost *
          lengthOf(field, {
            isList,
            isConnection,
            own: isOfIntrospection(parent) ? introspectionLength(name) : undefined,
          }),
      aliases: own.aliases + inner.aliases,
      aliasLength: Math.max(own.aliasLength, inner.aliasLength),
      fields: 1 + inner.fields,
    };
  }

  function ofFragment(name: string): Measures {
    const before = known.get(name);
    if (before !== undefined) return before;
    // Whoever comes back here is in a cycle, which validation refuses.
    known.set(name, nothing);
    const fragment = fragments.get(name);
    const measures =
      fragment === undefined
        ? nothing
        : ofSelections(fragment.selectionSet, compositeOf(fragment.typeCondition.name.value));
    known.set(name, measures);
    return measures;
  }

  function compositeOf(name: string | undefined): Composite | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : undefined;
  }

  function ofSelections({ selections }: SelectionSetNode, parent: Composite | undefined): Measures {
    return selections.reduce<Measures>((sum, selection) => {
      if (selection.kind === Kind.FIELD) return both(sum, ofField(selection, parent));
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return both(sum, ofFragment(selection.name.value));
      return both(
        sum,
        ofSelections(
          selection.selectionSet,
          selection.typeCondition === undefined
            ? parent
            : compositeOf(selection.typeCondition.name.value),
        ),
      );
    }, nothing);
  }

  return { ofSelections, ofFragment };
}

function firstExcess({
  depth,
  cost,
  aliases,
  aliasLength,
  fields,
}: Measures): AppError | undefined {
  const extra = (measured: number, limit: number) => ({ extra: { limit, measured } });
  if (depth > limits.depth) return graphqlErrors.document_too_deep(extra(depth, limits.depth));
  if (aliases > limits.aliases)
    return graphqlErrors.too_many_aliases(extra(aliases, limits.aliases));
  if (aliasLength > limits.aliasLength)
    return graphqlErrors.alias_too_long(extra(aliasLength, limits.aliasLength));
  if (fields > limits.fields) return graphqlErrors.too_many_fields(extra(fields, limits.fields));
  return cost > limits.cost ? graphqlErrors.too_costly(extra(cost, limits.cost)) : undefined;
}

/**
 * What a document is refused for before anything else is done with it: validation itself takes time that grows with the square
 * of the fields. Gives the cost of its dearest operation otherwise.
 */
export function measureDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
): { refusal: AppError } | { refusal: undefined; cost: number; asks: boolean } {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  const { ofSelections, ofFragment } = createMeasuring(schema, fragments);
  const operations = document.definitions.filter(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
  const measured = operations.map(({ operation, selectionSet }) =>
    ofSelections(selectionSet, schema.getRootType(operation) ?? undefined),
  );
  // Fragments that nobody uses are validated as well.
  const spare = [...fragments.keys()].map(ofFragment).reduce(both, nothing);
  const all = {
    ...measured.reduce(both, nothing),
    cost: Math.ceil(Math.max(0, ...measured.map(({ cost }) => cost))),
  };
  const refusal = firstExcess(all) ?? firstExcess({ ...spare, cost: 0, depth: 0 });
  return refusal === undefined ? { refusal, cost: all.cost, asks: all.asks } : { refusal };
}
