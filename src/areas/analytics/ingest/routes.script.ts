import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../../platform/http/etag.ts';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { loadWebScript } from '../../../platform/ui/web-script.ts';

export interface ScriptRoutesOptions {
  /** Where the built scripts of pages are. */
  webFolder: URL;
}

const oneYear = 31_536_000;
const oneDay = 86_400;
const scripts = [
  {
    name: 'svc.min.js',
    operationId: 'analytics.script',
    summary: 'The script that counts pages and events',
    more: '',
  },
  {
    name: 'svc.vitals.min.js',
    operationId: 'analytics.script_with_vitals',
    summary: 'The same script with web vitals',
    more: ' Measures LCP, INP, CLS, FCP and TTFB as well: in place of the other one.',
  },
] as const;

/** The scripts that websites embed, and their types. They are read once. */
export const scriptRoutes: FastifyPluginAsyncZod<ScriptRoutesOptions> = async (
  app,
  { webFolder },
) => {
  allowCrossOrigin(app);
  for (const { name, operationId, summary, more } of scripts) {
    const { text, version } = await loadWebScript(webFolder, name);
    app.get(
      `/${name}`,
      {
        schema: {
          operationId,
          summary,
          description: `Page views, also of single-page apps, custom events, links that lead away, downloads, forms and time on the page; no cookie, nothing stored.${more} Settings are data attributes of its tag: see the guide.`,
          tags: ['analytics'],
          response: {
            200: { content: { 'text/javascript': { schema: z.string() } } },
            304: z.undefined().describe('Nothing has changed.'),
          },
        },
      },
      async (request, reply) => {
        const isVersioned = new URLSearchParams(request.url.split('?')[1]).get('v') === version;
        return sendCacheable(request, reply, {
          content: text,
          type: 'text/javascript; charset=utf-8',
          cacheControl: isVersioned
            ? `public, max-age=${oneYear}, immutable`
            : `public, max-age=${oneDay}`,
        });
      },
    );
  }

  const { text: types } = await loadWebScript(webFolder, 'svc.d.ts');
  app.get(
    '/svc.d.ts',
    {
      schema: {
        operationId: 'analytics.script_types',
        summary: 'Types of the script',
        description: 'For TypeScript: a file to put into a project whose pages have the script.',
        tags: ['analytics'],
        response: {
          200: { content: { 'text/plain': { schema: z.string() } } },
          304: z.undefined().describe('Nothing has changed.'),
        },
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: types,
        type: 'text/plain; charset=utf-8',
        cacheControl: `public, max-age=${oneDay}`,
      }),
  );
};
