import { acceptsType } from '../../lib/net/accept.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const answerTypes = ['application/json', 'text/event-stream'];

/** The types that a client accepts, by name: the SDK looks for them in the text of the header. */
const acceptedTypes = (accept: string | undefined): string =>
  answerTypes.filter((type) => acceptsType(accept, type)).join(', ');

/**
 * Converts a request for the SDK: method, URL and headers without credentials. The parsed body is
 * passed separately. Its signal aborts when the client disconnects before the response is complete.
 */
export function toWebRequest(
  { raw, headers: incoming, method }: FastifyRequest,
  reply: FastifyReply,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming)) {
    if (value !== undefined && name !== 'cookie' && name !== 'authorization')
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set('accept', acceptedTypes(incoming.accept));
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return new Request(`http://mcp.internal${raw.url ?? '/'}`, {
    method,
    headers,
    signal: controller.signal,
  });
}
