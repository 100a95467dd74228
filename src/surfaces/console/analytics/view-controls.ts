import { html, type Html } from '../../../lib/text/html.ts';
import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath, withoutFilter } from './view-params.ts';
import { select, field } from '../components/forms.ts';
import { tabs } from '../components/navigation.ts';

export interface SiteEntry {
  site_id: string;
  events: number;
  last_event_at: string | null;
}

export const analyticsTabs = [
  ['', 'Dashboard'],
  ['/realtime', 'Realtime'],
  ['/goals', 'Goals and funnels'],
  ['/retention', 'Retention'],
  ['/site', 'Site settings'],
] as const;
export type AnalyticsTab = (typeof analyticsTabs)[number][0];

/** Another site, with the same period; nothing while there is one. */
export function siteChooser(
  address: ViewParams,
  sites: readonly SiteEntry[],
  now: AnalyticsTab,
): Html | undefined {
  if (sites.length < 2) return undefined;
  const options = sites.map(
    ({ site_id: id }) =>
      html`<option value="${id}"${id === address.site ? html` selected` : undefined}>${id}</option>`,
  );
  return html`<form action="${analyticsPath}${now}"><label class="spoken" for="site">Site</label><select id="site" name="site_id">${options}</select>${carried(address, ['period', 'from', 'to', 'timezone', 'compare'])}<button type="submit" class="second">Show</button></form>`;
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
const usual = ['24h', '7d', '30d', '90d', '12mo'] as const;

function carried(address: ViewParams, names: readonly (keyof ViewParams)[]): Html[] {
  const values: [string, string | undefined][] = names.flatMap(
    (name): [string, string | undefined][] => {
      if (name === 'filters') return address.filters.map((filter) => ['filter', filter]);
      if (name === 'bots') return [['bots', address.bots ? 'true' : undefined]];
      return [[name === 'site' ? 'site_id' : name, address[name]]];
    },
  );
  return values.map(([name, value]) =>
    value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** Which time is shown, and what it is compared with. */
export function periodBar(address: ViewParams, path: string = analyticsPath): Html {
  const { period, from, to, timezone, compare, bots } = address;
  const periods = tabs(
    'Period',
    usual.map((each) => ({
      href: viewUrl({ ...address, period: each, from: undefined, to: undefined }, path),
      text: periodNames[each],
      isCurrent: each === period,
    })),
  );
  const custom = html`<details${period === 'custom' ? html` open` : undefined}><summary>Other days, time zone, comparison</summary>
<form class="filters" action="${path}">${carried(address, ['site', 'filters'])}
${field({ id: 'from', name: 'from', label: 'From', type: 'date', value: from?.slice(0, 10) ?? '' })}${field({ id: 'to', name: 'to', label: 'To, included', type: 'date', value: to?.slice(0, 10) ?? '' })}
${field({ id: 'timezone', name: 'timezone', label: 'Time zone', value: timezone, maxLength: 64, attributes: { 'data-own-zone': true } })}
${select({
  id: 'compare',
  name: 'compare',
  label: 'Compare with',
  value: compare ?? '',
  options: [
    ['', 'Nothing'],
    ['previous', 'The period before'],
    ['year', 'A year ago'],
  ],
})}
<div class="check"><input type="checkbox" id="bots" name="bots" value="true"${bots ? html` checked` : undefined}><label for="bots">Count bots in</label></div>
<input type="hidden" name="period" value="${period}"><button type="submit">Show</button></form></details>`;
  return html`${periods}${custom}`;
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
  return `${nameOf.get(dimension) ?? dimension} ${nameOf.get(operator) ?? operator} ${values === '' ? 'not known' : values}`;
}

/** What the view is withFilter to, each to be taken away, and a form for more. */
export function filterBar(address: ViewParams, path: string = analyticsPath): Html {
  const chips = address.filters.map(
    (filter) =>
      html`<li><a href="${viewUrl(withoutFilter(address, filter), path)}"><span class="spoken">Take away: </span>${filterText(filter)}</a></li>`,
  );
  return html`${chips.length === 0 ? undefined : html`<ul class="chips" aria-label="Filters">${chips}</ul>`}
<details class="more"><summary>Add a filter</summary><form class="filters" action="${path}">${carried(address, ['site', 'period', 'from', 'to', 'timezone', 'compare', 'bots', 'filters'])}
${select({ id: 'dimension', name: 'dimension', label: 'What', options: [...dimensions, ['props', 'Property of an event']] })}
${field({ id: 'prop', name: 'prop', label: 'Name of the property', hint: 'Only for properties.', maxLength: 300 })}
${select({ id: 'operator', name: 'operator', label: 'How', options: operators })}
${field({ id: 'value', name: 'value', label: 'Value', hint: 'Countries by two letters, such as DE. Empty: not known.', maxLength: 1000 })}<button type="submit">Add</button></form></details>`;
}
