import { z } from 'zod';
import { toCamelCase } from '../../../lib/text/case.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import type { Operation } from '../../../platform/operations/operation.ts';
import { inputTypeOf } from '../resources/resource-types.ts';
import { labelOf, type OperationTypes, pascalCase } from './operation-types.ts';

const described = (text: string): string => `"""${text.replaceAll('"""', '"')}"""`;

export const isQuery = ({ path }: Operation<never>): boolean => path.startsWith('GET ');

const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> =>
  schema instanceof z.ZodObject ? schema.shape : {};

const isRequired = (schema: z.core.$ZodType): boolean => !z.safeParse(schema, undefined).success;

function memberSdl(
  [member, schema]: [string, z.core.$ZodType],
  types: OperationTypes,
  type = inputTypeOf(schema, { definitions: [], enumNames: types.names }),
): string {
  const ofPath = 'The `id`, or the id in the REST API.';
  const text =
    type === 'ID' ? ofPath : (z.globalRegistry.get(schema)?.description ?? labelOf(member));
  return `  ${described(text)}\n  ${toCamelCase(member)}: ${type}${isRequired(schema) ? '!' : ''}`;
}

/** The members of a mutation's `input`: those of query and body. */
const inputOf = ({ query, body }: Operation<never>) =>
  Object.entries({ ...shapeOf(query), ...shapeOf(body) });

function argumentsSdl({ operation, name }: BoundOperation, types: OperationTypes): string {
  const ofPath = Object.entries(shapeOf(operation.params)).map((member) =>
    memberSdl(member, types, 'ID'),
  );
  const members = inputOf(operation);
  const bang = members.some(([, schema]) => isRequired(schema)) ? '!' : '';
  const others = isQuery(operation)
    ? members.map((member) => memberSdl(member, types))
    : members
        .slice(0, 1)
        .map(() => `  """The values."""\n  input: ${pascalCase(name)}Input${bang}`);
  const all = [...ofPath, ...others];
  return all.length === 0 ? '' : `(\n${all.join('\n')}\n)`;
}

function outputOf({ operation: { id, output } }: BoundOperation, types: OperationTypes): string {
  if (output === undefined) return 'Boolean';
  const name = types.names.get(output);
  if (name === undefined) throw new TypeError(`${id} has an output that is no object, for GraphQL`);
  return name;
}

const accessText = (scope: string): string =>
  scope === 'admin' ? 'For admins.' : `For callers with the scope ${scope}.`;

function fieldSdl(bound: BoundOperation, types: OperationTypes): string {
  const { operation, name } = bound;
  const { summary, description = '', scope } = operation;
  const root = isQuery(operation) ? 'Query' : 'Mutation';
  return `
extend type ${root} {
  ${described(`${summary}. ${description} ${accessText(scope)}`.replace('  ', ' '))}
  ${toCamelCase(name)}${argumentsSdl(bound, types)}: ${outputOf(bound, types)}!
}`;
}

function inputSdl({ operation, name }: BoundOperation, types: OperationTypes): string {
  const members = inputOf(operation);
  if (isQuery(operation) || members.length === 0) return '';
  return `
${described(`${operation.summary}.`)}
input ${pascalCase(name)}Input {
${members.map((member) => memberSdl(member, types)).join('\n')}
}`;
}

/** The field of an operation, and its input. */
export const sdlOfOperation = (bound: BoundOperation, types: OperationTypes): string =>
  fieldSdl(bound, types) + inputSdl(bound, types);
