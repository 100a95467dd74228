import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import type { Handshakes } from '../../ws/guards.ts';
import { graphqlErrors } from '../errors.ts';
import type { Sockets } from '../subscriptions/sockets.ts';

/** A hook: lets plain requests and handshakes of our own pages pass. Throws `graphql.origin_not_allowed`, `.too_many_connections`, and what guards throw. */
export const createShake =
  ({ isTrusted, prove }: Handshakes, sockets: Pick<Sockets, 'isFull'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Only those that want a WebSocket come with it: all others were put back as plain requests.
    if (request.headers.upgrade === undefined) return;
    if (!isTrusted(request)) throw graphqlErrors.origin_not_allowed();
    if (sockets.isFull(clientKey(request.ip)))
      throw graphqlErrors.too_many_connections({ headers: { 'retry-after': '5' } });
    await prove(request, reply);
  };
