import { LRUCache } from 'lru-cache';
import { EventInput, type PixelParameters } from './schemas.ts';

/** The 43 bytes of a transparent 1×1 GIF. */
export const pixelGif = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
  'base64',
);

/** Longer URLs carry titles and referrers, and are rarely seen twice. */
const rememberedLength = 512;

const parameters: Partial<Record<string, string>> = { site_id: 'site', url: 'page' };

type PixelView = { input: EventInput } | { mistake: string };

function readPixel(query: PixelParameters, referer: string | undefined): PixelView {
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

/**
 * Makes a function that gives the event a pixel request stands for: `site` and `page` from the
 * query, the page's own URL (Referer header) when there is no `page`. When it stands for none, it
 * gives the name of the parameter that is missing or no good. Pages are viewed again and again:
 * what a URL stands for is remembered.
 */
export function createPixelReader(): (
  url: string,
  query: PixelParameters,
  referer: string | undefined,
) => PixelView {
  const views = new LRUCache<string, PixelView>({ max: 10_000 });
  return (url, query, referer) => {
    if (query.page === undefined || query.id !== undefined || url.length > rememberedLength)
      return readPixel(query, referer);
    const known = views.get(url);
    if (known !== undefined) return known;
    const view = readPixel(query, referer);
    views.set(url, view);
    return view;
  };
}
