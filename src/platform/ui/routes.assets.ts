import { extname } from 'node:path';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendCacheable } from '../http/etag.ts';
import type { AssetFile, Assets } from './assets.ts';
import { iconsPath } from './icon.tsx';

const immutable = 'public, max-age=31536000, immutable';
const types: Partial<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function answerOf({ name, content }: AssetFile, cacheControl: string) {
  const extension = extname(name);
  return {
    // A font is compressed already.
    content: extension === '.woff2' ? content : content.toString(),
    type: types[extension] ?? 'application/octet-stream',
    cacheControl,
  };
}

/** The style sheets, scripts, font and icons of all pages. */
export const assetRoutes: FastifyPluginAsyncZod<{ assets: Assets }> = async (app, { assets }) => {
  function serve(path: string, id: string, file: AssetFile, cacheControl: string): void {
    const answer = answerOf(file, cacheControl);
    app.get(
      path,
      {
        schema: {
          operationId: `assets.${id.replace(/\d+$/, '')}`,
          summary: `The file ${file.name}, used by pages`,
          tags: ['pages'],
          hide: true,
        },
      },
      (request, reply) => sendCacheable(request, reply, answer),
    );
  }
  for (const file of assets.files) {
    serve(file.path, file.name.replace('.', '_'), file, immutable);
    if (file.name === 'icons.svg') serve(iconsPath, 'icon_sprite', file, 'public, max-age=86400');
  }
};
