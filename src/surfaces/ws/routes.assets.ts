import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { loadWebScript } from '../../platform/ui/web-script.ts';

export interface MessageHandlerOptions {
  /** The folder of the built scripts of pages. */
  folder: URL;
  /** The public URL of the service, for the documentation. */
  baseUrl: string;
}

const name = 'global-message-handler.js';
const oneYear = 31_536_000;

/** Serves the script with which pages of any site receive publications. It is read once. */
export const messageHandlerRoute: FastifyPluginAsyncZod<MessageHandlerOptions> = async (
  app,
  { folder, baseUrl },
) => {
  const { text, version, integrity } = await loadWebScript(folder, name);
  const address = `/${name}`;
  const tag =
    `<script defer src="${baseUrl}${address}?v=${version}" integrity="${integrity}" ` +
    'crossorigin="anonymous" data-path="/ws/status/" data-channels="status"></script>';
  allowCrossOrigin(app);

  app.get(
    address,
    {
      schema: {
        operationId: 'ws.message_handler',
        summary: 'Get the realtime script',
        returns: 'The script, minified.',
        description:
          'Reconnects and fetches missed messages. To pin a release, which browsers then cache ' +
          `for a year:\n\n\`\`\`html\n${tag}\n\`\`\`\n\n` +
          'To always load the latest release, omit `v` and `integrity`. On other sites, use ' +
          '`data-url="wss://…/ws/status/"` in place of `data-path`.',
        tags: ['realtime'],
        response: {
          200: { content: { 'text/javascript': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) => {
      // Responses to URLs with another version must not be cached for long.
      const isVersioned = new URLSearchParams(request.url.split('?')[1]).get('v') === version;
      return sendCacheable(request, reply, {
        content: text,
        type: 'text/javascript; charset=utf-8',
        cacheControl: isVersioned ? `public, max-age=${oneYear}, immutable` : 'public, max-age=300',
      });
    },
  );
};
