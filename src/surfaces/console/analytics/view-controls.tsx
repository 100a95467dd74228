import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { viewUrl, type ViewParams, analyticsPath, withoutFilter } from './view-params.ts';
import { checkbox, select, field, hiddenInput } from '../components/forms.tsx';
import { tabs } from '../components/navigation.tsx';
import { errorNotice } from '../components/elements.tsx';
import { texts } from './texts/en.ts';
import { formatList } from '../../../platform/i18n/lists.ts';

const { controls } = texts;

export interface SiteEntry {
  site_id: string;
  events: number;
  last_event_at: string | null;
}

const analyticsTabs = [
  ['', controls.tabs.dashboard],
  ['/realtime', controls.tabs.realtime],
  ['/goals', controls.tabs.goals],
  ['/retention', controls.tabs.retention],
  ['/site', controls.tabs.settings],
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
    <Form
      action={`${analyticsPath}${now}`}
      method="get"
      isInline
      submit={{ label: controls.switchSite, kind: 'secondary' }}
    >
      <SelectField
        id="site"
        name="site_id"
        label={controls.site}
        isLabelHidden
        options={all}
        value={address.site}
      />
      {keptInputs(address, ['period', 'from', 'to', 'timezone', 'compare'])}
    </Form>
  );
}

/** The pages of a site. */
export const siteTabs = (address: ViewParams, now: AnalyticsTab): Html =>
  tabs(
    controls.tabs.label,
    analyticsTabs.map(([path, text]) => ({
      href: viewUrl(address, analyticsPath + path),
      text,
      isCurrent: path === now,
    })),
  );

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
  ['', controls.comparisons.none],
  ['previous', controls.comparisons.previous],
  ['year', controls.comparisons.year],
] as const;

function customPeriodForm(address: ViewParams, path: string): Html {
  const { period, from = '', to = '', timezone, compare = '', bots } = address;
  const day = (id: string, label: string, value: string) =>
    field({ id, label, type: 'date', value: value.slice(0, 10) });
  const zone = field({
    id: 'timezone',
    label: controls.period.timezone,
    value: timezone,
    maxLength: 64,
    attributes: { 'data-own-zone': true },
  });
  const inputs = [
    ...keptInputs(address, ['site', 'filters']),
    day('from', controls.period.from, from),
    day('to', controls.period.to, to),
    zone,
    select({
      id: 'compare',
      label: controls.period.compare,
      value: compare,
      options: comparisons,
    }),
    checkbox({ id: 'bots', label: escapeHtml(controls.period.bots), isChecked: bots }),
    hiddenInput('period', period),
  ];
  return (
    <Form action={path} method="get" isInline submit={{ label: controls.period.apply }}>
      {inputs}
    </Form>
  );
}

/** Controls for the period and its comparison. */
export function periodBar(address: ViewParams, path: string = analyticsPath): Html {
  const { period } = address;
  const periods = usualPeriods.map((each) => ({
    href: viewUrl({ ...address, period: each, from: undefined, to: undefined }, path),
    text: controls.period[each],
    isCurrent: each === period,
  }));
  return (
    <>
      {tabs(controls.period.label, periods)}
      <Disclosure summary={controls.period.more} isOpen={period === 'custom'}>
        {customPeriodForm(address, path)}
      </Disclosure>
    </>
  );
}

const names = new Map<string, string>(
  Object.entries({ ...controls.dimensions, ...controls.operators }),
);

/** A filter in words: `Country is DE`. */
export function filterText(filter: string): string {
  const [, dimension = '', operator = '', value = ''] =
    /^((?:\\.|[^\\:])*):([^:]*):(.*)$/su.exec(filter) ?? [];
  const values = value.split(/(?<!\\)\|/).map((each) => each.replace(/\\(.)/gsu, '$1'));
  return controls.filters.text({
    dimension: names.get(dimension) ?? dimension,
    operator: names.get(operator) ?? operator,
    value: value === '' ? controls.filters.unknown : formatList(values, { or: true }),
  });
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
      label: controls.filters.dimension,
      options: Object.entries(controls.dimensions),
    }),
    field({
      id: 'prop',
      label: controls.filters.property,
      hint: controls.filters.propertyHint,
      maxLength: 300,
    }),
    select({
      id: 'operator',
      label: controls.filters.operator,
      options: Object.entries(controls.operators),
    }),
    field({
      id: 'value',
      label: controls.filters.value,
      hint: controls.filters.valueHint,
      maxLength: 1000,
    }),
  ];
  return (
    <Form action={path} method="get" isInline submit={{ label: controls.filters.apply }}>
      {inputs}
    </Form>
  );
}

/** The filters of the view, each with a link that removes it, and a form for another one. */
export function filterBar(address: ViewParams, path: string = analyticsPath): Html {
  const chips = address.filters.map((filter) => {
    const href = viewUrl(withoutFilter(address, filter), path);
    const label = (
      <>
        <span class="visually-hidden" safe>
          {controls.filters.remove}
        </span>{' '}
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
      <ul class="chips" aria-label={controls.filters.label}>
        {chips}
      </ul>
    );
  return (
    <>
      {list}
      <Disclosure summary={controls.filters.add}>{filterForm(address, path)}</Disclosure>
    </>
  );
}

/** Says what was wrong with the query. Figures of the default period are shown instead. */
export const mistakesNotice = (mistakes: readonly string[]): Html | undefined =>
  mistakes.length === 0
    ? undefined
    : errorNotice(controls.mistakes.notice({ mistakes: mistakes.join(' ') }));
