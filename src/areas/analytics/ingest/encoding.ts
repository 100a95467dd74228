import type { FastifyInstance, preParsingHookHandler, RequestPayload } from 'fastify';
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { defaultBodyLimit } from '../../../platform/http/fastify.ts';
import { hasScope } from '../../../platform/identity/identity.ts';
import { analyticsErrors } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Bytes that a body may have without a key that may write events; `bodyLimit` is for those with
     * one.
     */
    publicBodyLimit?: number;
  }
}

/**
 * Bytes that may come out of gzip for each one that went in, once there are more than
 * `unsuspicious`. Events reach 50 at most.
 */
const mostRatio = 200;
const unsuspicious = 256 * 1024;

function atMost(limit: number, received: () => number): Transform {
  let size = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length;
      const isBomb = size > unsuspicious && size > mostRatio * received();
      if (size > limit || isBomb) done(requestErrors.too_large());
      else done(null, part);
    },
  });
}

/**
 * The body as it is to be read. It fails as soon as it goes beyond `limit`; what the client still
 * sends is thrown away.
 */
function limited(body: RequestPayload, limit: number, isGzip: boolean): RequestPayload {
  const out: Transform & { receivedEncodedLength: number } = Object.assign(
    atMost(limit, () => out.receivedEncodedLength),
    { receivedEncodedLength: 0 },
  );
  const gunzip = isGzip ? createGunzip() : undefined;
  function giveUp(error: Error): void {
    body.unpipe();
    body.resume();
    gunzip?.destroy();
    out.destroy(error);
  }
  body.on('data', (part: Buffer) => (out.receivedEncodedLength += part.length)).on('error', giveUp);
  gunzip?.on('error', (cause) =>
    giveUp(requestErrors.invalid({ detail: 'The body is not valid gzip.', cause })),
  );
  out.on('error', giveUp);
  return gunzip === undefined ? body.pipe(out) : body.pipe(gunzip).pipe(out);
}

interface Limits {
  open: number;
  keyed: number;
}

function createBodyHook({ open, keyed }: Limits): preParsingHookHandler {
  return (request, _reply, payload, done) => {
    const {
      'content-encoding': encoding = 'identity',
      'content-length': length,
      'transfer-encoding': transfer,
    } = request.headers;
    const limit = hasScope(request.principal, 'analytics:write') ? keyed : open;
    if (encoding !== 'identity' && encoding !== 'gzip') done(analyticsErrors.encoding());
    else if (Number(length ?? 0) > limit) done(requestErrors.too_large());
    else if (encoding === 'identity' && transfer === undefined) done(null, payload);
    else done(null, limited(payload, limit, encoding === 'gzip'));
  };
}

/**
 * Lets the POST routes of this scope read gzip bodies, and holds every body to its limit (with and
 * without a key), also those whose length is only known at their end. The limits count the bytes
 * that come out. Call it before the routes.
 */
export function acceptGzip(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return;
    const keyed = route.bodyLimit ?? defaultBodyLimit;
    route.preParsing = createBodyHook({ keyed, open: route.config?.publicBodyLimit ?? keyed });
  });
}
