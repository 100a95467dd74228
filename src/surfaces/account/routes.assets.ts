import type { FastifyInstance } from 'fastify';
import { passkeyScript, passkeyScriptPath } from './passkey-script.ts';

const oneYear = 31_536_000;

/** The script of the pages that have passkeys on them. */
export async function passkeyScriptRoute(app: FastifyInstance): Promise<void> {
  app.get(
    passkeyScriptPath,
    {
      schema: {
        operationId: 'pages.passkey_script',
        summary: 'Script of the pages with passkeys',
        tags: ['pages'],
        hide: true,
      },
    },
    (_request, reply) =>
      reply
        .headers({ 'cache-control': `public, max-age=${oneYear}, immutable` })
        .type('text/javascript; charset=utf-8')
        .send(passkeyScript),
  );
}
