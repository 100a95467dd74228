import { extname } from 'node:path';
import { z } from 'zod';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { type Cacheable, sendCacheable } from '../http/etag.ts';
import type { AssetFile, Assets } from './assets.ts';
import { flagsPath, marksPath } from './components/marks.tsx';
import { worldPath } from './components/world-map.tsx';
import { iconsPath } from './icon.tsx';

const Drawings = z.record(z.string(), z.string());

/** Files with many drawings, which are served one by one: a page shows a few of them. */
const drawings: Partial<Record<string, { path: string; id: string; summary: string }>> = {
  'flags.json': { path: flagsPath, id: 'flag', summary: 'The flag of a country, used by pages' },
  'marks.json': { path: marksPath, id: 'mark', summary: 'The mark of a brand, used by pages' },
};

/** Sprites with a stable URL, so that components need no manifest. */
const sprites: Partial<Record<string, { path: string; id: string }>> = {
  'icons.svg': { path: iconsPath, id: 'icon_sprite' },
  'world.svg': { path: worldPath, id: 'world_map' },
};
const immutable = 'public, max-age=31536000, immutable';
const types: Partial<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function answerOf(
  { name, content }: Pick<AssetFile, 'name' | 'content'>,
  cacheControl: string,
): Cacheable {
  const extension = extname(name);
  return {
    // A font is compressed already.
    content: extension === '.woff2' ? content : content.toString(),
    type: types[extension] ?? 'application/octet-stream',
    cacheControl,
    isBuilt: true,
  };
}

/** The drawings of a file, by the name that each is asked for. */
function drawingFiles({ content }: AssetFile): ReadonlyMap<string, Cacheable> {
  const all = Object.entries(Drawings.parse(JSON.parse(content.toString())));
  const cacheControl = 'public, max-age=2592000';
  return new Map(
    all.map(([name, svg]) => [
      `${name}.svg`,
      { content: svg, type: 'image/svg+xml', cacheControl },
    ]),
  );
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
  function serveOneByOne(
    { path, id, summary }: { path: string; id: string; summary: string },
    files: ReadonlyMap<string, Cacheable>,
  ): void {
    app.get(
      `${path}/:file`,
      {
        schema: {
          operationId: `assets.${id}`,
          summary,
          tags: ['pages'],
          params: z.object({ file: z.string().max(60) }),
          hide: true,
        },
      },
      (request, reply) => {
        const answer = files.get(request.params.file);
        if (answer !== undefined) return sendCacheable(request, reply, answer);
        reply.callNotFound();
        return reply;
      },
    );
  }
  const part = { path: '/assets/parts', id: 'part', summary: 'What a script loads on demand' };
  const partFile = (content: Buffer): Cacheable =>
    answerOf({ name: 'console.js', content }, immutable);
  serveOneByOne(
    part,
    new Map(Array.from(assets.parts, ([name, content]) => [name, partFile(content)])),
  );
  for (const file of assets.files) {
    const drawing = drawings[file.name];
    if (drawing !== undefined) {
      serveOneByOne(drawing, drawingFiles(file));
      continue;
    }
    serve(file.path, file.name.replace('.', '_'), file, immutable);
    const sprite = sprites[file.name];
    if (sprite !== undefined) serve(sprite.path, sprite.id, file, 'public, max-age=86400');
  }
};
