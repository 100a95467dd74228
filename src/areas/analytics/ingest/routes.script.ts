import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { sendCacheable } from '../../../platform/http/etag.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { addScriptRoute } from '../../../platform/ui/script-route.ts';
import { loadWebScript } from '../../../platform/ui/web-script.ts';

export interface ScriptRoutesOptions {
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

const oneDay = 86_400;
const scripts = [
  {
    name: 'svc.min.js',
    operationId: 'analytics.script',
    summary: 'Get the tracking script',
    more: '',
  },
  {
    name: 'svc.vitals.min.js',
    operationId: 'analytics.script_with_vitals',
    summary: 'Get the tracking script with web vitals',
    more: ' Also measures LCP, INP, CLS, FCP and TTFB. Use it in place of the other script.',
  },
] as const;

async function getScript(
  app: ZodApp,
  webFolder: URL,
  { name, operationId, summary, more }: (typeof scripts)[number],
): Promise<void> {
  addScriptRoute(app, {
    path: `/${name}`,
    operationId,
    summary,
    description:
      'Tracks page views (including single-page apps), custom events, outbound ' +
      'links, downloads, forms and time on page. Sets no cookies and stores nothing ' +
      `in the browser.${more} Configure it with data attributes on its script tag; ` +
      'see the guide.',
    tags: ['analytics'],
    script: await loadWebScript(webFolder, name),
    maxAgeS: oneDay,
  });
}

async function getScriptTypes(app: ZodApp, webFolder: URL): Promise<void> {
  const { text } = await loadWebScript(webFolder, 'svc.d.ts');
  app.get(
    '/svc.d.ts',
    {
      schema: {
        operationId: 'analytics.script_types',
        summary: 'Get the TypeScript declarations for the tracking script',
        returns: 'TypeScript declarations.',
        description: 'Add this file to a TypeScript project whose pages load the script.',
        tags: ['analytics'],
        response: {
          200: { content: { 'text/plain': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: text,
        type: 'text/plain; charset=utf-8',
        cacheControl: `public, max-age=${oneDay}`,
      }),
  );
}

/** The scripts that websites embed, and their types. Loaded once, at start. */
export const scriptRoutes: FastifyPluginAsyncZod<ScriptRoutesOptions> = async (
  app,
  { webFolder },
) => {
  allowCrossOrigin(app);
  for (const script of scripts) await getScript(app, webFolder, script);
  await getScriptTypes(app, webFolder);
};
