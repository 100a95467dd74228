import { curlEvent } from '../../../areas/analytics/ingest/curl-commands.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { RequestFigures } from '../../../platform/http/requests/request-meter.ts';
import { describeChange } from '../../../areas/analytics/figures/changes.ts';
import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import type { StatusState } from '../../../areas/status/model.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { ChangeNote } from '../../../platform/ui/components/stat.tsx';
import type { ConsolePage } from '../layout.tsx';
import { bytes, count, decimal, duration, percent } from '../components/number-format.ts';
import { badge, type Figure, cards, emptyState, panel, time } from '../components/elements.tsx';
import { numberColumn, table } from '../components/tables.tsx';
import { withQuery } from '../components/navigation.tsx';
import { texts as peopleTexts } from '../people/texts/en.ts';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../request-context.ts';
import { statusPanel } from './overview-status.tsx';
import { texts } from './texts/en.ts';

/** Figures of the process and its stores. */
export interface ServiceFigures extends RequestFigures {
  sockets: number;
  /** Waiting and running jobs; null if the broker is unreachable. */
  queued: number | null;
  failedJobs: number | null;
  /** Utilisation of the event loop in per cent. */
  loop: number;
  memory: number;
  uptimeSeconds: number;
}

/** The last 24 hours of a site, compared with the 24 hours before. */
type SiteDay = DashboardView;

export interface OverviewView {
  status: StatusState;
  /** Busiest first. */
  sites: readonly SiteDay[];
  /** Number of sites that are not shown. */
  quietSites: number;
  service: ServiceFigures;
  /** Only for admins, like `entries`. */
  waitingDevices: number | undefined;
  entries: readonly AuditEventView[] | undefined;
  /** The public URL of the service, for example calls. */
  baseUrl: string;
}

const words = texts.overview;

/** A change of visitors in per cent. */
const changeNote = (by: number | null | undefined): Html | undefined =>
  by == null ? undefined : <ChangeNote {...describeChange(by)} />;

/** How the figures of the last day differ from those of the day before. */
const comparedNote = (by: number | null): Html | undefined =>
  by === null ? undefined : (
    <>
      {changeNote(by)} {escapeHtml(words.traffic.change)}
    </>
  );

const sumOf = (sites: readonly SiteDay[], valueOf: (site: SiteDay) => number): number =>
  sites.reduce((sum, site) => sum + valueOf(site), 0);

function trafficCards(sites: readonly SiteDay[]): Figure[] {
  const { traffic } = words;
  const analytics = sectionPath('analytics');
  const visitors = sumOf(sites, ({ totals }) => totals.visitors);
  const before = sumOf(sites, ({ compared }) => compared?.totals.visitors ?? 0);
  const change = before === 0 ? null : (100 * (visitors - before)) / before;
  const dropped = sumOf(sites, ({ left_out: { dropped: reasons } }) =>
    Object.values(reasons).reduce((sum, each) => sum + each, 0),
  );
  return [
    {
      name: traffic.now,
      value: escapeHtml(count(sumOf(sites, (site) => site.visitors_now))),
      note: escapeHtml(traffic.nowNote),
      href: analytics,
    },
    {
      name: traffic.visitors,
      value: escapeHtml(count(visitors)),
      note: comparedNote(change) ?? escapeHtml(traffic.lastDay),
      href: analytics,
    },
    {
      name: traffic.pageviews,
      value: escapeHtml(count(sumOf(sites, ({ totals }) => totals.pageviews))),
      note: escapeHtml(traffic.lastDay),
    },
    {
      name: traffic.dropped,
      value: escapeHtml(count(dropped)),
      note: escapeHtml(traffic.lastDay),
      tone: dropped > 0 ? 'warn' : undefined,
    },
  ];
}

function workCards(
  { waitingDevices = 0, service: { failedJobs, queued, sockets } }: OverviewView,
  { isAdmin }: Viewer,
): Figure[] {
  const { work } = words;
  const socketCard = {
    name: work.sockets,
    value: escapeHtml(count(sockets)),
    note: escapeHtml(work.socketsNote),
    href: sectionPath('realtime'),
  };
  if (!isAdmin) return [socketCard];
  return [
    {
      name: work.devices,
      value: escapeHtml(count(waitingDevices)),
      note: escapeHtml(work.devicesNote),
      href: sectionPath('devices'),
      tone: waitingDevices > 0 ? 'warn' : undefined,
    },
    {
      name: work.failedJobs,
      value: failedJobs === null ? escapeHtml('–') : escapeHtml(count(failedJobs)),
      note:
        queued === null
          ? escapeHtml(work.unreachable)
          : escapeHtml(work.queued({ count: count(queued) })),
      href: withQuery(sectionPath('jobs'), { state: 'failed' }),
      tone: (failedJobs ?? 0) > 0 ? 'bad' : undefined,
    },
    socketCard,
  ];
}

const serviceCards = ({
  perSecond,
  p95,
  errors,
  loop,
  memory,
  uptimeSeconds,
}: ServiceFigures): Figure[] => [
  {
    name: words.replica.requests,
    value: escapeHtml(words.replica.perSecond({ count: decimal(perSecond) })),
    note: escapeHtml(words.replica.lastMinute),
  },
  {
    name: words.replica.p95,
    value:
      p95 === null ? escapeHtml('–') : escapeHtml(words.replica.milliseconds({ ms: decimal(p95) })),
    note: escapeHtml(words.replica.lastMinute),
  },
  {
    name: words.replica.errors,
    value: escapeHtml(count(errors)),
    note: escapeHtml(words.replica.errorsNote),
    tone: errors > 0 ? 'bad' : undefined,
  },
  {
    name: words.replica.loop,
    value: escapeHtml(percent(loop)),
    note: escapeHtml(words.replica.memory({ bytes: bytes(memory) })),
  },
  {
    name: words.replica.uptime,
    value: escapeHtml(duration(uptimeSeconds)),
    note: escapeHtml(words.replica.uptimeNote),
  },
];

const hourOf = (iso: string): string => iso.slice(11, 16);

function noTrafficPanel(baseUrl: string): Html {
  const call = curlEvent(baseUrl, {
    event: 'pageview',
    url: 'https://example.com/',
    site_id: 'example.com',
  });
  const { none: text, noneTitle: title, install } = words.chart;
  const link = { href: '/install', text: install };
  return panel({ id: 'traffic', title, body: emptyState({ text, call, link }) });
}

const siteUrl = (site: string): string => withQuery(sectionPath('analytics'), { site_id: site });

function trafficPanel({ sites: [first], baseUrl }: OverviewView): Html {
  if (first === undefined) return noTrafficPanel(baseUrl);
  const { series, site_id: site } = first;
  const { chart } = words;
  const starts = series.map(({ start }) => start);
  return panel({
    id: 'traffic',
    title: chart.title({ site }),
    live: true,
    actions: (
      <a href={siteUrl(site)} safe>
        {chart.analytics}
      </a>
    ),
    body: lineChart({
      id: 'traffic-chart',
      caption: chart.caption({ site }),
      steps: starts.map(hourOf),
      ticks: ticksOf(starts, 'hour', 'UTC'),
      partial: series.map(({ partial }) => partial),
      lines: [
        { name: chart.pageviews, kind: 'first', values: series.map(({ pageviews }) => pageviews) },
        { name: chart.visitors, kind: 'second', values: series.map(({ visitors }) => visitors) },
      ],
    }),
  });
}

function sitesPanel({ sites, quietSites }: OverviewView): Html | undefined {
  if (sites.length === 0 && quietSites === 0) return undefined;
  const { title, caption, columns, quiet: quietText } = words.sites;
  const { now: nowColumn, visitors, change: changeColumn, pageviews } = columns;
  const list = table({
    caption,
    columns: [columns.site, ...[nowColumn, visitors, changeColumn, pageviews].map(numberColumn)],
    rows: sites.map(({ site_id: site, visitors_now: now, totals, change }) => [
      <a href={siteUrl(site)} safe>
        {site}
      </a>,
      escapeHtml(count(now)),
      escapeHtml(count(totals.visitors)),
      changeNote(change?.visitors) ?? escapeHtml('–'),
      escapeHtml(count(totals.pageviews)),
    ]),
    empty: <></>,
  });
  const quiet =
    quietSites === 0 ? undefined : (
      <p class="hint" safe>
        {quietText({ count: quietSites })}
      </p>
    );
  return panel({ id: 'sites', title, live: true, body: [list, quiet] });
}

function entryItem({ at, action, outcome, actor }: AuditEventView): Html {
  const mark = outcome === 'success' ? <></> : badge(peopleTexts.audit.outcomes[outcome], 'warn');
  return (
    <li>
      {rich(words.audit.entry, {
        time: () => time(at),
        action: () => <code safe>{action}</code>,
        outcome: () => mark,
        actor: () => escapeHtml(actor.kind.replaceAll('_', ' ')),
      })}
    </li>
  );
}

function auditPanel(entries: OverviewView['entries']): Html | undefined {
  if (entries === undefined) return undefined;
  return panel({
    id: 'latest',
    title: words.audit.title,
    live: true,
    actions: (
      <a href={sectionPath('audit')} safe>
        {words.audit.all}
      </a>
    ),
    body:
      entries.length === 0 ? (
        emptyState({ text: words.audit.none })
      ) : (
        <ul class="notes">{entries.map(entryItem)}</ul>
      ),
  });
}

/** The overview: status, traffic, pending work and the replica at a glance. */
export function overviewPage(view: OverviewView, viewer: Viewer): ConsolePage {
  const { status, sites, service, entries } = view;
  const traffic = [...trafficCards(sites), ...workCards(view, viewer)];
  return {
    section: 'overview',
    title: words.title,
    body: (
      <>
        {statusPanel(status)}
        {cards('traffic-cards', words.traffic.label, traffic)}
        <div class="columns">
          {trafficPanel(view)}
          {sitesPanel(view)}
        </div>
        {cards('service-cards', words.replica.label, serviceCards(service))}
        {auditPanel(entries)}
      </>
    ),
    every: 10,
    channels: [
      'status',
      ...sites.map(({ site_id: site }) => `analytics:${site}`),
      ...(viewer.isAdmin ? ['devices', 'jobs'] : []),
    ],
  };
}
