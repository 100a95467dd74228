import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { consoleStyle, consoleStylePath } from './style.ts';

const forGood = 'public, max-age=31536000, immutable';

/** Where the module of the console is. Its content is part of the address, so that browsers may keep it. */
export const scriptPathOf = (version: string): string => `/assets/console.${version}.js`;

/** The files of the console's pages: the same for everybody, and nothing secret. */
export const consoleAssetRoutes: FastifyPluginAsyncZod<{
  consoleScript: { text: string; version: string };
}> = async (app, { consoleScript }) => {
  const style = { content: consoleStyle, type: 'text/css; charset=utf-8', cacheControl: forGood };
  const script = {
    content: consoleScript.text,
    type: 'text/javascript; charset=utf-8',
    cacheControl: forGood,
  };
  app.get(
    consoleStylePath,
    {
      schema: {
        operationId: 'console.style',
        summary: 'Style sheet of the console',
        tags: ['pages'],
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, style),
  );
  app.get(
    scriptPathOf(consoleScript.version),
    {
      schema: {
        operationId: 'console.script',
        summary: 'Module of the console',
        tags: ['pages'],
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, script),
  );
};
