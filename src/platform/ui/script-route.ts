import { z } from 'zod';
import { sendCacheable } from '../http/etag.ts';
import type { ZodApp } from '../http/zod-app.ts';
import type { WebScript } from './web-script.ts';

interface ScriptRoute {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  script: Pick<WebScript, 'text' | 'version'>;
  /** How long responses to URLs without the right version are cached. */
  maxAgeS: number;
}

const forever = 'public, max-age=31536000, immutable';

/** Serves a script. With its version as `v` in the URL, browsers cache it for a year. */
export function addScriptRoute(
  app: ZodApp,
  { path, script, maxAgeS, ...texts }: ScriptRoute,
): void {
  app.get(
    path,
    {
      schema: {
        ...texts,
        returns: 'The script, minified.',
        response: {
          200: { content: { 'text/javascript': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) => {
      const version = new URLSearchParams(request.url.split('?')[1]).get('v');
      return sendCacheable(request, reply, {
        content: script.text,
        type: 'text/javascript; charset=utf-8',
        cacheControl: version === script.version ? forever : `public, max-age=${maxAgeS}`,
      });
    },
  );
}
