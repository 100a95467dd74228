import { graphqlErrors } from '../errors.ts';
import type { GraphqlRequest } from '../execution/engine.ts';

type Parameters = Readonly<
  Partial<Record<'query' | 'variables' | 'operationName' | 'extensions', unknown>>
>;

const jsonType = 'application/json';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether a request names its document by a hash (automatic persisted queries of Apollo and urql).
 * Clients send the document if the response says that the server keeps none, and fail otherwise.
 */
const isPersistedQuery = (extensions: unknown): boolean =>
  isRecord(extensions) && isRecord(extensions.persistedQuery);

/**
 * Reads the parameters of a request (GraphQL over HTTP §4.1). Ignores other members.
 * Throws `graphql.query_missing`, `.persisted_query_not_supported` and `.parameter_invalid`.
 */
function toRequest({ query, variables, operationName, extensions }: Parameters): GraphqlRequest {
  if (typeof query !== 'string' || query === '')
    throw isPersistedQuery(extensions)
      ? graphqlErrors.persisted_query_not_supported()
      : graphqlErrors.query_missing();
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

function parseJson(text: string, onFailure: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw onFailure();
  }
}

/**
 * Parses a JSON body: one request, or a batch of at most `maxBatch`. Throws
 * `graphql.query_missing`, `.parameter_invalid`, `.body_invalid` and `.batch_too_long`.
 */
export function parseBody(text: unknown, maxBatch: number): GraphqlRequest | GraphqlRequest[] {
  if (typeof text !== 'string') throw graphqlErrors.body_invalid();
  const body = parseJson(text, graphqlErrors.body_invalid);
  if (isRecord(body)) return toRequest(body);
  if (!Array.isArray(body) || !body.every(isRecord)) throw graphqlErrors.body_invalid();
  if (body.length === 0 || body.length > maxBatch)
    throw graphqlErrors.batch_too_long({ extra: { limit: maxBatch } });
  return body.map(toRequest);
}

const parseMember = (text: string | null): unknown =>
  text === null || text === '' ? undefined : parseJson(text, graphqlErrors.parameter_invalid);

/** Parses the query of a URL (GraphQL over HTTP §5.3). Throws the errors of `toRequest`. */
export function parseUrl(url: string): GraphqlRequest {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at));
  return toRequest({
    query: query.get('query') ?? undefined,
    operationName: query.get('operationName'),
    variables: parseMember(query.get('variables')),
    extensions: parseMember(query.get('extensions')),
  });
}

/** True for JSON in UTF-8. Pages of other sites can send other types without a preflight. */
export function isReadable(contentType: string | undefined): boolean {
  if (contentType === jsonType) return true;
  const [type = '', ...parameters] = (contentType ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === jsonType && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}
