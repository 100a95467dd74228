import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { allowCrossOrigin } from '../../platform/http/cross-origin.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { loadWebScript } from '../../platform/ui/web-script.ts';
import { tags } from './routes.options.ts';

export interface EmbedRoutesOptions {
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

const forever = 'public, max-age=31536000, immutable';

/** The script with which websites embed the form. It is read once. */
export const embedRoute: FastifyPluginAsyncZod<EmbedRoutesOptions> = async (app, { webFolder }) => {
  const { text, version } = await loadWebScript(webFolder, 'waitlist.js');
  allowCrossOrigin(app);

  app.get(
    '/waitlist.js',
    {
      schema: {
        operationId: 'waitlist.script',
        summary: 'Get the waitlist script',
        description:
          'Puts the form into the element with the attribute `data-waitlist`. The website’s ' +
          'origin must be in WAITLIST_ORIGINS. Sets no cookies.',
        tags,
        returns: 'The script, minified.',
        response: {
          200: { content: { 'text/javascript': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) => {
      const isVersioned = new URLSearchParams(request.url.split('?')[1]).get('v') === version;
      return sendCacheable(request, reply, {
        content: text,
        type: 'text/javascript; charset=utf-8',
        cacheControl: isVersioned ? forever : 'public, max-age=3600',
      });
    },
  );
};
