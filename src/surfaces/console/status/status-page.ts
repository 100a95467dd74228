import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.ts';
import { cards, emptyState, panel, time } from '../components/elements.ts';
import { numberColumn, table } from '../components/tables.ts';
import { withQuery } from '../components/navigation.ts';
import { sectionPath } from '../sections.ts';
import { addComponentForm, openIncidentForm, planForm } from './forms.ts';
import {
  answerTime,
  componentBadge,
  dayBars,
  impactBadge,
  incidentPath,
  stepBadge,
  uptimeText,
} from './labels.ts';
import type { Viewer } from '../request-context.ts';

export interface StatusView {
  state: StatusState;
  /** Confirmed subscribers; undefined for who may not know. */
  subscribers: number | undefined;
  /** Unix ms. */
  now: number;
}

const home = sectionPath('status');

function incidentItem({ id, name, status, impact, updates, updatedAt }: IncidentState): Html {
  const [last] = updates;
  return html`<li>${stepBadge(status)} ${impactBadge(impact)} <a href="${incidentPath(id)}"><strong>${name}</strong></a> ${time(updatedAt)}${last === undefined ? undefined : html`<p class="said">${last.body}</p>`}</li>`;
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
  html`<li>${stepBadge(status)} <a href="${incidentPath(id)}"><strong>${name}</strong></a> ${time(scheduledFor)} to ${time(scheduledUntil)}</li>`;

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
  const columns = ['Component', 'State', '90 days', numberColumn('Uptime'), numberColumn('Answer')];
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
