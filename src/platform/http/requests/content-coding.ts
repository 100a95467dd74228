import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestErrors } from '../../errors/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts compressed bodies, and refuses other codings itself. */
    decodesBody?: boolean;
  }
}

/** The codings of the body, without those that change nothing (RFC 9110 §8.4). */
const isCoded = (contentEncoding: string | undefined): boolean =>
  contentEncoding?.split(',').some((coding) => !/^\s*(?:identity)?\s*$/i.test(coding)) === true;

/** Whether the route reads a body as it is sent: others ignore it, or decode it themselves. */
const readsAsSent = ({ is404, routeOptions: { schema, config } }: FastifyRequest): boolean =>
  !is404 &&
  config.decodesBody !== true &&
  (schema?.body !== undefined || schema?.rawBody !== undefined);

/**
 * Responds with 415 to bodies that are compressed, before their bytes are taken for text, with the
 * codings that are accepted: none (RFC 9110 §15.5.16).
 */
export function refuseCodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRefused = isCoded(request.headers['content-encoding']) && readsAsSent(request);
    done(
      isRefused
        ? requestErrors.unsupported_media_type({
            detail: 'The body is compressed. Send it without Content-Encoding.',
            headers: { 'accept-encoding': 'identity' },
          })
        : null,
      payload,
    );
  });
}
