import { groupBy } from '../../../lib/group-by.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { ComponentState, IncidentState, StatusState, UpdateState } from '../model.ts';
import {
  dayOf,
  icon,
  impactWords,
  indicatorTones,
  formatDuration,
  longDay,
  monthName,
  period,
  phaseOf,
  shortDay,
  time,
  type Tone,
} from './page-texts.tsx';

const shownUpdates = 2;
const overStatuses: readonly IncidentState['status'][] = ['resolved', 'postmortem', 'completed'];

const isOver = ({ status }: IncidentState): boolean => overStatuses.includes(status);

/** The tone of an incident: `ok` once it is over, never before. */
export function incidentTone(incident: IncidentState): Tone {
  if (isOver(incident)) return 'ok';
  return incident.impact === 'none' ? 'work' : indicatorTones[incident.impact];
}

/** Path of the page of an incident. */
const incidentPath = ({ id }: Pick<IncidentState, 'id'>): string =>
  `/status/incidents/${encodeURIComponent(id)}`;

/** Name and status in one line: `Login is slow: Identified`. */
export const headlineOf = ({ name, status }: IncidentState): string =>
  `${name}: ${phaseOf(status)}`;

/** Renders plain text with its paragraphs and line breaks. */
const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .filter((part) => part !== '')
    .map((part) => (
      <p class="text" safe>
        {part.trim()}
      </p>
    ));

const update = ({ status, body, displayAt }: UpdateState): Html => (
  <li>
    <p>
      <strong safe>{phaseOf(status)}</strong> <span class="hint">{time(displayAt)}</span>
    </p>
    {paragraphs(body)}
  </li>
);

const list = (updates: readonly UpdateState[]): Html => (
  <ol class="timeline">{updates.map(update)}</ol>
);

/** Renders the updates, newest first. */
export const timeline = ({ updates }: Pick<IncidentState, 'updates'>): Html =>
  updates.length === 0 ? <p>Nothing was written about it yet.</p> : list(updates);

/** Renders the updates, with older ones collapsed to keep the page short. */
function shortTimeline({ id, updates }: IncidentState): Html {
  const earlier = updates.slice(shownUpdates);
  if (earlier.length < 2) return timeline({ updates });
  return (
    <>
      {list(updates.slice(0, shownUpdates))}
      <details id={`earlier-${id}`}>
        <summary>{earlier.length} earlier updates</summary>
        {list(earlier)}
      </details>
    </>
  );
}

function namesOf(ids: readonly string[], components: readonly ComponentState[]): string {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => names.get(id) ?? []).join(', ');
}

/** Renders impact, time and affected components. */
export function facts(incident: IncidentState, components: readonly ComponentState[]): Html {
  const { impact, scheduledFor, scheduledUntil, createdAt, resolvedAt, kind } = incident;
  const affected = namesOf(incident.components, components);
  const planned =
    scheduledFor === null || scheduledUntil === null
      ? undefined
      : period(scheduledFor, scheduledUntil);
  const when =
    planned ??
    (resolvedAt === null ? (
      <>Since {time(createdAt)}</>
    ) : (
      <>
        {period(createdAt, resolvedAt)} ({escapeHtml(formatDuration(resolvedAt - createdAt))})
      </>
    ));
  const begin = kind === 'maintenance' ? '' : `${impactWords[impact]}. `;
  const end = affected === '' ? '' : `. Affects ${affected}`;
  return (
    <p class="hint">
      {escapeHtml(begin)}
      {when}
      {escapeHtml(end)}
    </p>
  );
}

/** Renders an open incident, or planned or running maintenance, with its updates. */
export function openIncident(incident: IncidentState, components: readonly ComponentState[]): Html {
  const tone = incidentTone(incident);
  return (
    <article class={`incident ${tone}`}>
      <h3>
        <a href={incidentPath(incident)} safe>
          {incident.name}
        </a>
      </h3>
      <p class={`state ${tone}`}>
        {icon(tone)}
        {escapeHtml(phaseOf(incident.status))}
      </p>
      {facts(incident, components)}
      {shortTimeline(incident)}
    </article>
  );
}

/** Renders an incident or maintenance that is over, with its last update. */
function pastIncident(
  incident: IncidentState,
  components: readonly ComponentState[],
  level: 'h3' | 'h4',
): Html {
  const last = incident.updates[0];
  const others = incident.updates.length - 1;
  const noun = others === 1 ? 'update' : 'updates';
  const lastUpdate = last && (
    <p class="text">
      <strong safe>{phaseOf(last.status)}</strong> {escapeHtml(last.body.trim())}
    </p>
  );
  const link = (
    <a href={incidentPath(incident)} safe>
      {incident.name}
    </a>
  );
  return (
    <article class="past">
      {level === 'h3' ? <h3>{link}</h3> : <h4>{link}</h4>}
      {facts(incident, components)}
      {lastUpdate}
      {others > 0 ? (
        <p class="hint">
          {others} earlier {noun}
        </p>
      ) : undefined}
    </article>
  );
}

const startOf = ({ scheduledFor, createdAt }: IncidentState): number => scheduledFor ?? createdAt;

/** The day that lists an incident: its first, or its last if it began before `oldest`. */
function listingDay(incident: IncidentState, oldest: string): string {
  const begin = dayOf(startOf(incident));
  return begin >= oldest ? begin : dayOf(incident.resolvedAt ?? startOf(incident));
}

const range = (from: string, to: string): string =>
  from === to ? longDay(to) : `${shortDay(from)} to ${longDay(to)}`;

/**
 * Renders the last `count` days with their past incidents, newest first. Consecutive days without
 * any are merged; days with an incident that is still open do not claim to have had none.
 */
export function pastDays(
  {
    history,
    incidents: open,
    components,
  }: Pick<StatusState, 'history' | 'incidents' | 'components'>,
  { now, count }: { now: number; count: number },
): Html {
  const days = Array.from({ length: count }, (_none, back) => dayOf(now - back * dayMs));
  const byDay = groupBy(history, (incident) => listingDay(incident, days.at(-1) ?? ''));
  const isOpenOn = (day: string): boolean =>
    open.some((incident) => dayOf(startOf(incident)) <= day);
  const parts: Html[] = [];
  let quietDays: string[] = [];
  const flushQuietDays = () => {
    const [newest] = quietDays;
    if (newest !== undefined)
      parts.push(
        <>
          <h3 safe>{range(quietDays.at(-1) ?? newest, newest)}</h3>
          <p class="hint">No incidents.</p>
        </>,
      );
    quietDays = [];
  };
  for (const day of days) {
    const incidents = byDay.get(day);
    if (incidents === undefined) {
      if (!isOpenOn(day)) quietDays.push(day);
    } else {
      flushQuietDays();
      parts.push(
        <>
          <h3 safe>{longDay(day)}</h3>
          {incidents.map((each) => pastIncident(each, components, 'h4'))}
        </>,
      );
    }
  }
  flushQuietDays();
  return <>{parts}</>;
}

/** Renders past incidents and maintenance by month. */
export function pastMonths(
  history: readonly IncidentState[],
  components: readonly ComponentState[],
): Html {
  if (history.length === 0)
    return <p>There were no incidents and no maintenance in the last 90 days.</p>;
  const months = groupBy(history, (incident) => dayOf(startOf(incident)).slice(0, 7));
  const newestFirst = [...months].toSorted(([a], [b]) => b.localeCompare(a));
  const parts = newestFirst.map(([month, incidents]) => (
    <>
      <h2 safe>{monthName(month)}</h2>
      {incidents.map((each) => pastIncident(each, components, 'h3'))}
    </>
  ));
  return <>{parts}</>;
}
