import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The request as the SDK reads it: method, URL and headers. Credentials stay here, and the parsed
 * body is passed beside it. It is aborted when the client leaves before the response is complete.
 */
export function toWebRequest(
  { raw, headers: given, method }: FastifyRequest,
  reply: FastifyReply,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && name !== 'cookie' && name !== 'authorization')
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return new Request(`http://mcp.internal${raw.url ?? '/'}`, {
    method,
    headers,
    signal: gone.signal,
  });
}
