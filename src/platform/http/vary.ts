import type { FastifyReply } from 'fastify';

/** Adds request header names to Vary (RFC 9110 §12.5.5), keeping the existing ones. */
export function varyOn(reply: FastifyReply, ...names: readonly string[]): void {
  const current = reply.getHeader('vary');
  const existing =
    typeof current === 'string' ? current.split(',').map((name) => name.trim().toLowerCase()) : [];
  void reply.header('vary', [...new Set([...existing, ...names])].join(', '));
}
