import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { memoizeByObject } from '../../lib/memoize.ts';
import { type Brand, type BrandReader, logoPath } from '../../platform/brand/brand.ts';
import { markOf, markPath } from '../../platform/brand/mark.ts';
import { type Cacheable, sendCacheable } from '../../platform/http/etag.ts';
import type { Assets } from '../../platform/ui/assets.ts';

export interface BrandRoutesOptions {
  brand: BrandReader;
  assets: Assets;
}

const kept = 'public, max-age=31536000, immutable';
const asked = 'public, max-age=300';
const markPixels = 128;

/** The mark as PNG, for emails. */
async function drawMark(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg), { density: 300 }).resize(markPixels, markPixels).png().toBuffer();
}

/** The pictures of the brand. With `?v=`, the version, browsers keep them. */
export const brandRoutes: FastifyPluginAsyncZod<BrandRoutesOptions> = async (
  app,
  { brand, assets },
) => {
  const logoOf = memoizeByObject(async (now: Brand): Promise<Cacheable[]> => {
    const content = now.logo?.png ?? (await drawMark(markOf(now, assets)));
    return [kept, asked].map((cacheControl) => ({ content, type: 'image/png', cacheControl }));
  });
  const svgOf = memoizeByObject((now: Brand): Cacheable[] =>
    [kept, asked].map((cacheControl) => ({
      content: markOf(now, assets),
      type: 'image/svg+xml',
      cacheControl,
    })),
  );
  const hidden = (operationId: string, summary: string) => ({
    schema: { operationId, summary, tags: ['pages'], hide: true },
  });
  /** Kept only under the version that it is: an old address shows the current picture. */
  const isKept = ({ url }: FastifyRequest, version: string | undefined): boolean =>
    version !== undefined && url.endsWith(`?v=${version}`);

  app.get(logoPath, hidden('brand.logo', 'The logo of the brand'), async (request, reply) => {
    const now = brand();
    const [forever, shortly] = await logoOf(now);
    const answer = isKept(request, now.logo?.version) ? forever : shortly;
    return answer && sendCacheable(request, reply, answer);
  });
  app.get(markPath, hidden('brand.mark', 'The mark in the accent'), async (request, reply) => {
    const now = brand();
    const [forever, shortly] = svgOf(now);
    const answer = isKept(request, now.colors.accent[0].slice(1)) ? forever : shortly;
    return answer && sendCacheable(request, reply, answer);
  });
};
