import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../../lib/net/header-text.ts';
import { writeResponseHeaders } from './security.ts';

/** Headers that may hold what a person wrote. */
const writtenByPeople = ['location', 'content-disposition', 'link', 'refresh'] as const;

/** Makes the headers of every response ASCII, including those that routes set. */
export function registerHeaderValues(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name of writtenByPeople) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') reply.header(name, headerText(value));
    }
    done(null, payload);
  });
}

const headerErrors: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
]);

/** Removes the headers of a response that can't be written, so that its problem can be. */
export function dropUnwritable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof Error) || !('code' in error) || !headerErrors.has(error.code)) return;
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  writeResponseHeaders(request, reply);
}
