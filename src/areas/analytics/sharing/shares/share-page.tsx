import { DateTime } from 'luxon';
import { countryName } from '../../../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Layout, Page } from '../../../../platform/ui/pages.tsx';
import type { Requester } from '../../../../platform/http/requests/requester.ts';
import type { Dashboards } from '../../figures/dashboard.ts';
import { formatChange, formatOrDash, shownTotals, formatCount } from '../../figures/format.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
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
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['12mo', '12 months'],
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
    <nav aria-label="Period">
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
            <th scope="row">Nothing in this period.</th>
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
    [column, 'Visitors', 'Visits'],
    list.map(({ value, visitors, visits }) => [
      value === null ? none : nameOf(value),
      formatCount(visitors),
      formatCount(visits),
    ]),
  );

const timeFormats = {
  hour: 'd MMM, HH:mm',
  day: 'ccc d MMM',
  week: "'Week of' d MMM",
  month: 'MMMM yyyy',
} as const;

function seriesTable({ series, period: { interval, timezone } }: DashboardView): Html {
  const when = (start: string) =>
    DateTime.fromISO(start, { zone: timezone, locale: 'en' }).toFormat(timeFormats[interval]);
  return renderTable(
    'Over time',
    ['From', 'Visitors', 'Page views'],
    series.map(({ start, partial, visitors, pageviews }) => [
      `${when(start)}${partial ? ' (not a whole one)' : ''}`,
      formatCount(visitors),
      formatCount(pageviews),
    ]),
  );
}

function formatRange({ period: { from, to, timezone } }: DashboardView): string {
  const day = (iso: string, milliseconds: number) =>
    DateTime.fromISO(iso, { zone: timezone, locale: 'en' })
      .minus({ milliseconds })
      .toFormat('d MMMM yyyy');
  return `${day(from, 0)} to ${day(to, 1)} (${timezone})`;
}

const figureTables = (view: DashboardView): Html[] => [
  totalsList(view),
  seriesTable(view),
  renderTable(
    'Pages',
    ['Page', 'Visitors', 'Page views'],
    view.pages.map(({ value, visitors, pageviews }) => [
      value,
      formatCount(visitors),
      formatCount(pageviews),
    ]),
  ),
  visitTable('Sources', 'Source', view.sources, 'Direct, or not known'),
  visitTable(
    'Countries',
    'Country',
    view.countries,
    'Not known',
    (code) => countryName(code) ?? code,
  ),
  visitTable('Devices', 'Device', view.devices, 'Not known'),
  renderTable(
    'Events',
    ['Event', 'Visitors', 'Events'],
    view.events.map(({ value, visitors, events }) => [
      value,
      formatCount(visitors),
      formatCount(events),
    ]),
  ),
];

function filterNote({ filter, period }: ShareQuery, basePath: string): Html | undefined {
  const filters = [filter ?? []].flat();
  if (filters.length === 0) return undefined;
  return (
    <p>
      Only: {escapeHtml(filters.join(', '))}.{' '}
      <a href={`${basePath}?period=${period}`}>Show everything</a>
    </p>
  );
}

function sharePage(view: DashboardView, name: string, query: ShareQuery, basePath: string): Page {
  const compared = query.compare === 'year' ? 'a year before' : 'the period before';
  return {
    title: view.site_id,
    isWide: true,
    head,
    styles,
    body: (
      <>
        <p>
          {escapeHtml(name)}. {escapeHtml(formatRange(view))}, compared with {escapeHtml(compared)}.
        </p>
        {filterNote(query, basePath)}
        {periodNavigation(query, basePath)}
        {figureTables(view)}
      </>
    ),
  };
}

/** Creates the page of a site's figures. It needs no scripts: all figures are in tables. */
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
    title: 'Enter the password',
    head,
    styles,
    isError,
    body: (
      <>
        <p>Whoever gave you this link has protected it with a password.</p>
        <form method="post" action={action}>
          <label for="password">Password</label>
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
          <button type="submit">Show the figures</button>
        </form>
      </>
    ),
  };
}
