import { stringify } from 'yaml';
import { mapInSlices } from '../../lib/concurrency/slices.ts';

const options = { aliasDuplicateObjects: false, lineWidth: 0 };
/** Deep enough that a piece is one path, or one named schema. */
const splitDepth = 2;

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const indented = (text: string, indent: string): string =>
  indent === '' ? text : text.replaceAll(/^(?=.)/gm, indent);

/** A map's members as pieces of YAML; maps no deeper than `depth` are split. */
function* piecesOf(map: object, depth: number, indent = ''): Generator<string> {
  for (const [name, value] of Object.entries<unknown>({ ...map })) {
    if (depth === 0 || !isMap(value) || Object.keys(value).length === 0) {
      yield indented(stringify({ [name]: value }, options), indent);
    } else {
      yield indented(
        stringify({ [name]: null }, { ...options, nullStr: '' }).replace(/ ?\n$/, '\n'),
        indent,
      );
      yield* piecesOf(value, depth - 1, `${indent}  `);
    }
  }
}

/** A document as YAML 1.2, written in slices: a large one takes a second. */
export async function yamlOf(document: object): Promise<string> {
  const pieces = await mapInSlices(piecesOf(document, splitDepth), (piece) => piece);
  return pieces.join('');
}
