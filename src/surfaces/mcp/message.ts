import { z } from 'zod';
import { findExcess, parseJson } from '../../lib/json/bounds.ts';
import { bodyText } from '../../platform/http/requests/body-text.ts';

/** Limits of a message, because later parsing may recurse into it. */
const bounds = { depth: 64, values: 10_000, names: 1000 };

/**
 * Parses a message and drops members named `__proto__`. Undefined for invalid or too large ones,
 * and those that are not in UTF-8 or the charset of the content type.
 */
export function readMessage(bytes: Buffer, contentType: string | undefined): unknown {
  try {
    const text = bodyText(bytes, contentType);
    return findExcess(text, bounds) === undefined ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

const Method = z.object({ method: z.string() });
const ToolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/** The method of a request or notification; undefined for other messages. */
export const methodOf = (message: unknown): string | undefined =>
  Method.safeParse(message).data?.method;

/** The name of the tool that a message calls; undefined for other messages. */
export const calledTool = (message: unknown): string | undefined =>
  ToolCall.safeParse(message).data?.params.name;

/** True for a response of the client to a request of the server. */
export const isResponse = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  !Array.isArray(message) &&
  !('method' in message);

/** True for requests that open a long-lived stream: GET, or `subscriptions/listen`. */
export const opensStream = (httpMethod: string, message: unknown): boolean =>
  httpMethod === 'GET' || methodOf(message) === 'subscriptions/listen';

/** Creates a JSON-RPC 2.0 error response without a request id. */
export const errorResponse = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
