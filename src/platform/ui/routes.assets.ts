import { extname } from 'node:path';
import { z } from 'zod';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendCacheable } from '../http/etag.ts';
import type { AssetFile, Assets } from './assets.ts';
import { flagsPath, marksPath } from './components/marks.tsx';
import { worldPath } from './components/world-map.tsx';
import { iconsPath } from './icon.tsx';

const Flags = z.record(z.string(), z.string());

/** Sprites with a stable URL, so that components need no manifest. */
const sprites: Partial<Record<string, { path: string; id: string }>> = {
  'icons.svg': { path: iconsPath, id: 'icon_sprite' },
  'marks.svg': { path: marksPath, id: 'mark_sprite' },
  'world.svg': { path: worldPath, id: 'world_map' },
};
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
  function serveFlags({ content }: AssetFile): void {
    const flags = new Map(Object.entries(Flags.parse(JSON.parse(content.toString()))));
    const answers = new Map(
      [...flags].map(([code, svg]) => [
        `${code}.svg`,
        { content: svg, type: 'image/svg+xml', cacheControl: 'public, max-age=2592000' },
      ]),
    );
    app.get(
      `${flagsPath}/:file`,
      {
        schema: {
          operationId: 'assets.flag',
          summary: 'The flag of a country, used by pages',
          tags: ['pages'],
          params: z.object({ file: z.string().max(20) }),
          hide: true,
        },
      },
      (request, reply) => {
        const answer = answers.get(request.params.file);
        if (answer !== undefined) return sendCacheable(request, reply, answer);
        reply.callNotFound();
        return reply;
      },
    );
  }
  for (const file of assets.files) {
    if (file.name === 'flags.json') {
      serveFlags(file);
      continue;
    }
    serve(file.path, file.name.replace('.', '_'), file, immutable);
    const sprite = sprites[file.name];
    if (sprite !== undefined) serve(sprite.path, sprite.id, file, 'public, max-age=86400');
  }
};
