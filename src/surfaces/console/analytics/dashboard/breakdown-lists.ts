import { readablePath } from '../../../../lib/text/readable-path.ts';
import {
  countryOf,
  deviceOf,
  languageOf,
} from '../../../../areas/analytics/figures/display-names.ts';
import { texts } from '../texts/en.ts';

const { headings } = texts.breakdowns;

/** The lists in each panel of the dashboard, by their names in the API. */
export const panels = {
  sources: ['sources', 'channels', 'campaigns', 'referrers'],
  pages: ['pages', 'entry_pages', 'exit_pages'],
  places: ['countries', 'languages'],
  programs: ['devices', 'browsers', 'operating_systems'],
} as const;

export const breakdownNames = [
  ...panels.sources,
  ...panels.pages,
  ...panels.places,
  ...panels.programs,
  'events',
] as const;
export type BreakdownName = (typeof breakdownNames)[number];

/** A list of visitors. */
interface VisitList {
  /** What the list is by: the key of its heading. */
  by: keyof typeof headings;
  /** What a row narrows the view to. Default: `by`. */
  dimension?: string;
  /** Text of a row without a value. */
  none?: string;
  nameOf?: (value: string) => string;
}

export const visitLists: Readonly<Record<Exclude<BreakdownName, 'pages' | 'events'>, VisitList>> = {
  entry_pages: { by: 'entry_page', nameOf: readablePath },
  exit_pages: { by: 'exit_page', nameOf: readablePath },
  sources: { by: 'source', none: texts.breakdowns.direct },
  channels: { by: 'channel' },
  referrers: { by: 'referrer', none: texts.breakdowns.direct, nameOf: readablePath },
  campaigns: { by: 'campaign', dimension: 'utm_campaign', none: texts.breakdowns.noCampaign },
  countries: { by: 'country', nameOf: countryOf },
  languages: { by: 'language', nameOf: languageOf },
  devices: { by: 'device', nameOf: deviceOf },
  browsers: { by: 'browser' },
  operating_systems: { by: 'os' },
};

/** The name of a row of a list. */
export function rowName(name: BreakdownName, value: string | null): string {
  if (name === 'pages') return readablePath(value ?? '');
  if (name === 'events') return value ?? '';
  const { none = texts.breakdowns.unknown, nameOf } = visitLists[name];
  return value === null ? none : (nameOf?.(value) ?? value);
}
