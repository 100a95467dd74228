import type { CustomEvent, Day, Origin, PageViews, Share } from './day.ts';

type Cells = Readonly<Partial<Record<string, string>>>;

/** The count in a cell; 0 unless it is a positive integer. */
export function toCount(cell: string | undefined): number {
  const count = Number(cell ?? '');
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

const browsers: Partial<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Browser': 'Samsung Internet',
  'Mobile Safari': 'Safari',
  'Chrome Mobile': 'Chrome',
};
const systems: Partial<Record<string, string>> = { Mac: 'macOS', 'GNU/Linux': 'Linux' };
const devices: Partial<Record<string, string>> = {
  Desktop: 'desktop',
  Laptop: 'desktop',
  'Ultra-wide': 'desktop',
  Mobile: 'mobile',
  Tablet: 'tablet',
};

/** A row of `imported_pages`. Older exports have no `visits`: then every visitor counts as one. */
export function toPageViews(cells: Cells): PageViews {
  const pageviews = toCount(cells.pageviews);
  return {
    hostname: cells.hostname ?? '',
    page: cells.page ?? '',
    visits: toCount(cells.visits) || toCount(cells.visitors) || pageviews,
    pageviews,
  };
}

const tagKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;

/** A row of `imported_sources`. A source with neither referrer nor utm_source came from `?ref=`. */
export function toOrigin(cells: Cells): Share<Origin> {
  const tags = tagKeys.flatMap((key): [string, string][] =>
    (cells[key] ?? '') === '' ? [] : [[key, cells[key] ?? '']],
  );
  const referrer = cells.referrer ?? '';
  const source = cells.source ?? '';
  const fromRef =
    referrer === '' &&
    (cells.utm_source ?? '') === '' &&
    source !== '' &&
    !source.startsWith('Direct');
  if (fromRef) tags.push(['ref', source]);
  const address = /^[a-z-]+:\/\//i.test(referrer) ? referrer : `https://${referrer}`;
  return {
    value: referrer === '' ? { tags } : { referrer: address, tags },
    visits: toCount(cells.visits),
  };
}

export const toCountry = (cells: Cells): Share<string> => ({
  value: /^[A-Z]{2}$/.exec(cells.country ?? '')?.[0] ?? '',
  visits: toCount(cells.visits),
});

/** Only the major version, as everywhere in the figures. */
export function toBrowser(cells: Cells): Day['browsers'][number] {
  const { browser = '', browser_version: version = '' } = cells;
  return {
    value: {
      browser: browsers[browser] ?? browser,
      browser_version: /^\d+/.exec(version)?.[0] ?? '',
    },
    visits: toCount(cells.visits),
  };
}

export function toSystem(cells: Cells): Day['systems'][number] {
  const { operating_system: os = '', operating_system_version: version = '' } = cells;
  return { value: { os: systems[os] ?? os, os_version: version }, visits: toCount(cells.visits) };
}

export const toDevice = (cells: Cells): Share<string> => ({
  value: devices[cells.device ?? ''] ?? 'unknown',
  visits: toCount(cells.visits),
});

/** A row of `imported_custom_events`; its only property is `link_url` or `path`. */
export function toCustomEvent(cells: Cells): CustomEvent {
  const { name = '', link_url: url = '', path = '' } = cells;
  const props = { ...(url === '' ? {} : { url }), ...(path === '' ? {} : { path }) };
  return {
    name,
    visitors: toCount(cells.visitors),
    events: toCount(cells.events),
    ...(Object.keys(props).length === 0 ? {} : { props }),
  };
}
