import type { CustomEvent, Day, Origin, PageViews, Share } from './day.ts';

type Cells = Readonly<Partial<Record<string, string>>>;

/** The count in a cell; 0 unless it is a positive integer. */
export function countOf(cell: string | undefined): number {
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
export function pageOf(cells: Cells): PageViews {
  const pageviews = countOf(cells.pageviews);
  return {
    hostname: cells.hostname ?? '',
    page: cells.page ?? '',
    visits: countOf(cells.visits) || countOf(cells.visitors) || pageviews,
    pageviews,
  };
}

const tagKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;

/** A row of `imported_sources`. A source with neither referrer nor utm_source came from `?ref=`. */
export function originOf(cells: Cells): Share<Origin> {
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
    visits: countOf(cells.visits),
  };
}

export const countryOf = (cells: Cells): Share<string> => ({
  value: /^[A-Z]{2}$/.exec(cells.country ?? '')?.[0] ?? '',
  visits: countOf(cells.visits),
});

/** Only the major version, as everywhere in the figures. */
export function browserOf(cells: Cells): Day['browsers'][number] {
  const { browser = '', browser_version: version = '' } = cells;
  return {
    value: {
      browser: browsers[browser] ?? browser,
      browser_version: /^\d+/.exec(version)?.[0] ?? '',
    },
    visits: countOf(cells.visits),
  };
}

export function systemOf(cells: Cells): Day['systems'][number] {
  const { operating_system: os = '', operating_system_version: version = '' } = cells;
  return { value: { os: systems[os] ?? os, os_version: version }, visits: countOf(cells.visits) };
}

export const deviceOf = (cells: Cells): Share<string> => ({
  value: devices[cells.device ?? ''] ?? 'unknown',
  visits: countOf(cells.visits),
});

/** A row of `imported_custom_events`; its only property is `link_url` or `path`. */
export function customEventOf(cells: Cells): CustomEvent {
  const { name = '', link_url: url = '', path = '' } = cells;
  const props = { ...(url === '' ? {} : { url }), ...(path === '' ? {} : { path }) };
  return {
    name,
    visitors: countOf(cells.visitors),
    events: countOf(cells.events),
    ...(Object.keys(props).length === 0 ? {} : { props }),
  };
}
