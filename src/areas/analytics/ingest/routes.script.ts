import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { sendCacheable } from '../../../platform/http/etag.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { loadWebScript } from '../../../platform/ui/web-script.ts';

export interface ScriptRoutesOptions {
  /** Folder of the built browser scripts. */
  webFolder: URL;
}

const oneYear = 31_536_000;
const oneDay = 86_400;
const forADay = `public, max-age=${oneDay}`;
const forever = `public, max-age=${oneYear}, immutable`;

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

const textResponse = (type: string) => ({
  200: { content: { [type]: { schema: z.string() } } },
  304: z.undefined().describe('Not modified.'),
});

async function getScript(
  app: ZodApp,
  webFolder: URL,
  { name, operationId, summary, more }: (typeof scripts)[number],
): Promise<void> {
  const { text, version } = await loadWebScript(webFolder, name);
  app.get(
    `/${name}`,
    {
      schema: {
        operationId,
        summary,
        description:
          'Tracks page views (including single-page apps), custom events, outbound ' +
          'links, downloads, forms and time on page. Sets no cookies and stores nothing ' +
          `in the browser.${more} Configure it with data attributes on its script tag; ` +
          'see the guide.',
        tags: ['analytics'],
        returns: 'The script, minified.',
        response: textResponse('text/javascript'),
      },
    },
    async (request, reply) => {
      const isVersioned = new URLSearchParams(request.url.split('?')[1]).get('v') === version;
      return sendCacheable(request, reply, {
        content: text,
        type: 'text/javascript; charset=utf-8',
        cacheControl: isVersioned ? forever : forADay,
      });
    },
  );
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
        response: textResponse('text/plain'),
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: text,
        type: 'text/plain; charset=utf-8',
        cacheControl: forADay,
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
