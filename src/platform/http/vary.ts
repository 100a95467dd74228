import type { FastifyReply } from 'fastify';

/** Adds request headers to Vary (RFC 9110 §12.5.5), beside those that it names already. */
export function varyOn(reply: FastifyReply, ...names: readonly string[]): void {
  const current = reply.getHeader('vary');
  const named =
    typeof current === 'string' ? current.split(',').map((name) => name.trim().toLowerCase()) : [];
  void reply.header('vary', [...new Set([...named, ...names])].join(', '));
}
