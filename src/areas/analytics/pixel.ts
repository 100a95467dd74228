import { EventInput, type PixelParameters } from './schemas.ts';

/** The 43 bytes of a transparent 1×1 GIF. */
export const pixelGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const parameters: Partial<Record<string, string>> = { site_id: 'site', url: 'page' };

/**
 * The event a pixel request stands for: `site` and `page` from the query, the page's own URL (Referer header)
 * when there is no `page`. When it stands for none, the name of the parameter that is missing or no good.
 */
export function pixelEvent(query: PixelParameters, referer: string | undefined): { input: EventInput } | { mistake: string } {
  const { site, page, event, id, referrer, title } = query;
  const { data, error } = EventInput.safeParse({
    event: event ?? 'pageview',
    site_id: site,
    url: page ?? referer,
    id,
    referrer,
    title,
  });
  if (data !== undefined) return { input: data };
  const field = String(error.issues[0]?.path[0] ?? 'query');
  return { mistake: parameters[field] ?? field };
}
