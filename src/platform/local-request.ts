import type { FastifyRequest } from 'fastify';

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** True for a `Host` header that names this machine itself. */
export const isLoopbackHost = (host: string | undefined): boolean => loopbackHost.test(host ?? '');

/**
 * True for a program on this machine that asks this machine. The peer of the socket decides, and headers may only refuse:
 * behind a proxy or a tunnel that runs here the whole world comes from 127.0.0.1.
 */
export function isLocalRequest({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined;
  return !isForwarded && loopback.test(socket.remoteAddress ?? '') && isLoopbackHost(headers.host);
}
