import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The request as the SDK reads it: method, address and headers. The body is handed over as it was parsed. It is aborted when the
 * client goes away before the answer.
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
