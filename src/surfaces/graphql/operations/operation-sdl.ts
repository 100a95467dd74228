import { z } from 'zod';
import { toCamelCase } from '../../../lib/text/case.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import type { Operation } from '../../../platform/operations/operation.ts';
import { accessNote, described, isRequired, memberSdl } from '../schema/sdl.ts';
import { pascalCase, type TypeNames } from '../schema/type-definitions.ts';

export const isQuery = ({ path }: Operation<never>): boolean => path.startsWith('GET ');

const shapeOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> =>
  schema instanceof z.ZodObject ? schema.shape : {};

const ofPath = { type: 'ID', text: 'The `id`, or the id in the REST API.' };

/** The members of a mutation's `input`: those of query and body. */
const inputOf = ({ query, body }: Operation<never>) =>
  Object.entries({ ...shapeOf(query), ...shapeOf(body) });

function argumentsSdl({ operation, name }: BoundOperation, names: TypeNames): string {
  const ids = Object.entries(shapeOf(operation.params)).map((member) =>
    memberSdl(member, { names, ...ofPath }),
  );
  const members = inputOf(operation);
  const bang = members.some(([, schema]) => isRequired(schema)) ? '!' : '';
  const others = isQuery(operation)
    ? members.map((member) => memberSdl(member, { names }))
    : members
        .slice(0, 1)
        .map(() => `  """The values."""\n  input: ${pascalCase(name)}Input${bang}`);
  const all = [...ids, ...others];
  return all.length === 0 ? '' : `(\n${all.join('\n')}\n)`;
}

function outputOf({ operation: { id, output } }: BoundOperation, names: TypeNames): string {
  if (output === undefined) return 'Boolean';
  const name = names.get(output);
  if (name === undefined)
    throw new TypeError(`${id} has an output that is not an object, for GraphQL`);
  return name;
}

function fieldSdl(bound: BoundOperation, names: TypeNames): string {
  const { operation, name } = bound;
  const { summary, description = '', scope } = operation;
  const root = isQuery(operation) ? 'Query' : 'Mutation';
  return `
extend type ${root} {
  ${described(`${summary}. ${description} ${accessNote(scope)}`.replace('  ', ' '))}
  ${toCamelCase(name)}${argumentsSdl(bound, names)}: ${outputOf(bound, names)}!
}`;
}

function inputSdl({ operation, name }: BoundOperation, names: TypeNames): string {
  const members = inputOf(operation);
  if (isQuery(operation) || members.length === 0) return '';
  return `
${described(`${operation.summary}.`)}
input ${pascalCase(name)}Input {
${members.map((member) => memberSdl(member, { names })).join('\n')}
}`;
}

/** The field of an operation, and its input. */
export const sdlOfOperation = (bound: BoundOperation, names: TypeNames): string =>
  fieldSdl(bound, names) + inputSdl(bound, names);
