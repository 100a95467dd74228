import type { Media, Response } from '../../../platform/openapi/document.ts';

export const isJson = (type: string): boolean => type.endsWith('json');

export const isSuccess = (status: string): boolean => status.startsWith('2');

/** The media type to show of a body or response: JSON if there is one. */
export const mediaOf = (content: Record<string, unknown>): string | undefined =>
  Object.keys(content).find(isJson) ?? Object.keys(content)[0];

/** The example of a body or response. */
export const exampleOf = ({ example, examples = {} }: Media): unknown =>
  example ?? Object.values(examples)[0]?.value;

/** The error codes of a response: the names of its examples. */
export function codesOf({ content = {} }: Response): string[] {
  const named = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(named.filter((name) => /^(?:[a-z_]+\.[a-z0-9_]+|internal)$/.test(name)))];
}
