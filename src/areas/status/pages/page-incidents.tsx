import { groupBy } from '../../../lib/group-by.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { dayMs } from '../../../lib/durations.ts';
import {
  formatDate,
  formatDateRange,
  formatDateTimeRange,
  formatMonth,
} from '../../../platform/i18n/dates.ts';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ComponentState, IncidentState, StatusState, UpdateState } from '../model.ts';
import { texts } from '../texts/en.ts';
import { formatMinutes } from './page-bars.tsx';
import { indicatorTones, PhaseBadge, type Tone } from './page-tones.tsx';

const { incident: words, impacts, phases } = texts;

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
  words.headline({ name, phase: phases[status] });

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
      <strong safe>{phases[status]}</strong>{' '}
      <span class="hint">
        <Time at={displayAt} />
      </span>
    </p>
    {paragraphs(body)}
  </li>
);

const list = (updates: readonly UpdateState[]): Html => (
  <ol class="timeline">{updates.map(update)}</ol>
);

/** Renders the updates, newest first. */
export const timeline = ({ updates }: Pick<IncidentState, 'updates'>): Html =>
  updates.length === 0 ? <p safe>{words.noUpdates}</p> : list(updates);

/** Renders the updates, with older ones collapsed to keep the page short. */
function shortTimeline({ id, updates }: IncidentState): Html {
  const earlier = updates.slice(shownUpdates);
  if (earlier.length < 2) return timeline({ updates });
  return (
    <>
      {list(updates.slice(0, shownUpdates))}
      <Disclosure id={`earlier-${id}`} summary={words.earlierUpdates({ count: earlier.length })}>
        {list(earlier)}
      </Disclosure>
    </>
  );
}

function namesOf(ids: readonly string[], components: readonly ComponentState[]): string {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => names.get(id) ?? []).join(', ');
}

/** When an incident was, or when maintenance is. */
function timeOf({ scheduledFor, scheduledUntil, createdAt, resolvedAt }: IncidentState): Html {
  if (scheduledFor !== null && scheduledUntil !== null)
    return escapeHtml(formatDateTimeRange(scheduledFor, scheduledUntil));
  if (resolvedAt === null) return rich(words.since, { time: () => <Time at={createdAt} /> });
  const duration = formatMinutes(resolvedAt - createdAt);
  return escapeHtml(words.lasted({ period: formatDateTimeRange(createdAt, resolvedAt), duration }));
}

/** Renders impact, time and affected components. */
export function facts(incident: IncidentState, components: readonly ComponentState[]): Html {
  const affected = namesOf(incident.components, components);
  const parts = [
    ...(incident.kind === 'maintenance' ? [] : [escapeHtml(impacts[incident.impact])]),
    timeOf(incident),
    ...(affected === '' ? [] : [escapeHtml(words.affects({ components: affected }))]),
  ];
  return (
    <p class="hint">
      {parts.map((part, at) => (
        <>
          {at === 0 ? undefined : ' · '}
          {part}
        </>
      ))}
    </p>
  );
}

/** Renders an open incident, or planned or running maintenance, with its updates. */
export function openIncident(incident: IncidentState, components: readonly ComponentState[]): Html {
  const tone = incidentTone(incident);
  return (
    <article class={`incident ${tone}`}>
      <div class="sides">
        <h3>
          <a href={incidentPath(incident)} safe>
            {incident.name}
          </a>
        </h3>
        <PhaseBadge text={phases[incident.status]} tone={tone} />
      </div>
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
  const lastUpdate = last && (
    <p class="text">
      <strong safe>{phases[last.status]}</strong> {escapeHtml(last.body.trim())}
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
        <p class="hint" safe>
          {words.earlierUpdates({ count: others })}
        </p>
      ) : undefined}
    </article>
  );
}

/** The day (UTC) of an instant in Unix ms: `2026-11-22`. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const startOf = ({ scheduledFor, createdAt }: IncidentState): number => scheduledFor ?? createdAt;

/** The day that lists an incident: its first, or its last if it began before `oldest`. */
function listingDay(incident: IncidentState, oldest: string): string {
  const begin = dayOf(startOf(incident));
  return begin >= oldest ? begin : dayOf(incident.resolvedAt ?? startOf(incident));
}

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
        <div class="day">
          <h3 safe>{formatDateRange(quietDays.at(-1) ?? newest, newest)}</h3>
          <p class="hint" safe>
            {texts.page.noIncidents}
          </p>
        </div>,
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
        <div class="day">
          <h3 safe>{formatDate(day)}</h3>
          <div>{incidents.map((each) => pastIncident(each, components, 'h4'))}</div>
        </div>,
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
  if (history.length === 0) return <EmptyState icon="success" text={texts.history.none} />;
  const months = groupBy(history, (incident) => dayOf(startOf(incident)).slice(0, 7));
  const newestFirst = [...months].toSorted(([a], [b]) => b.localeCompare(a));
  const parts = newestFirst.map(([month, incidents]) => (
    <>
      <h2 safe>{formatMonth(month)}</h2>
      <div class="month">{incidents.map((each) => pastIncident(each, components, 'h3'))}</div>
    </>
  ));
  return <>{parts}</>;
}
