import { stringify } from 'yaml';
import { mapInSlices } from '../../lib/concurrency/slices.ts';

const options = { aliasDuplicateObjects: false, lineWidth: 0 };
/** Deep enough that a chunk is one path or one named schema. */
const splitDepth = 2;

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const indentText = (text: string, indent: string): string =>
  indent === '' ? text : text.replaceAll(/^(?=.)/gm, indent);

/** Yields a map as chunks of YAML. Maps down to `depth` are split. */
function* chunksOf(map: object, depth: number, indent = ''): Generator<string> {
  for (const [name, value] of Object.entries<unknown>({ ...map })) {
    if (depth === 0 || !isMap(value) || Object.keys(value).length === 0) {
      yield indentText(stringify({ [name]: value }, options), indent);
    } else {
      yield indentText(
        stringify({ [name]: null }, { ...options, nullStr: '' }).replace(/ ?\n$/, '\n'),
        indent,
      );
      yield* chunksOf(value, depth - 1, `${indent}  `);
    }
  }
}

/** Serializes a document as YAML 1.2, in slices, because a large one takes a second. */
export async function yamlOf(document: object): Promise<string> {
  const chunks = await mapInSlices(chunksOf(document, splitDepth), (chunk) => chunk);
  return chunks.join('');
}
