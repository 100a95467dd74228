import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath, withoutFilter } from './view-params.ts';
import { checkbox, select, field, hiddenInput, options } from '../components/forms.tsx';
import { tabs } from '../components/navigation.tsx';
import { errorNotice } from '../components/elements.tsx';

export interface SiteEntry {
  site_id: string;
  events: number;
  last_event_at: string | null;
}

const analyticsTabs = [
  ['', 'Dashboard'],
  ['/realtime', 'Realtime'],
  ['/goals', 'Goals and funnels'],
  ['/retention', 'Retention'],
  ['/site', 'Site settings'],
] as const;
export type AnalyticsTab = (typeof analyticsTabs)[number][0];

/** A form to choose the site, which keeps the period. Undefined if there is only one site. */
export function siteChooser(
  address: ViewParams,
  sites: readonly SiteEntry[],
  now: AnalyticsTab,
): Html | undefined {
  if (sites.length < 2) return undefined;
  const all = sites.map(({ site_id: id }) => [id, id] as const);
  return (
    <form action={`${analyticsPath}${now}`}>
      <label class="spoken" for="site">
        Site
      </label>{' '}
      <select id="site" name="site_id">
        {options(all, address.site)}
      </select>
      {keptInputs(address, ['period', 'from', 'to', 'timezone', 'compare'])}
      <button type="submit" class="second">
        Show
      </button>
    </form>
  );
}

/** The pages of a site. */
export const siteTabs = (address: ViewParams, now: AnalyticsTab): Html =>
  tabs(
    'Pages of the site',
    analyticsTabs.map(([path, text]) => ({
      href: viewUrl(address, analyticsPath + path),
      text,
      isCurrent: path === now,
    })),
  );

const periodNames: Readonly<Record<DashboardQuery['period'], string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12mo': '12 months',
  custom: 'Custom',
};

/** Hidden inputs that keep parts of the view in a form. */
function keptInputs(address: ViewParams, names: readonly (keyof ViewParams)[]): Html[] {
  const values: [string, string | undefined][] = names.flatMap(
    (name): [string, string | undefined][] => {
      if (name === 'filters') return address.filters.map((filter) => ['filter', filter]);
      if (name === 'bots') return [['bots', address.bots ? 'true' : undefined]];
      return [[name === 'site' ? 'site_id' : name, address[name]]];
    },
  );
  return values.flatMap(([name, value]) => (value === undefined ? [] : [hiddenInput(name, value)]));
}

const usualPeriods = ['24h', '7d', '30d', '90d', '12mo'] as const;

const comparisons = [
  ['', 'Nothing'],
  ['previous', 'The period before'],
  ['year', 'A year ago'],
] as const;

function customPeriodForm(address: ViewParams, path: string): Html {
  const { period, from = '', to = '', timezone, compare = '', bots } = address;
  const day = (id: string, label: string, value: string) =>
    field({ id, label, type: 'date', value: value.slice(0, 10) });
  const zone = field({
    id: 'timezone',
    label: 'Time zone',
    value: timezone,
    maxLength: 64,
    attributes: { 'data-own-zone': true },
  });
  const inputs = [
    ...keptInputs(address, ['site', 'filters']),
    day('from', 'From', from),
    day('to', 'To, included', to),
    zone,
    select({
      id: 'compare',
      label: 'Compare with',
      value: compare,
      options: comparisons,
    }),
    checkbox({ id: 'bots', label: escapeHtml('Count bots in'), isChecked: bots }),
    hiddenInput('period', period),
  ];
  return (
    <form class="filters" action={path}>
      {inputs}
      <button type="submit">Show</button>
    </form>
  );
}

/** Controls for the period and its comparison. */
export function periodBar(address: ViewParams, path: string = analyticsPath): Html {
  const { period } = address;
  const periods = usualPeriods.map((each) => ({
    href: viewUrl({ ...address, period: each, from: undefined, to: undefined }, path),
    text: periodNames[each],
    isCurrent: each === period,
  }));
  const details = { open: period === 'custom' };
  return (
    <>
      {tabs('Period', periods)}
      <details {...details}>
        <summary>Other days, time zone, comparison</summary>
        {customPeriodForm(address, path)}
      </details>
    </>
  );
}

const dimensions = [
  ['page', 'Page'],
  ['entry_page', 'Entry page'],
  ['exit_page', 'Exit page'],
  ['hostname', 'Host'],
  ['event', 'Event'],
  ['source', 'Source'],
  ['channel', 'Channel'],
  ['referrer', 'Referrer'],
  ['utm_source', 'UTM source'],
  ['utm_medium', 'UTM medium'],
  ['utm_campaign', 'UTM campaign'],
  ['utm_term', 'UTM term'],
  ['utm_content', 'UTM content'],
  ['country', 'Country'],
  ['language', 'Language'],
  ['browser', 'Browser'],
  ['os', 'System'],
  ['device', 'Device'],
  ['tag', 'Tag'],
  ['user_id', 'User id'],
] as const;
const operators = [
  ['is', 'is'],
  ['is_not', 'is not'],
  ['contains', 'contains'],
  ['contains_not', 'does not contain'],
  ['matches', 'matches (regular expression)'],
  ['matches_not', 'does not match'],
] as const;
const nameOf = new Map<string, string>([...dimensions, ...operators]);

/** A filter in words: `Country is DE`. */
export function filterText(filter: string): string {
  const [, dimension = '', operator = '', value = ''] =
    /^((?:\\.|[^\\:])*):([^:]*):(.*)$/su.exec(filter) ?? [];
  const values = value.replace(/(?<!\\)\|/g, ' or ').replace(/\\(.)/gsu, '$1');
  const names = [dimension, operator].map((name) => nameOf.get(name) ?? name);
  return [...names, values === '' ? 'not known' : values].join(' ');
}

function filterForm(address: ViewParams, path: string): Html {
  const inputs = [
    ...keptInputs(address, [
      'site',
      'period',
      'from',
      'to',
      'timezone',
      'compare',
      'bots',
      'filters',
    ]),
    select({
      id: 'dimension',
      label: 'What',
      options: [...dimensions, ['props', 'Property of an event']],
    }),
    field({
      id: 'prop',
      label: 'Name of the property',
      hint: 'Only for properties.',
      maxLength: 300,
    }),
    select({ id: 'operator', label: 'How', options: operators }),
    field({
      id: 'value',
      label: 'Value',
      hint: 'Countries by two letters, such as DE. Empty: not known.',
      maxLength: 1000,
    }),
  ];
  return (
    <form class="filters" action={path}>
      {inputs}
      <button type="submit">Add</button>
    </form>
  );
}

/** The filters of the view, each with a link that removes it, and a form for another one. */
export function filterBar(address: ViewParams, path: string = analyticsPath): Html {
  const chips = address.filters.map((filter) => {
    const href = viewUrl(withoutFilter(address, filter), path);
    const label = (
      <>
        <span class="spoken">Take away: </span>
        {escapeHtml(filterText(filter))}
      </>
    );
    return (
      <li>
        <a href={href}>{label}</a>
      </li>
    );
  });
  const list =
    chips.length === 0 ? undefined : (
      <ul class="chips" aria-label="Filters">
        {chips}
      </ul>
    );
  return (
    <>
      {list}
      <details class="more">
        <summary>Add a filter</summary>
        {filterForm(address, path)}
      </details>
    </>
  );
}

/** Says what was wrong with the query. Figures of the default period are shown instead. */
export const mistakesNotice = (mistakes: readonly string[]): Html | undefined =>
  mistakes.length === 0
    ? undefined
    : errorNotice(`${mistakes.join('. ')}. Shown is the last 30 days.`);
