import { curlEvent } from '../../../areas/analytics/ingest/curl-commands.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { RequestFigures } from '../../../platform/http/requests/request-meter.ts';
import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import type { IncidentState, StatusState } from '../../../areas/status/model.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import type { ConsolePage } from '../layout.tsx';
import { bytes, count, plural, decimal, duration, percent } from '../components/number-format.ts';
import {
  badge,
  type Card,
  cards,
  emptyState,
  panel,
  time,
  type Tone,
} from '../components/elements.tsx';
import { numberColumn, table } from '../components/tables.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../request-context.ts';

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

const componentTones: Readonly<Record<string, Tone>> = {
  operational: 'good',
  degraded_performance: 'warn',
  partial_outage: 'warn',
  major_outage: 'bad',
  under_maintenance: 'info',
};
const words = (text: string): string => text.replaceAll('_', ' ');

/** A change in per cent, with a colour. `isLessBetter`: a decrease is good, as for bounces. */
export function changeNote(
  change: number | null | undefined,
  against: string,
  isLessBetter = false,
): Html | undefined {
  if (change == null) return undefined;
  const kind = change === 0 ? 'quiet' : change > 0 === isLessBetter ? 'down' : 'up';
  return (
    <>
      <span class={kind}>
        {escapeHtml(change > 0 ? '+' : '')}
        {escapeHtml(percent(change))}
      </span>{' '}
      {escapeHtml(against)}
    </>
  );
}

const incidentLink = (id: string, name: string): Html => (
  <a href={`${sectionPath('status')}/incidents/${id}`} safe>
    {name}
  </a>
);

const maintenanceItem = ({ id, name, scheduledFor }: IncidentState): Html => {
  const mark = badge('maintenance', 'info');
  return (
    <li>
      {mark} {incidentLink(id, name)} {time(scheduledFor)}
    </li>
  );
};

function statusPanel({ description, components, incidents, maintenances }: StatusState): Html {
  const open = incidents.map(({ id, name, status, updatedAt }) => (
    <li>
      {badge(words(status), 'bad')} {incidentLink(id, name)} {time(updatedAt)}
    </li>
  ));
  const planned = maintenances.slice(0, 2).map(maintenanceItem);
  const troubled = components
    .filter(({ status }) => status !== 'operational')
    .map(({ name, status }) => (
      <li>
        {badge(words(status), componentTones[status] ?? 'quiet')} {escapeHtml(name)}
      </li>
    ));
  const items = [...open, ...planned, ...troubled];
  const checked = plural(components.length, 'component');
  return panel({
    id: 'state',
    title: description,
    live: true,
    actions: <a href={sectionPath('status')}>Status</a>,
    body:
      items.length === 0 ? (
        <p class="hint">{escapeHtml(checked)} checked, nothing open, nothing planned.</p>
      ) : (
        <ul class="notes">{items}</ul>
      ),
  });
}

const sumOf = (sites: readonly SiteDay[], valueOf: (site: SiteDay) => number): number =>
  sites.reduce((sum, site) => sum + valueOf(site), 0);

function trafficCards(sites: readonly SiteDay[]): Card[] {
  const analytics = sectionPath('analytics');
  const visitors = sumOf(sites, ({ totals }) => totals.visitors);
  const before = sumOf(sites, ({ compared }) => compared?.totals.visitors ?? 0);
  const change = before === 0 ? null : (100 * (visitors - before)) / before;
  const dropped = sumOf(sites, ({ left_out: { dropped: reasons } }) =>
    Object.values(reasons).reduce((sum, each) => sum + each, 0),
  );
  return [
    {
      name: 'Visitors now',
      value: escapeHtml(count(sumOf(sites, (site) => site.visitors_now))),
      note: escapeHtml('in the last 5 minutes'),
      href: analytics,
    },
    {
      name: 'Visitors',
      value: escapeHtml(count(visitors)),
      note: changeNote(change, 'on 24 h before') ?? escapeHtml('last 24 hours'),
      href: analytics,
    },
    {
      name: 'Page views',
      value: escapeHtml(count(sumOf(sites, ({ totals }) => totals.pageviews))),
      note: escapeHtml('last 24 hours'),
    },
    {
      name: 'Events dropped',
      value: escapeHtml(count(dropped)),
      note: escapeHtml('last 24 hours'),
      tone: dropped > 0 ? 'warn' : undefined,
    },
  ];
}

function workCards(
  { waitingDevices = 0, service: { failedJobs, queued, sockets } }: OverviewView,
  { isAdmin }: Viewer,
): Card[] {
  const socketCard = {
    name: 'Live sockets',
    value: escapeHtml(count(sockets)),
    note: escapeHtml('on this replica'),
    href: sectionPath('realtime'),
  };
  if (!isAdmin) return [socketCard];
  return [
    {
      name: 'Devices waiting',
      value: escapeHtml(count(waitingDevices)),
      note: escapeHtml('for clearance'),
      href: sectionPath('devices'),
      tone: waitingDevices > 0 ? 'warn' : undefined,
    },
    {
      name: 'Jobs failed',
      value: failedJobs === null ? escapeHtml('–') : escapeHtml(count(failedJobs)),
      note:
        queued === null ? escapeHtml('queue not reachable') : escapeHtml(`${count(queued)} queued`),
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
}: ServiceFigures): Card[] => [
  {
    name: 'Requests',
    value: escapeHtml(`${decimal(perSecond)}/s`),
    note: escapeHtml('last minute'),
  },
  {
    name: 'Time, 95 of 100',
    value: p95 === null ? escapeHtml('–') : escapeHtml(`${decimal(p95)} ms`),
    note: escapeHtml('last minute'),
  },
  {
    name: 'Errors',
    value: escapeHtml(count(errors)),
    note: escapeHtml('500 and above, last minute'),
    tone: errors > 0 ? 'bad' : undefined,
  },
  {
    name: 'Event loop',
    value: escapeHtml(percent(loop)),
    note: escapeHtml(`${bytes(memory)} of memory`),
  },
  {
    name: 'Running for',
    value: escapeHtml(duration(uptimeSeconds)),
    note: escapeHtml('this replica'),
  },
];

const hourOf = (iso: string): string => iso.slice(11, 16);

function noTrafficPanel(baseUrl: string): Html {
  const call = curlEvent(baseUrl, {
    event: 'pageview',
    url: 'https://example.com/',
    site_id: 'example.com',
  });
  const text = 'No site has had an event yet. Put the script on a page, or send one by hand:';
  const link = { href: '/install', text: 'How to install it' };
  return panel({ id: 'traffic', title: 'Last 24 hours', body: emptyState({ text, call, link }) });
}

const siteUrl = (site: string): string => withQuery(sectionPath('analytics'), { site_id: site });

function trafficPanel({ sites: [first], baseUrl }: OverviewView): Html {
  if (first === undefined) return noTrafficPanel(baseUrl);
  const { series, site_id: site } = first;
  const starts = series.map(({ start }) => start);
  return panel({
    id: 'traffic',
    title: `${site}, last 24 hours`,
    live: true,
    actions: <a href={siteUrl(site)}>Analytics</a>,
    body: lineChart({
      id: 'traffic-chart',
      caption: `Visitors and page views of ${site} by hour (UTC)`,
      steps: starts.map(hourOf),
      ticks: ticksOf(starts, 'hour', 'UTC'),
      partial: series.map(({ partial }) => partial),
      lines: [
        { name: 'Page views', kind: 'first', values: series.map(({ pageviews }) => pageviews) },
        { name: 'Visitors', kind: 'second', values: series.map(({ visitors }) => visitors) },
      ],
    }),
  });
}

function sitesPanel({ sites, quietSites }: OverviewView): Html | undefined {
  if (sites.length === 0 && quietSites === 0) return undefined;
  const list = table({
    caption: 'Sites, last 24 hours',
    columns: ['Site', ...['Now', 'Visitors', 'Change', 'Page views'].map(numberColumn)],
    rows: sites.map(({ site_id: site, visitors_now: now, totals, change }) => [
      <a href={siteUrl(site)} safe>
        {site}
      </a>,
      escapeHtml(count(now)),
      escapeHtml(count(totals.visitors)),
      changeNote(change?.visitors, '') ?? escapeHtml('–'),
      escapeHtml(count(totals.pageviews)),
    ]),
    empty: <></>,
  });
  const others = plural(quietSites, 'other site');
  const quiet =
    quietSites === 0 ? undefined : (
      <p class="hint">{escapeHtml(others)} without an event in that time.</p>
    );
  return panel({ id: 'sites', title: 'Sites', live: true, body: [list, quiet] });
}

function entryItem({ at, action, outcome, actor }: AuditEventView): Html {
  const mark = outcome === 'success' ? undefined : badge(outcome, 'warn');
  return (
    <li>
      {time(at)} <code safe>{action}</code> {mark} by {escapeHtml(words(actor.kind))}
    </li>
  );
}

function auditPanel(entries: OverviewView['entries']): Html | undefined {
  if (entries === undefined) return undefined;
  return panel({
    id: 'latest',
    title: 'Last entries of the audit log',
    live: true,
    actions: <a href={sectionPath('audit')}>Audit log</a>,
    body:
      entries.length === 0 ? (
        emptyState({ text: 'Nothing was written yet.' })
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
    title: 'Overview',
    body: (
      <>
        {statusPanel(status)}
        {cards('traffic-cards', 'What waits, and who is there', traffic)}
        <div class="columns">
          {trafficPanel(view)}
          {sitesPanel(view)}
        </div>
        {cards('service-cards', 'This replica', serviceCards(service))}
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
