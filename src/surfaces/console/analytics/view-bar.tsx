import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Field, Form, SelectField } from '../../../platform/ui/components/form.tsx';
import { Dialog } from '../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { withQuery } from '../components/navigation.tsx';
import {
  type AnalyticsTab,
  chooser,
  choiceLink,
  formatFilter,
  periodName,
  type SiteEntry,
  siteChooser,
  type SiteChooserOptions,
} from './view-controls.tsx';
import {
  analyticsPath,
  viewUrl,
  viewValues,
  type ViewParams,
  withoutFilter,
} from './view-params.ts';
import { texts } from './texts/en.ts';

const { controls } = texts;

const usualPeriods = ['24h', '7d', '30d', '90d', '12mo'] as const;

/** The page that the bar leads back to. */
interface Place {
  path: string;
  /** Parts of its query besides the view, for forms. */
  values: Readonly<Record<string, string>>;
}

const addressOf = ({ path, values }: Place): string => withQuery(path, values);

/** The usual periods, and a form for other dates. */
function periodChooser(address: ViewParams, place: Place): Html {
  const path = addressOf(place);
  const { period, from = '', to = '' } = address;
  const words = controls.period;
  const links = usualPeriods.map((each) =>
    choiceLink({
      href: viewUrl({ ...address, period: each, from: undefined, to: undefined }, path),
      text: words[each],
      isCurrent: each === period,
    }),
  );
  const dates = (
    <Form
      action={place.path}
      method="get"
      values={{
        ...viewValues(address),
        ...place.values,
        period: undefined,
        from: undefined,
        to: undefined,
      }}
      submit={{ label: words.apply, kind: 'secondary', size: 'small' }}
    >
      <div class="field-pair">
        <Field id="from" label={words.from} type="date" value={from.slice(0, 10)} isRequired />
        <Field id="to" label={words.to} type="date" value={to.slice(0, 10)} isRequired />
      </div>
    </Form>
  );
  return chooser({
    id: 'period-menu',
    label: words.label,
    icon: 'calendar',
    text: periodName(address),
    items: [...links, dates],
  });
}

const comparisons = ['previous', 'year', undefined] as const;

function compareChooser(address: ViewParams, path: string): Html {
  const nameOf = (compare: ViewParams['compare']) => controls.comparisons[compare ?? 'none'];
  return chooser({
    id: 'compare-menu',
    label: controls.comparisons.label,
    icon: 'refresh',
    text:
      address.compare === undefined
        ? controls.comparisons.none
        : controls.comparisons.shown[address.compare],
    items: comparisons.map((compare) =>
      choiceLink({
        text: nameOf(compare),
        href: viewUrl({ ...address, compare }, path),
        isCurrent: compare === address.compare,
      }),
    ),
  });
}

export interface NamedGoal {
  id: string;
  name: string;
}

/** Chooses the goal whose conversions all lists have. Undefined without goals. */
function goalChooser(
  address: ViewParams,
  path: string,
  goals: readonly NamedGoal[],
): Html | undefined {
  if (goals.length === 0) return undefined;
  const chosen = goals.find(({ id }) => id === address.goal);
  const links = [{ id: undefined, name: controls.goals.any }, ...goals].map(({ id, name }) =>
    choiceLink({
      text: name,
      href: viewUrl({ ...address, goal: id }, path),
      isCurrent: id === address.goal,
    }),
  );
  return chooser({
    id: 'goal-menu',
    label: controls.goals.label,
    icon: 'target',
    text: chosen === undefined ? controls.goals.any : controls.goals.shown({ goal: chosen.name }),
    items: links,
  });
}

/** What people may filter by, with the values that are known of it. */
export type KnownValues = readonly (readonly [value: string, text: string])[];

function filterDialog(address: ViewParams, place: Place, known: KnownValues): Html {
  const words = controls.filters;
  const bots = viewUrl({ ...address, bots: !address.bots }, addressOf(place));
  return (
    <Dialog
      id="view-filter"
      title={words.add}
      open={words.open}
      close={controls.close}
      icon="plus"
      isNear
    >
      <Form
        action={place.path}
        method="get"
        values={{ ...viewValues(address), ...place.values }}
        submit={{ label: words.apply }}
      >
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
        <Field
          id="value"
          label={words.value}
          hint={words.valueHint}
          maxLength={1000}
          attributes={{ list: 'known-values' }}
        />
        <datalist id="known-values">
          {known.map(([value, text]) => (
            <option value={value} label={text === value ? undefined : text}></option>
          ))}
        </datalist>
        <Field id="prop" label={words.property} hint={words.propertyHint} maxLength={300} />
      </Form>
      <a href={bots} safe>
        {address.bots ? words.withoutBots : words.withBots}
      </a>
    </Dialog>
  );
}

interface Chip {
  text: string;
  href: string;
}

/** What narrows the view, each with a link that removes it. */
function filterChips(address: ViewParams, path: string): Html | undefined {
  const chips: Chip[] = address.filters.map((filter) => ({
    text: formatFilter(filter),
    href: viewUrl(withoutFilter(address, filter), path),
  }));
  if (address.bots)
    chips.push({
      text: controls.filters.botsIncluded,
      href: viewUrl({ ...address, bots: false }, path),
    });
  if (address.timezone !== address.siteZone)
    chips.push({
      text: controls.filters.zone({ zone: address.timezone }),
      href: viewUrl({ ...address, timezone: address.siteZone }, path),
    });
  if (chips.length === 0) return undefined;
  return (
    <ul class="chips" aria-label={controls.filters.label}>
      {chips.map(({ text, href }) => (
        <li>
          <a href={href}>
            <span class="visually-hidden" safe>
              {controls.filters.remove}
            </span>{' '}
            {escapeHtml(text)}
            <Icon name="x" />
          </a>
        </li>
      ))}
    </ul>
  );
}

export interface ViewBarOptions {
  address: ViewParams;
  sites: readonly SiteEntry[];
  tab: AnalyticsTab;
  /** Goals to choose from, where the page has figures for them. */
  goals?: readonly NamedGoal[];
  /** Whether the page compares periods. */
  isCompared?: boolean;
  known?: KnownValues;
  /** The page that the bar is on, unless that is the one of the tab. */
  place?: Place;
  /** Whether the viewer may add a site. */
  isAdmin: boolean;
}

/** The site, the period, its comparison and the filters of a view, in a row that stays in sight. */
export function viewBar({
  address,
  sites,
  tab,
  goals = [],
  isCompared = false,
  known = [],
  place = { path: analyticsPath + tab, values: {} },
  isAdmin,
}: ViewBarOptions): Html {
  const path = addressOf(place);
  return (
    <div class="view-bar" id="view-bar" data-live>
      {siteChooser({ address, sites, tab, isAdmin })}
      {periodChooser(address, place)}
      {isCompared && compareChooser(address, path)}
      {goalChooser(address, path, goals)}
      {filterChips(address, path)}
      {filterDialog(address, place, known)}
    </div>
  );
}

/** The bar of a page that has no period: the site alone. */
export const siteBar = (options: SiteChooserOptions): Html => (
  <div class="view-bar">{siteChooser(options)}</div>
);
