import { countryName } from '../../../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import type { Layout, Page } from '../../../../platform/ui/pages.tsx';
import type { Requester } from '../../../../platform/http/requests/requester.ts';
import type { Dashboards } from '../../figures/dashboard.ts';
import { formatDateRange } from '../../../../platform/i18n/dates.ts';
import { formatOrDash } from '../../../../platform/i18n/numbers.ts';
import { formatChange, shownTotals, formatCount } from '../../figures/format.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import { texts } from '../../texts/en/share-page.ts';
import { ShareQuery } from './share-query.ts';

/** Renders the page of a share link. */
export interface SharedDashboardPage {
  /**
   * Returns the complete HTML. `query` has been validated by `ShareQuery`. `basePath` is the path
   * of the page, for links to other periods. Rejects like `dashboards.getDashboard`.
   */
  render: (input: {
    siteKey: string;
    name: string;
    query: Record<string, unknown>;
    basePath: string;
    by: Requester;
  }) => Promise<string>;
}

const rowsPerTable = 10;
const periodLinks = [
  ['7d', texts.periods['7d']],
  ['30d', texts.periods['30d']],
  ['90d', texts.periods['90d']],
  ['12mo', texts.periods['12mo']],
] as const;
const head = <meta name="robots" content="noindex, nofollow" />;
const styles = ['share.css'] as const;

const changeNote = (value: number | null | undefined): Html | undefined =>
  value == null ? undefined : (
    <dd class="change" safe>
      {formatChange(value)}
    </dd>
  );

function totalsList({ totals, change }: DashboardView): Html {
  return (
    <dl class="totals">
      {shownTotals.map(([name, title, write]) => {
        const figure = formatOrDash(totals[name], write);
        return (
          <div>
            <dt safe>{title}</dt>
            <dd class="figure" safe>
              {figure}
            </dd>
            {changeNote(change?.[name])}
          </div>
        );
      })}
    </dl>
  );
}

function periodNavigation(query: ShareQuery, basePath: string): Html {
  const parameters: [string, string][] = [
    ['timezone', query.timezone],
    ...[query.filter ?? []].flat().map((filter): [string, string] => ['filter', filter]),
  ];
  const address = (period: string) =>
    `${basePath}?${new URLSearchParams([['period', period], ...parameters]).toString()}`;
  return (
    <nav aria-label={texts.periods.label}>
      <ul class="periods">
        {periodLinks.map(([period, text]) => {
          const current = period === query.period ? { 'aria-current': 'page' } : undefined;
          return (
            <li>
              <a href={address(period)} {...current} safe>
                {text}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function renderTable(
  caption: string,
  columns: readonly string[],
  lines: readonly (readonly string[])[],
): Html {
  if (lines.length === 0)
    return (
      <table>
        <caption safe>{caption}</caption>
        <tbody>
          <tr>
            <th scope="row" safe>
              {texts.empty}
            </th>
          </tr>
        </tbody>
      </table>
    );
  return (
    <table>
      <caption safe>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" safe>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(([first = '', ...others]) => (
          <tr>
            <th scope="row" safe>
              {first}
            </th>
            {others.map((cell) => (
              <td safe>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const visitTable = (
  caption: string,
  column: string,
  list: DashboardView['sources'],
  none: string,
  nameOf = (value: string): string => value,
): Html =>
  renderTable(
    caption,
    [column, texts.visitors, texts.visits],
    list.map(({ value, visitors, visits }) => [
      value === null ? none : nameOf(value),
      formatCount(visitors),
      formatCount(visits),
    ]),
  );

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
    <section aria-labelledby="series-title">
      <h2 id="series-title" safe>
        {texts.traffic}
      </h2>
      {chart}
    </section>
  );
}

function formatIntro(
  { period: { from, to, timezone } }: DashboardView,
  name: string,
  { compare }: ShareQuery,
): string {
  const dates = formatDateRange(from, Date.parse(to) - 1, { timeZone: timezone });
  const intro = compare === 'year' ? texts.introYear : texts.introPrevious;
  return intro({ name, dates, timezone });
}

const figureLists = (view: DashboardView): Html => (
  <div class="lists">
    {renderTable(
      texts.pages,
      [texts.page, texts.visitors, texts.pageviews],
      view.pages.map(({ value, visitors, pageviews }) => [
        value,
        formatCount(visitors),
        formatCount(pageviews),
      ]),
    )}
    {visitTable(texts.sources, texts.source, view.sources, texts.direct)}
    {visitTable(
      texts.countries,
      texts.country,
      view.countries,
      texts.unknown,
      (code) => countryName(code) ?? code,
    )}
    {visitTable(texts.devices, texts.device, view.devices, texts.unknown)}
    {renderTable(
      texts.events,
      [texts.event, texts.visitors, texts.events],
      view.events.map(({ value, visitors, events }) => [
        value,
        formatCount(visitors),
        formatCount(events),
      ]),
    )}
  </div>
);

function filterNote({ filter, period }: ShareQuery, basePath: string): Html | undefined {
  const filters = [filter ?? []].flat();
  if (filters.length === 0) return undefined;
  return (
    <p>
      {escapeHtml(texts.filtered({ filters: filters.join(', ') }))}{' '}
      <a href={`${basePath}?period=${period}`} safe>
        {texts.clearFilters}
      </a>
    </p>
  );
}

function sharePage(view: DashboardView, name: string, query: ShareQuery, basePath: string): Page {
  return {
    title: view.site_id,
    isWide: true,
    head,
    styles,
    body: (
      <>
        <p safe>{formatIntro(view, name, query)}</p>
        {filterNote(query, basePath)}
        {periodNavigation(query, basePath)}
        {totalsList(view)}
        {seriesChart(view)}
        {figureLists(view)}
      </>
    ),
  };
}

/** Creates the page of a site's figures. It needs no scripts. */
export function createSharePage({
  dashboards,
  layout,
}: {
  dashboards: Dashboards;
  layout: Layout;
}): SharedDashboardPage {
  return {
    async render({ siteKey, name, query, basePath, by }) {
      const parsed = ShareQuery.parse(query);
      const view = await dashboards.getDashboard(
        { ...parsed, site_id: siteKey, bots: false, limit: rowsPerTable },
        by,
      );
      return layout(sharePage(view, name, parsed, basePath));
    },
  };
}

/** Returns the form for the password of a link. */
export function sharePasswordPage(action: string, error?: string): Page {
  const isError = error !== undefined;
  return {
    title: texts.password.title,
    head,
    styles,
    isError,
    body: (
      <>
        <p safe>{texts.password.intro}</p>
        <form method="post" action={action}>
          <label for="password" safe>
            {texts.password.label}
          </label>
          {isError ? (
            <p class="error" id="password-error" safe>
              {error}
            </p>
          ) : undefined}
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="256"
            required
            {...(isError
              ? { 'aria-describedby': 'password-error', 'aria-invalid': 'true' }
              : undefined)}
          />{' '}
          <button type="submit" safe>
            {texts.password.submit}
          </button>
        </form>
      </>
    ),
  };
}
