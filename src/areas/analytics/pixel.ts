import { EventInput, type PixelParameters } from './schemas.ts';

/** The 43 bytes of a transparent 1×1 GIF. */
export const pixelGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * The event a pixel request stands for: `site` and `page` from the query, the page's own URL (Referer header)
 * when there is no `page`. Undefined when it stands for none.
 */
export function pixelEvent(query: PixelParameters, referer: string | undefined): EventInput | undefined {
  const { site, page, event, id, referrer, title } = query;
  const input = EventInput.safeParse({
    event: event ?? 'pageview',
    site_id: site,
    url: page ?? referer,
    id,
    referrer,
    title,
  });
  return input.success ? input.data : undefined;
}
