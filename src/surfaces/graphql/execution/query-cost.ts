import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql/index.js';
import type { AppError } from '../../../platform/errors/errors.ts';
import { graphqlErrors } from '../errors.ts';
import { limits } from './limits.ts';

/** The assumed length of a list whose length is not in the document. */
const assumedLength = 10;
/** The assumed lengths of lists of introspection, whose fields are cheap. */
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
const maxFirst = 100;
const defaultFirst = 50;

type Composite = Pick<GraphQLObjectType, 'name' | 'getFields'>;

interface Measures {
  asksStores: boolean;
  depth: number;
  cost: number;
  aliases: number;
  /** Characters of the longest alias: the response repeats it for each entry of a list. */
  aliasLength: number;
  fields: number;
}

const zeroMeasures: Measures = {
  asksStores: false,
  depth: 0,
  cost: 0,
  aliases: 0,
  aliasLength: 0,
  fields: 0,
};

const add = (a: Measures, b: Measures): Measures => ({
  asksStores: a.asksStores || b.asksStores,
  depth: Math.max(a.depth, b.depth),
  cost: a.cost + b.cost,
  aliases: a.aliases + b.aliases,
  aliasLength: Math.max(a.aliasLength, b.aliasLength),
  fields: a.fields + b.fields,
});

/** The cost of a field that queries a store. Others cost 1. A list multiplies that of an entry. */
const costOf = ({ cost }: Readonly<Record<string, unknown>> = {}): number | undefined =>
  typeof cost === 'number' ? cost : undefined;

const isIntrospection = (type: Composite | undefined): boolean =>
  type?.name.startsWith('__') === true;
const isConnection = (type: { name: string } | undefined): boolean =>
  type?.name.endsWith('Connection') === true;

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
 * Returns the cost of a document's most expensive operation, or the error of the first exceeded
 * limit. Runs before validation, whose time grows with the square of the number of fields. Unknown
 * fields count as plain ones.
 */
export function measureDocument(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
): { error: AppError } | { error: undefined; cost: number; asksStores: boolean } {
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  /** Each fragment is measured once. */
  const measuredFragments = new Map<string, Measures>();
  const typeCount = Object.keys(schema.getTypeMap()).length;
  const operations = definitions
    .filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    .map(({ operation, selectionSet }) =>
      measureSelections(selectionSet, schema.getRootType(operation) ?? undefined),
    );
  const { asksStores, ...total } = operations.reduce(add, zeroMeasures);
  const cost = Math.ceil(Math.max(0, ...operations.map((each) => each.cost)));
  // Unused fragments count too, because they are validated as well.
  const unused = [...fragments.keys()].map(measureFragment).reduce(add, zeroMeasures);
  const error =
    firstExcess({ ...total, asksStores, cost }) ?? firstExcess({ ...unused, cost: 0, depth: 0 });
  return error === undefined ? { error, cost, asksStores } : { error };

  function measureSelections(
    { selections }: SelectionSetNode,
    parent: Composite | undefined,
  ): Measures {
    return selections
      .map((selection) => measureSelection(selection, parent))
      .reduce(add, zeroMeasures);
  }

  function measureSelection(selection: SelectionNode, parent: Composite | undefined): Measures {
    if (selection.kind === Kind.FIELD) return measureField(selection, parent);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    const { selectionSet, typeCondition } = selection;
    const type = typeCondition === undefined ? parent : findComposite(typeCondition.name.value);
    return measureSelections(selectionSet, type);
  }

  function measureFragment(name: string): Measures {
    const measured = measuredFragments.get(name);
    if (measured !== undefined) return measured;
    // Ends cycles of fragments, which validation refuses later.
    measuredFragments.set(name, zeroMeasures);
    const fragment = fragments.get(name);
    if (fragment === undefined) return zeroMeasures;
    const type = findComposite(fragment.typeCondition.name.value);
    const measures = measureSelections(fragment.selectionSet, type);
    measuredFragments.set(name, measures);
    return measures;
  }

  function measureField(field: FieldNode, parent: Composite | undefined): Measures {
    const name = field.name.value;
    const price = costOf(parent?.getFields()[name]?.extensions);
    const own: Measures = {
      asksStores: price !== undefined,
      depth: 1,
      cost: price ?? (isIntrospection(parent) ? introspectionCost : 1),
      aliases: field.alias === undefined ? 0 : 1,
      aliasLength: field.alias?.value.length ?? 0,
      fields: 1,
    };
    if (field.selectionSet === undefined) return own;
    const type = typeOfField(name, parent);
    const composite = type && findComposite(getNamedType(type).name);
    const inner = measureSelections(field.selectionSet, composite);
    const isRootOfIntrospection = name === '__schema' || name === '__type';
    return {
      ...add(own, inner),
      depth: isRootOfIntrospection && inner.depth < limits.introspectionDepth ? 1 : inner.depth + 1,
      cost: own.cost + inner.cost * lengthOf(field, type, parent),
    };
  }

  function findComposite(name: string): Composite | undefined {
    const type = schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : undefined;
  }

  /** The type of a field; undefined for one that is not in the schema. */
  function typeOfField(name: string, parent: Composite | undefined): GraphQLOutputType | undefined {
    if (name !== '__schema' && name !== '__type') return parent?.getFields()[name]?.type;
    const type = schema.getType(name === '__schema' ? '__Schema' : '__Type');
    return isObjectType(type) ? type : undefined;
  }

  /** The number of entries of a field. Unknown variables count as the maximum. */
  function lengthOf(
    field: FieldNode,
    type: GraphQLOutputType | undefined,
    parent: Composite | undefined,
  ): number {
    const name = field.name.value;
    if (isIntrospection(parent))
      return name === 'types' ? typeCount : (introspectionLengths[name] ?? 1);
    const first = field.arguments?.find((each) => each.name.value === 'first')?.value;
    if (first?.kind === Kind.INT) return Math.min(maxFirst, Math.max(1, Number(first.value)));
    if (first !== undefined) return maxFirst;
    if (type === undefined) return 1;
    if (isConnection(getNamedType(type))) return defaultFirst;
    // `first` of the connection already limits the lists inside it.
    return isListType(getNullableType(type)) && !isConnection(parent) ? assumedLength : 1;
  }
}
