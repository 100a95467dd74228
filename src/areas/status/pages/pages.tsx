import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import type { IncidentState, StatusState } from '../model.ts';
import { componentList, shownComponents } from './page-components.tsx';
import {
  facts,
  headlineOf,
  incidentTone,
  openIncident,
  pastDays,
  pastMonths,
  timeline,
} from './page-incidents.tsx';
import { subscribeForm } from './page-subscribe.tsx';
import {
  icon,
  iconShapes,
  indicatorTones,
  phaseOf,
  time,
  toneOf,
  type Tone,
} from './page-texts.tsx';

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
      <link rel="alternate" type={type} title={`Incidents (${name})`} href={path} />
    ))}
  </>
);

/** The announcement for screen readers: the overall status and the newest open incident. */
function announcement({ description, incidents }: StatusState): string {
  const newest = incidents.toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  return newest === undefined ? description : `${description}. ${headlineOf(newest)}`;
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
  const [form, follow] = canSubscribe ? [subscribeForm(), 'Or follow'] : [undefined, 'Follow'];
  return (
    <section id="subscribe">
      <h2>Get updates</h2>
      {form}
      <p>
        {escapeHtml(follow)} a feed: {links}.
      </p>
    </section>
  );
}

const footer = (
  <footer>
    <p>
      All times are UTC. For programs: <a href="/status/summary.json">summary.json</a>.
    </p>
  </footer>
);
const backAndFooter = (
  <>
    <p>
      <a href="/status">Status of everything</a>
    </p>
    {footer}
  </>
);

export interface StatusPageOptions {
  /** True when updates by e-mail are available. */
  canSubscribe: boolean;
  /** Unix ms. */
  now: number;
}

/** The status page. */
export function statusPage(state: StatusState, { canSubscribe, now }: StatusPageOptions): Page {
  const { indicator, description, components, incidents, maintenances } = state;
  const tone = indicatorTones[indicator];
  const running = maintenances.filter(({ status }) => status !== 'scheduled');
  const planned = maintenances.filter(({ status }) => status === 'scheduled');
  const past = (
    <>
      <h2>Past incidents</h2>
      {pastDays(state, { now, count: listedDays })}
      <p>
        <a href="/status/history">All of the last 90 days</a>
      </p>
    </>
  );
  const tones = [
    tone,
    ...shownComponents(components).map(({ status }) => toneOf(status)),
    ...[...incidents, ...maintenances].map(incidentTone),
  ];
  return {
    title: description,
    description:
      `${description}. How every component is, what is being done about it, ` +
      'planned maintenance, and incidents of the past.',
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
      description,
      announcement(state),
      <p>Last change {time(state.updatedAt)}</p>,
    ),
    body: (
      <>
        {[
          part('icons', iconShapes(tones)),
          openPart('incidents', 'Open incidents', incidents, state),
          openPart('running', 'Maintenance now', running, state),
          openPart('planned', 'Planned maintenance', planned, state),
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
  const kind = incident.kind === 'maintenance' ? 'Maintenance' : 'Incident';
  const updates = (
    <>
      <h2>Updates</h2>
      {facts(incident, components)}
      {timeline(incident)}
    </>
  );
  return {
    title: incident.name,
    description: `${kind}: ${headlineOf(incident)}`,
    isWide: true,
    ...liveFiles,
    head: handler,
    heading: banner(
      tone,
      incident.name,
      headlineOf(incident),
      <p>
        {escapeHtml(kind)}: <strong safe>{phaseOf(incident.status)}</strong>
      </p>,
    ),
    body: (
      <>
        {part('icons', iconShapes([tone]))}
        {part('timeline', updates)}
        {backAndFooter}
      </>
    ),
  };
}

/** The page of past incidents and maintenance of the last 90 days. */
export function historyPage({ history, components }: StatusState): Page {
  return {
    title: 'History',
    description: 'Incidents and maintenance of the last 90 days that are over.',
    isWide: true,
    ...files,
    head: feedLinks,
    body: (
      <>
        <p>Incidents and maintenance of the last 90 days that are over.</p>
        {pastMonths(history, components)}
        {backAndFooter}
      </>
    ),
  };
}
