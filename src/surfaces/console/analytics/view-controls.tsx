import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { readablePath } from '../../../lib/text/readable-path.ts';
import { formatDateRange } from '../../../platform/i18n/dates.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';
import { withQuery } from '../components/navigation.tsx';
import { countryOf, deviceOf, languageOf } from '../../../areas/analytics/figures/display-names.ts';
import { viewUrl, type ViewParams, analyticsPath } from './view-params.ts';
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

/** The page of the form that adds a site. */
export const newSitePath = `${analyticsPath}/site/new`;

export interface Choice {
  text: string;
  href: string;
  isCurrent: boolean;
}

/** A link of a menu, with a check where it is the one that is shown. */
export const choiceLink = ({ text, href, isCurrent }: Choice): Html => (
  <a href={href} aria-current={isCurrent ? 'true' : undefined}>
    <Icon name="check" />
    {escapeHtml(text)}
  </a>
);

export interface ChooserOptions {
  id: string;
  /** What is chosen, for screen readers. */
  label: string;
  icon: IconName;
  /** The present choice. */
  text: string;
  items: readonly Html[];
}

/** A button that says what is chosen, and opens a menu of the choices. */
export const chooser = ({ id, label, icon, text, items }: ChooserOptions): Html => (
  <Menu
    id={id}
    label={label}
    kind="secondary"
    face={
      <>
        <Icon name={icon} />
        <span class="chosen" safe>
          {text}
        </span>
      </>
    }
    items={items}
  />
);

export interface SiteChooserOptions {
  address: ViewParams;
  sites: readonly SiteEntry[];
  /** The page that the menu stands on. */
  tab: AnalyticsTab;
  /** Whether the viewer may add a site. */
  isAdmin: boolean;
}

/** The menu of sites, which keeps the period. Its last entry adds one, for admins. */
export function siteChooser({ address, sites, tab, isAdmin }: SiteChooserOptions): Html {
  const { site } = address;
  const plain = { ...address, goal: undefined, filters: [] };
  const choices = sites.map(({ site_id: each }) => ({
    text: each,
    href: viewUrl({ ...plain, site: each }, analyticsPath + tab),
    isCurrent: each === site,
  }));
  const add = (
    <a href={newSitePath} data-drawer>
      <Icon name="plus" />
      {escapeHtml(controls.addSite)}
    </a>
  );
  return chooser({
    id: 'site-menu',
    label: controls.site,
    icon: 'globe',
    text: site,
    items: isAdmin ? [...choices.map(choiceLink), add] : choices.map(choiceLink),
  });
}

/** The pages of a site. */
export const siteTabs = (address: ViewParams, now: AnalyticsTab): Html => (
  <Tabs
    label={controls.tabs.label}
    links={analyticsTabs.map(([path, text]) => ({
      href: viewUrl(
        { ...address, metric: 'visitors', goal: path === '' ? address.goal : undefined },
        analyticsPath + path,
      ),
      text,
      isCurrent: path === now,
    }))}
  />
);

const names = new Map<string, string>(
  Object.entries({ ...controls.dimensions, ...controls.operators }),
);

const nameOf: Readonly<Partial<Record<string, (value: string) => string>>> = {
  page: readablePath,
  entry_page: readablePath,
  exit_page: readablePath,
  referrer: readablePath,
  country: countryOf,
  language: languageOf,
  device: deviceOf,
};

/** A filter in words: `Country is Germany`. */
export function formatFilter(filter: string): string {
  const [, dimension = '', operator = '', value = ''] =
    /^((?:\\.|[^\\:])*):([^:]*):(.*)$/su.exec(filter) ?? [];
  const inWords = Object.hasOwn(nameOf, dimension) ? nameOf[dimension] : undefined;
  const values = value
    .split(/(?<!\\)\|/)
    .map((each) => each.replace(/\\(.)/gsu, '$1'))
    .map((each) => inWords?.(each) ?? each);
  return controls.filters.text({
    dimension: names.get(dimension) ?? dimension,
    operator: names.get(operator) ?? operator,
    value: value === '' ? controls.filters.unknown : formatList(values, { or: true }),
  });
}

/** The period of a view in words: `Last 30 days`, `Nov 1 – 12, 2026`. */
export function periodName({ period, from, to }: ViewParams): string {
  if (period !== 'custom') return controls.period[period];
  return from === undefined || to === undefined
    ? controls.period.custom
    : formatDateRange(from.slice(0, 10), to.slice(0, 10));
}

/** Says what was wrong with the query. Figures of the default period are shown instead. */
export const mistakesNotice = (mistakes: readonly string[]): Html | undefined =>
  mistakes.length === 0 ? undefined : (
    <Toast text={controls.mistakes.notice({ mistakes: mistakes.join(' ') })} tone="bad" />
  );

/** The address of a form of the same site. */
export const ofSite = (path: string, site: string): string => withQuery(path, { site_id: site });
