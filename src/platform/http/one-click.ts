import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Maximum size of a body that is ignored, in bytes. Mail programs send some thirty; a body that is
 * larger than a route accepts must not keep a person subscribed.
 */
const oneClickBodyLimit = 1024 * 1024;

const ignoredType = 'application/vnd.one-click';

const hasToken = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' &&
  query !== null &&
  'token' in query &&
  typeof query.token === 'string' &&
  query.token !== '';

/**
 * Makes the POST routes of this scope act on the `token` in their URL, whatever the body and its
 * content type: RFC 8058 §3.2 lets email clients send a form of either type, and some send none.
 * Without a token in the URL, bodies are read as elsewhere. Call it before adding the routes.
 */
export function acceptOneClick(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'POST' && hasToken(request))
      request.headers['content-type'] = ignoredType;
    done();
  });
  scope.addHook('onRoute', (route) => {
    if ([route.method].flat().includes('POST')) route.bodyLimit = oneClickBodyLimit;
  });
  scope.addContentTypeParser(ignoredType, { parseAs: 'buffer' }, (_request, _body, done) =>
    done(null, undefined),
  );
}
