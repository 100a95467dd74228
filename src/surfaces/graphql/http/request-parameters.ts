import { graphqlErrors } from '../errors.ts';
import type { GraphRequest } from '../execution/engine.ts';

type Given = Readonly<
  Partial<Record<'query' | 'variables' | 'operationName' | 'extensions', unknown>>
>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a request (GraphQL over HTTP §4.1); other members are ignored. Throws `graphql.query_missing`, `.parameter_invalid`. */
function readRequest({ query, variables, operationName, extensions }: Given): GraphRequest {
  if (typeof query !== 'string' || query === '') throw graphqlErrors.query_missing();
  if (operationName != null && typeof operationName !== 'string')
    throw graphqlErrors.parameter_invalid({ extra: { parameter: 'operationName' } });
  if (variables != null && !isRecord(variables))
    throw graphqlErrors.parameter_invalid({ extra: { parameter: 'variables' } });
  if (extensions != null && !isRecord(extensions))
    throw graphqlErrors.parameter_invalid({ extra: { parameter: 'extensions' } });
  return {
    query,
    variables: variables ?? undefined,
    operationName: operationName == null || operationName === '' ? undefined : operationName,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw graphqlErrors.body_invalid();
  }
}

/** The request in a body, or a list of at most `most` of them. Throws what `readRequest` throws, and `graphql.body_invalid`, `.batch_too_long`. */
export function readBody(text: unknown, most: number): GraphRequest | GraphRequest[] {
  if (typeof text !== 'string') throw graphqlErrors.body_invalid();
  const body = parseJson(text);
  if (isRecord(body)) return readRequest(body);
  if (!Array.isArray(body) || !body.every(isRecord)) throw graphqlErrors.body_invalid();
  if (body.length === 0 || body.length > most)
    throw graphqlErrors.batch_too_long({ extra: { limit: most } });
  return body.map(readRequest);
}

function member(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw graphqlErrors.parameter_invalid();
  }
}

/** The request in an address (GraphQL over HTTP §5.3). Throws as `readBody`. */
export function readAddress(url: string): GraphRequest {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at));
  return readRequest({
    query: query.get('query') ?? undefined,
    operationName: query.get('operationName'),
    variables: member(query.get('variables')),
    extensions: member(query.get('extensions')),
  });
}

/** True for a body that may be read: JSON in UTF-8. All others are such as a page of another site sends without asking, or unknown. */
export function isReadable(contentType: string | undefined): boolean {
  if (contentType === jsonAlone) return true;
  const [type = '', ...parameters] = (contentType ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === jsonAlone && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

const jsonAlone = 'application/json';
