import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { IncidentState, StatusState } from '../model.ts';
import { knownUntil } from '../overall.ts';
import { texts } from '../texts/en.ts';
import { componentList } from './page-components.tsx';
import {
  facts,
  headlineOf,
  incidentTone,
  openIncident,
  pastDays,
  pastMonths,
  timeline,
} from './page-incidents.tsx';
import { linkTo } from '../../../platform/ui/link-to.tsx';
import { back, subscribeForm } from './page-subscribe.tsx';
import { icon, indicatorTones, type Tone } from './page-tones.tsx';

const feeds: readonly (readonly [path: string, type: string, name: string])[] = [
  ['/status/feed.atom', 'application/atom+xml', 'Atom'],
  ['/status/feed.rss', 'application/rss+xml', 'RSS'],
  ['/status/feed.json', 'application/feed+json', 'JSON Feed'],
];
const listedDays = 15;

const files = { styles: ['status.css'] } as const;
const liveFiles = { ...files, script: 'status.js' } as const;
const channel = { 'data-path': '/ws/status/', 'data-channels': 'status' };
const handler = <script type="module" src="/global-message-handler.js" {...channel}></script>;
const feedLinks = (
  <>
    {feeds.map(([path, type, name]) => (
      <link rel="alternate" type={type} title={texts.feed.link({ format: name })} href={path} />
    ))}
  </>
);

/** The announcement for screen readers: the overall status and the newest open incident. */
function announcement({ indicator, incidents }: StatusState): string {
  const overall = texts.overall[indicator];
  const newest = incidents.toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  if (newest === undefined) return overall;
  return texts.page.announcement({ overall, headline: headlineOf(newest) });
}

const banner = (tone: Tone, heading: string, news: string, below?: Html): Html => (
  <div class={`banner ${tone}`} id="banner" data-part data-news={news}>
    <h1>
      {icon(tone)}
      <span safe>{heading}</span>
    </h1>
    {below}
  </div>
);

function part(id: string, content: Html | undefined): Html {
  return (
    <section id={id} data-part>
      {content}
    </section>
  );
}

function openPart(
  id: string,
  title: string,
  incidents: readonly IncidentState[],
  state: StatusState,
): Html {
  return part(
    id,
    incidents.length === 0 ? undefined : (
      <>
        <h2 safe>{title}</h2>
        {incidents.map((each) => openIncident(each, state.components))}
      </>
    ),
  );
}

function subscribePart(canSubscribe: boolean): Html {
  const links = feeds.map(([path, , name], at) => (
    <>
      {at === 0 ? undefined : ', '}
      <a href={path} safe>
        {name}
      </a>
    </>
  ));
  const { title, feeds: onlyFeeds, orFeeds, calendar } = texts.subscribe;
  return (
    <section id="subscribe">
      <h2 safe>{title}</h2>
      {canSubscribe ? subscribeForm() : undefined}
      <p>{rich(canSubscribe ? orFeeds : onlyFeeds, { feeds: () => <>{links}</> })}</p>
      <p>{rich(calendar, { link: linkTo('/status/maintenance.ics') })}</p>
    </section>
  );
}

const footer = (
  <footer>
    <p>
      {rich(texts.page.footer, { link: (inner) => <a href="/status/summary.json">{inner}</a> })}
    </p>
  </footer>
);
export interface StatusPageOptions {
  /** True when updates by email are available. */
  canSubscribe: boolean;
  /** Unix ms. */
  now: number;
}

/** The status page. */
export function statusPage(state: StatusState, { canSubscribe, now }: StatusPageOptions): Page {
  const { indicator, components, incidents, maintenances } = state;
  const words = texts.page;
  const overall = texts.overall[indicator];
  const tone = indicatorTones[indicator];
  const running = maintenances.filter(({ status }) => status !== 'scheduled');
  const planned = maintenances.filter(({ status }) => status === 'scheduled');
  const past = (
    <>
      <h2 safe>{words.pastIncidents}</h2>
      {pastDays(state, { now, count: listedDays })}
      <p>
        <a href="/status/history" safe>
          {words.history}
        </a>
      </p>
    </>
  );
  return {
    title: overall,
    description: words.description({ overall }),
    isWide: true,
    ...liveFiles,
    head: (
      <>
        {feedLinks}
        {handler}
      </>
    ),
    heading: banner(
      tone,
      overall,
      announcement(state),
      <p>
        {state.checkedAt === null
          ? escapeHtml(words.notChecked)
          : rich(words.updated, { time: () => <Time at={knownUntil(state)} /> })}
      </p>,
    ),
    body: (
      <>
        {[
          openPart('incidents', words.openIncidents, incidents, state),
          openPart('running', words.maintenanceNow, running, state),
          openPart('planned', words.scheduledMaintenance, planned, state),
          part('components', componentList(components)),
          part('past', past),
          subscribePart(canSubscribe),
          footer,
        ]}
      </>
    ),
  };
}

/** The page of one incident or maintenance, with all updates. */
export function incidentPage(
  incident: IncidentState,
  { components }: Pick<StatusState, 'components'>,
): Page {
  const tone = incidentTone(incident);
  const words = texts.incident;
  const kind = words.kinds[incident.kind];
  const updates = (
    <>
      <h2 safe>{words.updates}</h2>
      {facts(incident, components)}
      {timeline(incident)}
    </>
  );
  return {
    title: incident.name,
    description: words.description({ kind, headline: headlineOf(incident) }),
    isWide: true,
    ...liveFiles,
    head: handler,
    heading: (
      <>
        {back}
        {banner(
          tone,
          incident.name,
          headlineOf(incident),
          <p>
            {rich(words.state({ kind, phase: texts.phases[incident.status] }), {
              strong: (inner) => <strong>{inner}</strong>,
            })}
          </p>,
        )}
      </>
    ),
    body: (
      <>
        {part('timeline', updates)}
        {footer}
      </>
    ),
  };
}

/** The page of past incidents and maintenance of the last 90 days. */
export function historyPage({ history, components }: StatusState): Page {
  return {
    title: texts.history.title,
    description: texts.history.lead,
    isWide: true,
    ...files,
    head: feedLinks,
    heading: (
      <>
        {back}
        <h1 safe>{texts.history.title}</h1>
      </>
    ),
    body: (
      <>
        <p safe>{texts.history.lead}</p>
        {pastMonths(history, components)}
        {footer}
      </>
    ),
  };
}
