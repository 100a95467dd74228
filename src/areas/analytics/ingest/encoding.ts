import type { FastifyInstance, preParsingHookHandler, RequestPayload } from 'fastify';
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { defaultBodyLimit } from '../../../platform/http/fastify.ts';
import { hasScope } from '../../../lib/access.ts';
import { analyticsErrors } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum body size in bytes for requests without `analytics:write`; others: `bodyLimit`. */
    publicBodyLimit?: number;
  }
}

/** Maximum gzip ratio. Real events reach at most 50. */
const maxRatio = 200;
/** Bodies smaller than this may have any ratio. */
const minBombBytes = 256 * 1024;

/** Fails with 413 beyond `limit` bytes, or when the ratio suggests a gzip bomb. */
function limitBytes(limit: number, received: () => number): Transform {
  let size = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length;
      const isBomb = size > minBombBytes && size > maxRatio * received();
      if (size > limit || isBomb) done(requestErrors.too_large());
      else done(null, part);
    },
  });
}

/** Returns the decoded body. Fails as soon as it exceeds `limit`, and discards the rest. */
function decode(body: RequestPayload, limit: number, isGzip: boolean): RequestPayload {
  const out: Transform & { receivedEncodedLength: number } = Object.assign(
    limitBytes(limit, () => out.receivedEncodedLength),
    { receivedEncodedLength: 0 },
  );
  const gunzip = isGzip ? createGunzip() : undefined;
  function fail(error: Error): void {
    body.unpipe();
    body.resume();
    gunzip?.destroy();
    out.destroy(error);
  }
  body.on('data', (part: Buffer) => (out.receivedEncodedLength += part.length)).on('error', fail);
  gunzip?.on('error', (cause) =>
    fail(requestErrors.invalid({ detail: 'The body is not valid gzip.', cause })),
  );
  out.on('error', fail);
  return gunzip === undefined ? body.pipe(out) : body.pipe(gunzip).pipe(out);
}

interface BodyLimits {
  public: number;
  trusted: number;
}

function createBodyHook(limits: BodyLimits): preParsingHookHandler {
  return (request, _reply, payload, done) => {
    const {
      'content-encoding': encoding = 'identity',
      'content-length': length,
      'transfer-encoding': transfer,
    } = request.headers;
    const limit = hasScope(request.principal, 'analytics:write') ? limits.trusted : limits.public;
    if (encoding !== 'identity' && encoding !== 'gzip') done(analyticsErrors.encoding());
    else if (Number(length ?? 0) > limit) done(requestErrors.too_large());
    else if (encoding === 'identity' && transfer === undefined) done(null, payload);
    else done(null, decode(payload, limit, encoding === 'gzip'));
  };
}

/**
 * Accepts gzip bodies on the POST routes of this scope, and limits the size of all their bodies,
 * with separate limits for trusted requests. Limits count decoded bytes. Call it before the routes.
 */
export function acceptGzip(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return;
    route.config = { ...route.config, decodesBody: true };
    const trusted = route.bodyLimit ?? defaultBodyLimit;
    route.preParsing = createBodyHook({
      trusted,
      public: route.config.publicBodyLimit ?? trusted,
    });
  });
}
