import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { addScriptRoute } from '../../platform/ui/script-route.ts';
import { loadWebScript } from '../../platform/ui/web-script.ts';

export interface MessageHandlerOptions {
  /** The folder of the built scripts of pages. */
  folder: URL;
  /** The public URL of the service, for the documentation. */
  baseUrl: string;
}

const name = 'global-message-handler.js';

/** Serves the script with which pages of any site receive publications. It is read once. */
export const messageHandlerRoute: FastifyPluginAsyncZod<MessageHandlerOptions> = async (
  app,
  { folder, baseUrl },
) => {
  const script = await loadWebScript(folder, name);
  const address = `/${name}`;
  const tag =
    `<script defer src="${baseUrl}${address}?v=${script.version}" ` +
    `integrity="${script.integrity}" ` +
    'crossorigin="anonymous" data-path="/ws/status/" data-channels="status"></script>';
  allowCrossOrigin(app);

  addScriptRoute(app, {
    path: address,
    operationId: 'ws.message_handler',
    summary: 'Get the realtime script',
    description:
      'Reconnects and fetches missed messages. To pin a release, which browsers then cache ' +
      `for a year:\n\n\`\`\`html\n${tag}\n\`\`\`\n\n` +
      'To always load the latest release, omit `v` and `integrity`. On other sites, use ' +
      '`data-url="wss://…/ws/status/"` in place of `data-path`.',
    tags: ['realtime'],
    script,
    maxAgeS: 300,
  });
};
