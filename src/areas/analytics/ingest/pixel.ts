import { LRUCache } from 'lru-cache';
import { EventInput, type PixelParameters } from './schemas.ts';

/** The 43 bytes of a transparent 1×1 GIF. */
export const pixelGif = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
  'base64',
);

/** Longer URLs hold titles and referrers, and rarely repeat. */
const maxCachedLength = 512;

/** Parameters whose name differs from the field of the event. */
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
 * the URL of the page (Referer header) if `page` is absent. It returns the event, or the name of
 * the first missing or invalid parameter. Events are cached by URL, since page views repeat.
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
