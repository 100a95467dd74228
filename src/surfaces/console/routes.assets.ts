import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import type { WebScript } from '../../platform/ui/web-script.ts';
import { consoleStyle, consoleStylePath } from './components/style.ts';

const tags = ['pages'];
const cacheControl = 'public, max-age=31536000, immutable';

/** Path of the console's script. It changes with the script, so that browsers may cache it. */
export const scriptPathOf = ({ version }: WebScript): string => `/assets/console.${version}.js`;

/** Style sheet and script, which are public. */
export const assetRoutes: FastifyPluginAsyncZod<{ script: WebScript }> = async (
  app,
  { script },
) => {
  const styleFile = { content: consoleStyle, type: 'text/css; charset=utf-8', cacheControl };
  const scriptFile = { content: script.text, type: 'text/javascript; charset=utf-8', cacheControl };
  app.get(
    consoleStylePath,
    {
      schema: {
        operationId: 'console.style',
        summary: 'Style sheet of the console',
        tags,
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, styleFile),
  );
  app.get(
    scriptPathOf(script),
    {
      schema: {
        operationId: 'console.script',
        summary: 'Module of the console',
        tags,
        hide: true,
      },
    },
    (request, reply) => sendCacheable(request, reply, scriptFile),
  );
};
