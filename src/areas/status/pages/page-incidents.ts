import { groupBy } from '../../../lib/group-by.ts';
import { html, type Html } from '../../../lib/text/html.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { ComponentState, IncidentState, StatusState, UpdateState } from '../model.ts';
import {
  dayOf,
  icon,
  impactWords,
  indicatorTones,
  lengthOf,
  longDay,
  monthName,
  period,
  phaseOf,
  shortDay,
  time,
  type Tone,
} from './page-texts.ts';

const shownUpdates = 2;
const overStatuses: readonly IncidentState['status'][] = ['resolved', 'postmortem', 'completed'];

/** True when nothing of it goes on any more. */
const isOver = ({ status }: IncidentState): boolean => overStatuses.includes(status);

/** How an incident looks: what is over looks well, and nothing that is open does. */
export function incidentTone(incident: IncidentState): Tone {
  if (isOver(incident)) return 'ok';
  return incident.impact === 'none' ? 'work' : indicatorTones[incident.impact];
}

/** Where an incident has its page. */
const incidentPath = ({ id }: Pick<IncidentState, 'id'>): string =>
  `/status/incidents/${encodeURIComponent(id)}`;

/** Its state in one line: `Login is slow: Identified`. */
export const headlineOf = ({ name, status }: IncidentState): string =>
  `${name}: ${phaseOf(status)}`;

/** Plain text with its paragraphs and line breaks. */
const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .filter((part) => part !== '')
    .map((part) => html`<p class="text">${part.trim()}</p>`);

const update = ({ status, body, displayAt }: UpdateState): Html =>
  html`<li><p><strong>${phaseOf(status)}</strong>
<span class="hint">${time(displayAt)}</span></p>${paragraphs(body)}`;

const list = (updates: readonly UpdateState[]): Html =>
  html`<ol class="timeline">${updates.map(update)}</ol>`;

/** What was said of it, newest first. */
export const timeline = ({ updates }: Pick<IncidentState, 'updates'>): Html =>
  updates.length === 0 ? html`<p>Nothing was written about it yet.</p>` : list(updates);

/** The same, with what is older behind a summary: so that what else is there is not pushed away. */
function shortTimeline({ id, updates }: IncidentState): Html {
  const earlier = updates.slice(shownUpdates);
  if (earlier.length < 2) return timeline({ updates });
  return html`${list(updates.slice(0, shownUpdates))}<details
id="earlier-${id}"><summary>${earlier.length} earlier updates</summary>${list(earlier)}</details>`;
}

function namesOf(ids: readonly string[], components: readonly ComponentState[]): string {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => names.get(id) ?? []).join(', ');
}

/** What it concerns, how much, and when. */
export function facts(incident: IncidentState, components: readonly ComponentState[]): Html {
  const { impact, scheduledFor, scheduledUntil, createdAt, resolvedAt, kind } = incident;
  const concerned = namesOf(incident.components, components);
  const planned =
    scheduledFor === null || scheduledUntil === null
      ? undefined
      : period(scheduledFor, scheduledUntil);
  const when =
    planned ??
    (resolvedAt === null
      ? html`Since ${time(createdAt)}`
      : html`${period(createdAt, resolvedAt)} (${lengthOf(resolvedAt - createdAt)})`);
  const begin = kind === 'maintenance' ? '' : `${impactWords[impact]}. `;
  const end = concerned === '' ? '' : `. Affects ${concerned}`;
  return html`<p class="hint">${begin}${when}${end}</p>`;
}

/** Something that goes on, or is to come, with all that was said of it. */
export function openIncident(incident: IncidentState, components: readonly ComponentState[]): Html {
  const tone = incidentTone(incident);
  return html`<article class="incident ${tone}">
<h3><a href="${incidentPath(incident)}">${incident.name}</a></h3>
<p class="state ${tone}">${icon(tone)}${phaseOf(incident.status)}</p>
${facts(incident, components)}
${shortTimeline(incident)}
</article>
`;
}

/** Something that is over, with the last that was said of it. */
function pastIncident(
  incident: IncidentState,
  components: readonly ComponentState[],
  level: 'h3' | 'h4',
): Html {
  const last = incident.updates[0];
  const others = incident.updates.length - 1;
  const noun = others === 1 ? 'update' : 'updates';
  const lastUpdate =
    last && html`<p class="text"><strong>${phaseOf(last.status)}</strong> ${last.body.trim()}</p>`;
  return html`<article class="past">
<${level}><a href="${incidentPath(incident)}">${incident.name}</a></${level}>
${facts(incident, components)}
${lastUpdate}${others > 0 ? html`<p class="hint">${others} earlier ${noun}</p>` : undefined}
</article>
`;
}

const beginOf = ({ scheduledFor, createdAt }: IncidentState): number => scheduledFor ?? createdAt;

/** Where something is listed: on the day that it began, or ended when it began before `oldest`. */
function listedOn(incident: IncidentState, oldest: string): string {
  const begin = dayOf(beginOf(incident));
  return begin >= oldest ? begin : dayOf(incident.resolvedAt ?? beginOf(incident));
}

const range = (from: string, to: string): string =>
  from === to ? longDay(to) : `${shortDay(from)} to ${longDay(to)}`;

/**
 * The last `count` days and what was over on them, newest first; days without anything are one
 * line. Days of what is still open are not called quiet.
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
  const byDay = groupBy(history, (incident) => listedOn(incident, days.at(-1) ?? ''));
  const isOpenOn = (day: string): boolean =>
    open.some((incident) => dayOf(beginOf(incident)) <= day);
  const parts: Html[] = [];
  let quiet: string[] = [];
  const fold = () => {
    const [newest] = quiet;
    if (newest !== undefined)
      parts.push(html`<h3>${range(quiet.at(-1) ?? newest, newest)}</h3>
<p class="hint">No incidents.</p>\n`);
    quiet = [];
  };
  for (const day of days) {
    const incidents = byDay.get(day);
    if (incidents === undefined) {
      if (!isOpenOn(day)) quiet.push(day);
    } else {
      fold();
      parts.push(html`<h3>${longDay(day)}</h3>
${incidents.map((each) => pastIncident(each, components, 'h4'))}`);
    }
  }
  fold();
  return html`${parts}`;
}

/** Everything that is over, by month. */
export function pastMonths(
  history: readonly IncidentState[],
  components: readonly ComponentState[],
): Html {
  if (history.length === 0)
    return html`<p>There were no incidents and no maintenance in the last 90 days.</p>`;
  const months = groupBy(history, (incident) => dayOf(beginOf(incident)).slice(0, 7));
  const newestFirst = [...months].toSorted(([a], [b]) => b.localeCompare(a));
  const parts = newestFirst.map(
    ([month, incidents]) => html`<h2>${monthName(month)}</h2>
${incidents.map((each) => pastIncident(each, components, 'h3'))}`,
  );
  return html`${parts}`;
}
