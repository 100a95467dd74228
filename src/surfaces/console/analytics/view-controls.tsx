import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { readablePath } from '../../../lib/text/readable-path.ts';
import { formatDateRange } from '../../../platform/i18n/dates.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { CheckField, Field, Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Dialog } from '../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { viewUrl, type ViewParams, analyticsPath, withoutFilter } from './view-params.ts';
import { texts } from './texts/en.ts';

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

/** Hidden values that keep the view in a form. */
const viewValues = (address: ViewParams) => ({
  site_id: address.site,
  period: address.period,
  from: address.from,
  to: address.to,
  timezone: address.timezone,
  compare: address.compare,
  bots: address.bots ? 'true' : undefined,
  filter: address.filters,
});

/** A form to choose the site, which keeps the period. Undefined if there is only one site. */
export function siteChooser(
  address: ViewParams,
  sites: readonly SiteEntry[],
  now: AnalyticsTab,
): Html | undefined {
  if (sites.length < 2) return undefined;
  const { period, from, to, timezone, compare } = viewValues(address);
  return (
    <Form
      action={`${analyticsPath}${now}`}
      method="get"
      isInline
      values={{ period, from, to, timezone, compare }}
      submit={{ label: controls.switchSite, kind: 'secondary' }}
    >
      <SelectField
        id="site"
        name="site_id"
        label={controls.site}
        isLabelHidden
        options={sites.map(({ site_id: id }) => [id, id] as const)}
        value={address.site}
      />
    </Form>
  );
}

/** The pages of a site. */
export const siteTabs = (address: ViewParams, now: AnalyticsTab): Html => (
  <Tabs
    label={controls.tabs.label}
    links={analyticsTabs.map(([path, text]) => ({
      href: viewUrl(address, analyticsPath + path),
      text,
      isCurrent: path === now,
    }))}
  />
);

const usualPeriods = ['24h', '7d', '30d', '90d', '12mo'] as const;

/** The usual periods and, if it is another one, the period of the view. */
function periodTabs(address: ViewParams, path: string): Html {
  const { period, from, to } = address;
  const links = usualPeriods.map((each) => ({
    href: viewUrl({ ...address, period: each, from: undefined, to: undefined }, path),
    text: controls.period[each],
    isCurrent: each === period,
  }));
  const dates =
    from === undefined || to === undefined ? controls.period.custom : formatDateRange(from, to);
  const custom = { href: viewUrl(address, path), text: dates, isCurrent: true };
  return (
    <Tabs
      label={controls.period.label}
      isCompact
      links={period === 'custom' ? [...links, custom] : links}
    />
  );
}

const comparisons = [
  ['', controls.comparisons.none],
  ['previous', controls.comparisons.previous],
  ['year', controls.comparisons.year],
] as const;

function periodDialog(address: ViewParams, path: string): Html {
  const { from = '', to = '', timezone, compare = '', bots } = address;
  const { site_id, filter, period } = viewValues(address);
  const words = controls.period;
  return (
    <Dialog
      id="view-period"
      title={words.more}
      open={words.more}
      close={controls.close}
      icon="calendar"
      isNear
    >
      <Form
        action={path}
        method="get"
        values={{ site_id, filter, period }}
        submit={{ label: words.apply }}
      >
        <div class="field-pair">
          <Field id="from" label={words.from} type="date" value={from.slice(0, 10)} />
          <Field id="to" label={words.to} type="date" value={to.slice(0, 10)} />
        </div>
        <Field
          id="timezone"
          label={words.timezone}
          value={timezone}
          maxLength={64}
          attributes={{ 'data-own-zone': true }}
        />
        <SelectField id="compare" label={words.compare} value={compare} options={comparisons} />
        <CheckField id="bots" label={words.bots} isChecked={bots} />
      </Form>
    </Dialog>
  );
}

const names = new Map<string, string>(
  Object.entries({ ...controls.dimensions, ...controls.operators }),
);

const pathDimensions: readonly string[] = ['page', 'entry_page', 'exit_page', 'referrer'];

/** A filter in words: `Country is DE`. */
export function formatFilter(filter: string): string {
  const [, dimension = '', operator = '', value = ''] =
    /^((?:\\.|[^\\:])*):([^:]*):(.*)$/su.exec(filter) ?? [];
  const isPath = pathDimensions.includes(dimension);
  const values = value
    .split(/(?<!\\)\|/)
    .map((each) => each.replace(/\\(.)/gsu, '$1'))
    .map((each) => (isPath ? readablePath(each) : each));
  return controls.filters.text({
    dimension: names.get(dimension) ?? dimension,
    operator: names.get(operator) ?? operator,
    value: value === '' ? controls.filters.unknown : formatList(values, { or: true }),
  });
}

function filterDialog(address: ViewParams, path: string): Html {
  const words = controls.filters;
  return (
    <Dialog
      id="view-filter"
      title={words.add}
      open={words.add}
      close={controls.close}
      icon="filter"
      isNear
    >
      <Form action={path} method="get" values={viewValues(address)} submit={{ label: words.apply }}>
        <div class="field-pair">
          <SelectField
            id="dimension"
            label={words.dimension}
            options={Object.entries(controls.dimensions)}
          />
          <SelectField
            id="operator"
            label={words.operator}
            options={Object.entries(controls.operators)}
          />
        </div>
        <Field id="prop" label={words.property} hint={words.propertyHint} maxLength={300} />
        <Field id="value" label={words.value} hint={words.valueHint} maxLength={1000} />
      </Form>
    </Dialog>
  );
}

/** The filters of the view, each with a link that removes it. */
function filterChips(address: ViewParams, path: string): Html | undefined {
  if (address.filters.length === 0) return undefined;
  return (
    <ul class="chips" aria-label={controls.filters.label}>
      {address.filters.map((filter) => (
        <li>
          <a href={viewUrl(withoutFilter(address, filter), path)}>
            <span class="visually-hidden" safe>
              {controls.filters.remove}
            </span>{' '}
            {escapeHtml(formatFilter(filter))}
            <Icon name="x" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The period, its comparison and the filters of a view, in one row of controls. */
export const viewBar = (address: ViewParams, path: string = analyticsPath): Html => (
  <div class="view-bar">
    {periodTabs(address, path)}
    {periodDialog(address, path)}
    {filterDialog(address, path)}
    {filterChips(address, path)}
  </div>
);

/** Says what was wrong with the query. Figures of the default period are shown instead. */
export const mistakesNotice = (mistakes: readonly string[]): Html | undefined =>
  mistakes.length === 0 ? undefined : (
    <Toast text={controls.mistakes.notice({ mistakes: mistakes.join(' ') })} tone="bad" />
  );
