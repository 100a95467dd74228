import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Cacheable, sendCacheable } from '../http/etag.ts';
import { once } from '../../lib/memoize.ts';

const path = '/api/docs/static';
const immutable = 'public, max-age=31536000, immutable';
const types = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
type Name = keyof typeof types;

/** The addresses of Swagger UI's files. Each contains a digest of the content. */
export interface ReferenceFiles {
  style: string;
  script: string;
}

interface File {
  version: string;
  /** Sent for the address with the digest. */
  forever: Cacheable;
  /** Sent for any other address. */
  briefly: Cacheable;
}

async function read(name: Name): Promise<File> {
  const file = createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`);
  const content = await readFile(file, 'utf8');
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  const answer = { content, type: types[name] };
  return {
    version,
    forever: { ...answer, cacheControl: immutable },
    briefly: { ...answer, cacheControl: 'public, max-age=300' },
  };
}

/**
 * Serves the two large files of Swagger UI compressed, before the package's own route would send
 * them as they are. They are read on demand: most instances never send them.
 */
export function serveSwaggerFiles(app: FastifyInstance): () => Promise<ReferenceFiles> {
  const style = once(() => read('swagger-ui.css'));
  const script = once(() => read('swagger-ui-bundle.js'));
  const sender =
    (fileOf: typeof style) =>
    async (request: FastifyRequest<{ Querystring: { v?: string } }>, reply: FastifyReply) => {
      const { version, forever, briefly } = await fileOf();
      return sendCacheable(request, reply, request.query.v === version ? forever : briefly);
    };
  const hidden = (operationId: string, summary: string) => ({
    schema: { operationId, summary, tags: ['pages'], hide: true },
  });
  app.get(
    '/api/docs/static/swagger-ui.css',
    hidden('reference.swagger_style', 'The style sheet of the interactive reference'),
    sender(style),
  );
  app.get(
    '/api/docs/static/swagger-ui-bundle.js',
    hidden('reference.swagger_script', 'The script of the interactive reference'),
    sender(script),
  );
  return once(async () => ({
    style: `${path}/swagger-ui.css?v=${(await style()).version}`,
    script: `${path}/swagger-ui-bundle.js?v=${(await script()).version}`,
  }));
}
