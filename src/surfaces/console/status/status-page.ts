import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.ts';
import { counted } from '../numbers.ts';
import { cards, emptyState, pager, panel, table, tabs, time, withQuery } from '../parts.ts';
import { placeOf } from '../sections.ts';
import { addComponentForm, openIncidentForm, planForm } from './status-forms.ts';
import {
  answerTime,
  componentBadge,
  dayBars,
  impactBadge,
  stepBadge,
  uptimeText,
} from './status-words.ts';
import type { Viewer } from '../request-context.ts';

export interface StatusView {
  state: StatusState;
  /** Confirmed subscribers; undefined for who may not know. */
  subscribers: number | undefined;
  /** Unix ms. */
  now: number;
}

const home = placeOf('status');

/** The address of the page of an incident, or of maintenance. */
export const incidentPlace = (id: string): string => `${home}/incidents/${id}`;

function incidentItem({ id, name, status, impact, updates, updatedAt }: IncidentState): Html {
  const [last] = updates;
  return html`<li>${stepBadge(status)} ${impactBadge(impact)} <a href="${incidentPlace(id)}"><strong>${name}</strong></a> ${time(updatedAt)}${last === undefined ? undefined : html`<p class="said">${last.body}</p>`}</li>`;
}

function openPanel({ incidents }: StatusState): Html {
  const body =
    incidents.length === 0
      ? html`<p class="hint">Nothing is open.</p>`
      : html`<ul class="notes">${incidents.map(incidentItem)}</ul>`;
  return panel({
    id: 'open',
    title: 'Open incidents',
    live: true,
    actions: html`<a href="${home}/incidents">All incidents</a>`,
    body,
  });
}

const plannedItem = ({ id, name, status, scheduledFor, scheduledUntil }: IncidentState): Html =>
  html`<li>${stepBadge(status)} <a href="${incidentPlace(id)}"><strong>${name}</strong></a> ${time(scheduledFor)} to ${time(scheduledUntil)}</li>`;

function plannedPanel({ maintenances }: StatusState): Html {
  const body =
    maintenances.length === 0
      ? html`<p class="hint">Nothing is planned.</p>`
      : html`<ul class="notes">${maintenances.map(plannedItem)}</ul>`;
  return panel({
    id: 'planned',
    title: 'Maintenance',
    live: true,
    actions: html`<a href="${withQuery(`${home}/incidents`, { kind: 'maintenance' })}">All maintenance</a>`,
    body,
  });
}

const row = (component: ComponentState): (Html | string)[] => [
  html`<a href="${home}/components/${component.id}">${component.name}</a>${component.group === null ? undefined : html` <span class="hint">${component.group}</span>`}`,
  componentBadge(component.status),
  dayBars(component),
  uptimeText(component.uptime),
  answerTime(component),
];

function componentsPanel({ components }: StatusState): Html {
  const columns = [
    { name: 'Component' },
    { name: 'State' },
    { name: '90 days' },
    { name: 'Uptime', isNumber: true },
    { name: 'Answer', isNumber: true },
  ];
  return panel({
    id: 'components',
    title: 'Components',
    live: true,
    hint: 'Uptime over 90 days; the mean answer of the last hour where a check measures it.',
    body:
      components.length === 0
        ? emptyState({ text: 'Nothing is checked yet.' })
        : table({ caption: 'Components of the status page', columns, rows: components.map(row) }),
  });
}

function numbers(
  { description, indicator, components, incidents, maintenances }: StatusState,
  subscribers: number | undefined,
): Html {
  const good = components.filter(({ status }) => status === 'operational').length;
  return cards('status-cards', 'The state of the service', [
    {
      name: 'Overall',
      value: html`<span class="words">${description}</span>`,
      note: html`<a href="/status">Public page</a>`,
      tone:
        indicator === 'none'
          ? 'good'
          : indicator === 'maintenance'
            ? 'info'
            : indicator === 'minor'
              ? 'warn'
              : 'bad',
    },
    { name: 'Components', value: `${good} of ${components.length}`, note: 'operational' },
    {
      name: 'Open incidents',
      value: String(incidents.length),
      ...(incidents.length > 0 ? { tone: 'bad' as const } : {}),
    },
    { name: 'Maintenance', value: String(maintenances.length), note: 'planned or under way' },
    ...(subscribers === undefined
      ? []
      : [
          {
            name: 'Subscribers',
            value: String(subscribers),
            note: 'by e-mail',
            href: `${home}/subscribers`,
          },
        ]),
  ]);
}

/** The state of the service, and for admins everything that can be done about it. */
export function statusPage(
  { state, subscribers, now }: StatusView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const forms = panel({
    id: 'do',
    title: 'What you can do',
    body: html`${openIncidentForm(state.components)}${planForm(state.components, now)}${addComponentForm()}`,
    hint: 'What you open, plan or add here is on the public page at once.',
  });
  return {
    section: 'status',
    title: 'Status',
    notice,
    channels: ['status'],
    every: 30,
    body: html`${numbers(state, subscribers)}
<div class="columns">${openPanel(state)}${plannedPanel(state)}</div>
${isAdmin ? forms : undefined}
${componentsPanel(state)}`,
  };
}

export interface IncidentsView {
  kind: IncidentState['kind'];
  incidents: readonly IncidentState[];
  next: string | null;
  isFirst: boolean;
}

/** Everything that was ever said, newest first. */
export function incidentsPage({ kind, incidents, next, isFirst }: IncidentsView): ConsolePage {
  const [place, isIncident] = [`${home}/incidents`, kind === 'incident'];
  const kinds = [
    ['incident', 'Incidents'],
    ['maintenance', 'Maintenance'],
  ] as const;
  const rows = incidents.map((each) => [
    html`<a href="${incidentPlace(each.id)}">${each.name}</a>`,
    stepBadge(each.status),
    impactBadge(each.impact),
    time(each.scheduledFor ?? each.createdAt),
    time(each.resolvedAt, 'not over'),
  ]);
  const list =
    rows.length === 0
      ? emptyState(
          isIncident
            ? {
                text: 'There was no incident yet.',
                call: 'curl -X POST "$BASE_URL/api/v1/status/incidents" \\\n  -H "authorization: Bearer $API_KEY" -H \'content-type: application/json\' \\\n  -d \'{"name":"Slow figures","body":"We are looking into it."}\'',
              }
            : { text: 'There was no maintenance yet.' },
        )
      : table({
          caption: isIncident ? 'Incidents, newest first' : 'Maintenance, newest first',
          columns: [
            { name: 'Name' },
            { name: 'Status' },
            { name: 'Impact' },
            { name: 'Began' },
            { name: 'Over' },
          ],
          rows,
        });
  return {
    section: 'status',
    title: isIncident ? 'All incidents' : 'All maintenance',
    actions: html`<a href="${home}">Status</a>`,
    body: html`${tabs(
      'Kind',
      kinds.map(([id, text]) => ({
        href: withQuery(place, { kind: id }),
        text,
        isNow: id === kind,
      })),
    )}
${panel({ id: 'all', title: isIncident ? 'Incidents' : 'Maintenance', body: html`${list}${pager({ first: isFirst ? undefined : withQuery(place, { kind }), next: next === null ? undefined : withQuery(place, { kind, cursor: next }), shown: `${counted(rows.length, 'entry', 'entries')} on this page` })}` })}`,
  };
}
