import type { FastifyInstance } from 'fastify';
import { createGunzip } from 'node:zlib';
import { requestErrors } from '../../platform/errors.ts';
import { analyticsErrors } from './errors.ts';

/** Lets the routes of this scope read gzip bodies. The size limits count the bytes that come out. */
export function acceptGzip(scope: FastifyInstance): void {
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') {
      done(null, payload);
      return;
    }
    if (encoding !== 'gzip') {
      done(analyticsErrors.encoding());
      return;
    }
    const gunzip = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
    payload.on('data', (part: Buffer) => (gunzip.receivedEncodedLength += part.length));
    payload.on('error', (error) => gunzip.destroy(error));
    gunzip.on('error', (cause) => gunzip.destroy(requestErrors.invalid({ detail: 'The body is not valid gzip.', cause })));
    done(null, payload.pipe(gunzip));
  });
}
