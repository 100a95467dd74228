import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Banner, EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field, Form } from '../../../../platform/ui/components/form.tsx';
import { BrandMark, DeviceMark, FlagMark } from '../../../../platform/ui/components/marks.tsx';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { Stats } from '../../../../platform/ui/components/stat.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { WorldMap } from '../../../../platform/ui/components/world-map.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { readablePath } from '../../../../lib/text/readable-path.ts';
import type { Page } from '../../../../platform/ui/pages.tsx';
import type { Requester } from '../../../../platform/http/requests/requester.ts';
import type { AnalyticsContext } from '../../compose.ts';
import { formatDateRange } from '../../../../platform/i18n/dates.ts';
import { formatOrDash } from '../../../../platform/i18n/numbers.ts';
import { changeOfTotal } from '../../figures/changes.ts';
import { countryOf, deviceOf } from '../../figures/display-names.ts';
import { formatCount, formatPercent, shownTotals } from '../../figures/format.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import { texts } from '../../texts/en/share-page.ts';
import type { GoalReport } from '../../goals/schemas.goals.ts';
import type { ShareQuery } from './schemas.ts';

const rowsPerTable = 10;
/** Rows that are read of each list: the map shows more countries than the list. */
const rowsRead = 100;
const periodLinks = [
  ['7d', texts.periods['7d']],
  ['30d', texts.periods['30d']],
  ['90d', texts.periods['90d']],
  ['12mo', texts.periods['12mo']],
] as const;
const head = <meta name="robots" content="noindex, nofollow" />;
const styles = ['share.css'] as const;

/** The tiles of the dashboard. */
const tiles = [...shownTotals, ['events', texts.events, formatCount] as const];

const figures = ({ totals, compared, change }: DashboardView): Html => (
  <Stats
    label={texts.totals}
    all={tiles.map(([name, label, write]) => ({
      label,
      value: formatOrDash(totals[name], write),
      change: changeOfTotal(name, { totals, before: compared?.totals, change }),
    }))}
  />
);

function periodNavigation(query: ShareQuery, basePath: string): Html {
  const parameters: [string, string][] = [
    ['timezone', query.timezone],
    ...[query.filter ?? []].flat().map((filter): [string, string] => ['filter', filter]),
  ];
  const address = (period: string) =>
    `${basePath}?${new URLSearchParams([['period', period], ...parameters]).toString()}`;
  return (
    <Tabs
      label={texts.periods.label}
      links={periodLinks.map(([period, text]) => ({
        href: address(period),
        text,
        isCurrent: period === query.period,
      }))}
    />
  );
}

interface Ranking {
  id: string;
  title: string;
  /** Of the name and the two figures. */
  columns: readonly [string, string, string];
  rows: readonly (readonly [name: string, first: number, second: number, mark?: Html])[];
}

const ranking = ({ id, title, columns, rows }: Ranking): Html => (
  <Card id={id} title={title}>
    <BarList
      caption={texts.ranking({ title })}
      columns={columns}
      bars={rows.map(([text, first, second, mark]) => ({
        text,
        mark,
        value: first,
        cells: [escapeHtml(formatCount(first)), escapeHtml(formatCount(second))],
      }))}
      empty={<EmptyState icon="chart" text={texts.empty} />}
    />
  </Card>
);

const ofVisits = (
  list: DashboardView['sources'],
  none: string,
  markOf: (value: string | null) => Html,
  nameOf = (value: string): string => value,
): Ranking['rows'] =>
  list
    .slice(0, rowsPerTable)
    .map(({ value, visitors, visits }) => [
      value === null ? none : nameOf(value),
      visitors,
      visits,
      markOf(value),
    ]);

function seriesChart({ series, period: { interval, timezone } }: DashboardView): Html {
  const starts = series.map(({ start }) => start);
  const chart = lineChart({
    id: 'series-chart',
    caption: texts.trafficCaption[interval],
    steps: stepNames({ starts, interval, timezone }),
    ticks: ticksOf(starts, interval, timezone),
    partial: series.map(({ partial }) => partial),
    lines: [
      {
        name: texts.pageviews,
        kind: 'first',
        values: series.map(({ pageviews }) => pageviews),
      },
      { name: texts.visitors, kind: 'second', values: series.map(({ visitors }) => visitors) },
    ],
  });
  return (
    <Card id="series" title={texts.traffic}>
      {chart}
    </Card>
  );
}

/** The countries on a map: only for the eye, their list says the same. */
function countryMap({ countries }: DashboardView): Html | undefined {
  const shown = countries.flatMap(({ value, visitors }) =>
    value === null
      ? []
      : [
          {
            code: value,
            value: visitors,
            title: texts.onMap({ country: countryOf(value), visitors }),
          },
        ],
  );
  return shown.length === 0 ? undefined : (
    <Card id="map" title={texts.map}>
      <WorldMap countries={shown} />
    </Card>
  );
}

/** The goals of the site, without what they earned. */
const goalList = ({ data }: GoalReport): Html | undefined =>
  data.length === 0 ? undefined : (
    <Card id="goals" title={texts.goals}>
      <BarList
        caption={texts.goalsCaption}
        columns={[texts.goal, texts.visitors, texts.conversionRate]}
        bars={data.map(({ name, visitors, conversion_rate: rate }) => ({
          text: name,
          value: visitors,
          cells: [escapeHtml(formatCount(visitors)), escapeHtml(formatOrDash(rate, formatPercent))],
        }))}
        empty={<></>}
      />
    </Card>
  );

function formatIntro(
  { period: { from, to, timezone } }: DashboardView,
  name: string,
  { compare }: ShareQuery,
): string {
  const dates = formatDateRange(from, Date.parse(to) - 1, { timeZone: timezone });
  const intro = compare === 'year' ? texts.introYear : texts.introPrevious;
  return intro({ name, dates, timezone });
}

function figureLists(view: DashboardView, goals: GoalReport): Html {
  const { visitors, visits } = texts;
  const visitLists = [
    [
      'sources',
      texts.sources,
      texts.source,
      ofVisits(view.sources, texts.direct, (name) => <BrandMark name={name} />),
    ],
    [
      'countries',
      texts.countries,
      texts.country,
      ofVisits(
        view.countries,
        texts.unknown,
        (country) => <FlagMark country={country} />,
        countryOf,
      ),
    ],
    [
      'devices',
      texts.devices,
      texts.device,
      ofVisits(view.devices, texts.unknown, (kind) => <DeviceMark kind={kind} />, deviceOf),
    ],
  ] as const;
  return (
    <div class="columns">
      {ranking({
        id: 'pages',
        title: texts.pages,
        columns: [texts.page, visitors, texts.pageviews],
        rows: view.pages
          .slice(0, rowsPerTable)
          .map((row) => [readablePath(row.value), row.visitors, row.pageviews]),
      })}
      {visitLists.map(([id, title, name, rows]) => (
        <>
          {ranking({ id, title, columns: [name, visitors, visits], rows })}
          {id === 'countries' && countryMap(view)}
        </>
      ))}
      {goalList(goals)}
      {ranking({
        id: 'events',
        title: texts.events,
        columns: [texts.event, visitors, texts.events],
        rows: view.events
          .slice(0, rowsPerTable)
          .map((row) => [row.value, row.visitors, row.events]),
      })}
    </div>
  );
}

function filterNote({ filter, period }: ShareQuery, basePath: string): Html | undefined {
  const filters = [filter ?? []].flat();
  if (filters.length === 0) return undefined;
  return (
    <Banner
      text={texts.filtered({ filters: filters.join(', ') })}
      action={
        <a href={`${basePath}?period=${period}`} safe>
          {texts.clearFilters}
        </a>
      }
    />
  );
}

/** The services whose figures a share link shows. */
export type SharedFigures = Pick<AnalyticsContext, 'dashboards' | 'goals'>;

/**
 * Returns the page of a site's figures. It needs no scripts. `basePath` is the path of the page,
 * for links to other periods. Rejects like `dashboards.getDashboard`.
 */
export async function sharePage(
  { dashboards, goals }: SharedFigures,
  {
    site,
    name,
    query,
    basePath,
    now,
  }: {
    site: string;
    name: string;
    query: ShareQuery;
    basePath: string;
    now: number;
  },
  by: Requester,
): Promise<Page> {
  const selection = { ...query, site_id: site, bots: false };
  // One after the other: a visitor never holds two of the few places for queries.
  const view = await dashboards.getDashboard({ ...selection, limit: rowsRead }, by);
  const reached = await goals.getGoalReport(selection, by);
  return {
    title: view.site_id,
    isWide: true,
    script: 'chart.js',
    head,
    styles,
    body: (
      <>
        <p class="hint" safe>
          {formatIntro(view, name, query)}
        </p>
        {periodNavigation(query, basePath)}
        {filterNote(query, basePath)}
        {figures(view)}
        {seriesChart(view)}
        {figureLists(view, reached)}
        <p class="hint">{rich(texts.updated, { time: () => <Time at={now} /> })}</p>
      </>
    ),
  };
}

/** Returns the form for the password of a link. */
export const sharePasswordPage = (action: string, error?: string): Page => ({
  title: texts.password.title,
  head,
  isError: error !== undefined,
  body: (
    <>
      <p safe>{texts.password.intro}</p>
      <Form action={action} submit={{ label: texts.password.submit, size: 'large' }}>
        {/* Password managers keep the password by it. It has no name, so it is not sent. */}
        <input
          class="visually-hidden"
          type="text"
          autocomplete="username"
          value={action}
          tabindex="-1"
          aria-hidden="true"
        />
        <Field
          id="password"
          label={texts.password.label}
          type="password"
          error={error}
          maxLength={256}
          isRequired
          attributes={{ autocomplete: 'current-password' }}
        />
      </Form>
    </>
  ),
});
