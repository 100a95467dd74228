import { curlEvent } from '../../../areas/analytics/ingest/curl-commands.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { RequestFigures } from '../../../platform/http/requests/request-meter.ts';
import { describeChange } from '../../../areas/analytics/figures/changes.ts';
import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import type { StatusState } from '../../../areas/status/model.ts';
import { formatOrDash } from '../../../platform/i18n/numbers.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { ChangeNote, type StatOptions, Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { bytes, count, decimal, duration, percent } from '../components/number-format.ts';
import { textLink, withQuery } from '../components/navigation.tsx';
import { texts as peopleTexts } from '../people/texts/en.ts';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../viewer.ts';
import { texts as shared } from '../texts/en.ts';
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

const sumOf = (sites: readonly SiteDay[], valueOf: (site: SiteDay) => number): number =>
  sites.reduce((sum, site) => sum + valueOf(site), 0);

function trafficStats(sites: readonly SiteDay[]): StatOptions[] {
  const { traffic } = words;
  const href = sectionPath('analytics');
  const visitors = sumOf(sites, ({ totals }) => totals.visitors);
  const before = sumOf(sites, ({ compared }) => compared?.totals.visitors ?? 0);
  const change = before === 0 ? null : (100 * (visitors - before)) / before;
  const dropped = sumOf(sites, ({ left_out: { dropped: reasons } }) =>
    Object.values(reasons).reduce((sum, each) => sum + each, 0),
  );
  return [
    {
      label: traffic.now,
      value: count(sumOf(sites, (site) => site.visitors_now)),
      note: traffic.nowNote,
      href,
    },
    {
      label: traffic.visitors,
      value: count(visitors),
      change: change === null ? undefined : describeChange(change),
      note: change === null ? traffic.lastDay : traffic.change,
      href,
    },
    {
      label: traffic.pageviews,
      value: count(sumOf(sites, ({ totals }) => totals.pageviews)),
      note: traffic.lastDay,
    },
    {
      label: traffic.dropped,
      value: count(dropped),
      note: traffic.lastDay,
      tone: dropped > 0 ? 'warn' : undefined,
    },
  ];
}

function workStats(
  { waitingDevices = 0, service: { failedJobs, queued, sockets } }: OverviewView,
  { isAdmin }: Viewer,
): StatOptions[] {
  const { work } = words;
  const socketStat = {
    label: work.sockets,
    value: count(sockets),
    note: work.socketsNote,
    href: sectionPath('realtime'),
  };
  if (!isAdmin) return [socketStat];
  return [
    {
      label: work.devices,
      value: count(waitingDevices),
      note: work.devicesNote,
      href: sectionPath('devices'),
      tone: waitingDevices > 0 ? 'warn' : undefined,
    },
    {
      label: work.failedJobs,
      value: formatOrDash(failedJobs, count),
      note: queued === null ? work.unreachable : work.queued({ count: count(queued) }),
      href: withQuery(sectionPath('jobs'), { state: 'failed' }),
      tone: (failedJobs ?? 0) > 0 ? 'bad' : undefined,
    },
    socketStat,
  ];
}

function serviceStats(figures: ServiceFigures): StatOptions[] {
  const { perSecond, p95, errors, loop, memory, uptimeSeconds } = figures;
  const { replica } = words;
  return [
    {
      label: replica.requests,
      value: replica.perSecond({ count: decimal(perSecond) }),
      note: replica.lastMinute,
    },
    {
      label: replica.p95,
      value: formatOrDash(p95, (ms) => replica.milliseconds({ ms: decimal(ms) })),
      note: replica.lastMinute,
    },
    {
      label: replica.errors,
      value: count(errors),
      note: replica.errorsNote,
      tone: errors > 0 ? 'bad' : undefined,
    },
    {
      label: replica.loop,
      value: percent(loop),
      note: replica.memory({ bytes: bytes(memory) }),
    },
    { label: replica.uptime, value: duration(uptimeSeconds), note: replica.uptimeNote },
  ];
}

const hourOf = (iso: string): string => iso.slice(11, 16);

function noTrafficPanel(baseUrl: string): Html {
  const call = curlEvent(baseUrl, {
    event: 'pageview',
    url: 'https://example.com/',
    site_id: 'example.com',
  });
  const { none, noneTitle, install } = words.chart;
  return (
    <Card id="traffic" title={noneTitle}>
      <EmptyState icon="list" text={none} action={<Button label={install} href="/install" />}>
        <Copy text={call} label={shared.copy} />
      </EmptyState>
    </Card>
  );
}

const siteUrl = (site: string): string => withQuery(sectionPath('analytics'), { site_id: site });

function trafficPanel({ sites: [first], baseUrl }: OverviewView): Html {
  if (first === undefined) return noTrafficPanel(baseUrl);
  const { series, site_id: site } = first;
  const { chart } = words;
  const starts = series.map(({ start }) => start);
  const link = textLink(siteUrl(site), chart.analytics);
  return (
    <Card id="traffic" title={chart.title({ site })} isLive actions={link}>
      {lineChart({
        id: 'traffic-chart',
        caption: chart.caption({ site }),
        steps: starts.map(hourOf),
        ticks: ticksOf(starts, 'hour', 'UTC'),
        partial: series.map(({ partial }) => partial),
        lines: [
          {
            name: chart.pageviews,
            kind: 'first',
            values: series.map(({ pageviews }) => pageviews),
          },
          { name: chart.visitors, kind: 'second', values: series.map(({ visitors }) => visitors) },
        ],
      })}
    </Card>
  );
}

const { columns } = words.sites;
const siteColumns: readonly Column<SiteDay>[] = [
  {
    title: columns.site,
    cell: ({ site_id: site }) => textLink(siteUrl(site), site),
  },
  { title: columns.now, text: (site) => count(site.visitors_now), isNumber: true },
  { title: columns.visitors, text: ({ totals }) => count(totals.visitors), isNumber: true },
  {
    title: columns.change,
    cell: ({ change }) => changeNote(change?.visitors) ?? escapeHtml('–'),
    isNumber: true,
  },
  { title: columns.pageviews, text: ({ totals }) => count(totals.pageviews), isNumber: true },
];

function sitesPanel({ sites, quietSites }: OverviewView): Html | undefined {
  if (sites.length === 0 && quietSites === 0) return undefined;
  const { title, caption, quiet } = words.sites;
  return (
    <Card id="sites" title={title} isLive>
      {sites.length > 0 && <Table caption={caption} columns={siteColumns} rows={sites} />}
      {quietSites > 0 && <p class="hint">{escapeHtml(quiet({ count: quietSites }))}</p>}
    </Card>
  );
}

function entryItem({ at, action, outcome, actor }: AuditEventView): Html {
  const mark =
    outcome === 'success' ? (
      <></>
    ) : (
      <Badge text={peopleTexts.audit.outcomes[outcome]} tone="warn" />
    );
  return (
    <li>
      {rich(words.audit.entry, {
        time: () => <Time at={at} />,
        action: () => <code safe>{action}</code>,
        outcome: () => mark,
        actor: () => escapeHtml(actor.kind.replaceAll('_', ' ')),
      })}
    </li>
  );
}

function auditPanel(entries: OverviewView['entries']): Html | undefined {
  if (entries === undefined) return undefined;
  const link = textLink(sectionPath('audit'), words.audit.all);
  return (
    <Card id="latest" title={words.audit.title} isLive actions={link}>
      {entries.length === 0 ? (
        <EmptyState icon="list" text={words.audit.none} />
      ) : (
        <ul class="notes">{entries.map(entryItem)}</ul>
      )}
    </Card>
  );
}

/** The overview: status, traffic, pending work and the replica at a glance. */
export function overviewPage(view: OverviewView, viewer: Viewer): ConsolePage {
  const { status, sites, service, entries } = view;
  const traffic = [...trafficStats(sites), ...workStats(view, viewer)];
  return {
    section: 'overview',
    title: words.title,
    body: (
      <>
        {statusPanel(status)}
        <Stats id="traffic-cards" label={words.traffic.label} isLive all={traffic} />
        <div class="columns">
          {trafficPanel(view)}
          {sitesPanel(view)}
        </div>
        <Stats id="service-cards" label={words.replica.label} isLive all={serviceStats(service)} />
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
