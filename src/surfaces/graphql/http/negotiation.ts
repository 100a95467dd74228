import { namesType, preferredType } from '../../../lib/net/accept.ts';

/** The two media types of a response (GraphQL over HTTP). */
export const responseType = 'application/graphql-response+json';
export const jsonType = 'application/json';
export type ResponseType = typeof responseType | typeof jsonType;

const responseTypes = [jsonType, responseType] as const;
const pageTypes = ['text/html', 'application/xhtml+xml'] as const;

/** The media type of the response, by default JSON; undefined when the client accepts neither. */
export function negotiate(accept: string | undefined): ResponseType | undefined {
  if (accept === undefined || accept === jsonType || accept === '*/*') return jsonType;
  return accept === responseType ? responseType : preferredType(accept, responseTypes);
}

/** True when HTML is preferred to JSON, as by a browser that opens the path. */
export function prefersPage(accept: string | undefined): boolean {
  if (!namesType(accept, 'text/html')) return false;
  const wanted = preferredType(accept, [...responseTypes, ...pageTypes]);
  return pageTypes.some((type) => type === wanted);
}
