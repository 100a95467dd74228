import { LRUCache } from 'lru-cache';
import { EventInput, type PixelParameters } from './schemas.ts';

/** The 43 bytes of a transparent 1×1 GIF. */
export const pixelGif = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
  'base64',
);

/** Longer URLs carry titles and referrers, and are rarely seen twice. */
const maxCachedLength = 512;

/** Parameters that are not named as the field of the event. */
const parameters: Partial<Record<string, string>> = { site_id: 'site', url: 'page' };

type PixelEvent = { input: EventInput } | { invalidParameter: string };

function readPixel(query: PixelParameters, referer: string | undefined): PixelEvent {
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
  return { invalidParameter: parameters[field] ?? field };
}

/**
 * Returns a function that reads the event of a pixel request: `site` and `page` from the query, or
 * the page's own URL (Referer header) without `page`. Names the first parameter that is missing or
 * invalid. Events are cached by URL, since pages are viewed again and again.
 */
export function createPixelReader(): (
  url: string,
  query: PixelParameters,
  referer: string | undefined,
) => PixelEvent {
  const events = new LRUCache<string, PixelEvent>({ max: 10_000 });
  return (url, query, referer) => {
    if (query.page === undefined || query.id !== undefined || url.length > maxCachedLength)
      return readPixel(query, referer);
    const known = events.get(url);
    if (known !== undefined) return known;
    const event = readPixel(query, referer);
    events.set(url, event);
    return event;
  };
}
