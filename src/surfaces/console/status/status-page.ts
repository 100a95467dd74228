import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.ts';
import { type Card, cards, emptyState, panel, time, type Tone } from '../components/elements.ts';
import { numberColumn, type Row, table } from '../components/tables.ts';
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
  /** Number of confirmed subscribers; undefined for viewers who are not admins. */
  subscribers: number | undefined;
  /** Unix ms. */
  now: number;
}

const home = sectionPath('status');

const incidentLink = ({ id, name }: IncidentState): Html =>
  html`<a href="${incidentPath(id)}"><strong>${name}</strong></a>`;

function incidentItem(incident: IncidentState): Html {
  const { status, impact, updates, updatedAt } = incident;
  const [last] = updates;
  const said = last === undefined ? undefined : html`<p class="said">${last.body}</p>`;
  const badges = html`${stepBadge(status)} ${impactBadge(impact)}`;
  return html`<li>${badges} ${incidentLink(incident)} ${time(updatedAt)}${said}</li>`;
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

function plannedItem(maintenance: IncidentState): Html {
  const { status, scheduledFor, scheduledUntil } = maintenance;
  const times = html`${time(scheduledFor)} to ${time(scheduledUntil)}`;
  return html`<li>${stepBadge(status)} ${incidentLink(maintenance)} ${times}</li>`;
}

function plannedPanel({ maintenances }: StatusState): Html {
  const all = withQuery(`${home}/incidents`, { kind: 'maintenance' });
  const body =
    maintenances.length === 0
      ? html`<p class="hint">Nothing is planned.</p>`
      : html`<ul class="notes">${maintenances.map(plannedItem)}</ul>`;
  return panel({
    id: 'planned',
    title: 'Maintenance',
    live: true,
    actions: html`<a href="${all}">All maintenance</a>`,
    body,
  });
}

function row(component: ComponentState): Row {
  const { id, name, group } = component;
  const below = group === null ? undefined : html` <span class="hint">${group}</span>`;
  return [
    html`<a href="${home}/components/${id}">${name}</a>${below}`,
    componentBadge(component.status),
    dayBars(component),
    uptimeText(component.uptime),
    answerTime(component),
  ];
}

function componentsPanel({ components }: StatusState): Html {
  return panel({
    id: 'components',
    title: 'Components',
    live: true,
    hint: 'Uptime over 90 days; the mean answer of the last hour where a check measures it.',
    body: table({
      caption: 'Components of the status page',
      columns: ['Component', 'State', '90 days', numberColumn('Uptime'), numberColumn('Answer')],
      rows: components.map(row),
      empty: emptyState({ text: 'Nothing is checked yet.' }),
    }),
  });
}

const indicatorTones: Readonly<Partial<Record<StatusState['indicator'], Tone>>> = {
  none: 'good',
  maintenance: 'info',
  minor: 'warn',
};

function statusCards(
  { description, indicator, components, incidents, maintenances }: StatusState,
  subscribers: number | undefined,
): Html {
  const good = components.filter(({ status }) => status === 'operational').length;
  const all: Card[] = [
    {
      name: 'Overall',
      value: html`<span class="words">${description}</span>`,
      note: html`<a href="/status">Public page</a>`,
      tone: indicatorTones[indicator] ?? 'bad',
    },
    { name: 'Components', value: `${good} of ${components.length}`, note: 'operational' },
    {
      name: 'Open incidents',
      value: String(incidents.length),
      tone: incidents.length > 0 ? 'bad' : undefined,
    },
    { name: 'Maintenance', value: String(maintenances.length), note: 'planned or under way' },
  ];
  if (subscribers !== undefined)
    all.push({
      name: 'Subscribers',
      value: String(subscribers),
      note: 'by e-mail',
      href: `${home}/subscribers`,
    });
  return cards('status-cards', 'The state of the service', all);
}

/** The state of the service; for admins with forms. */
export function statusPage(
  { state, subscribers, now }: StatusView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { components } = state;
  const forms = panel({
    id: 'do',
    title: 'What you can do',
    body: [openIncidentForm(components), planForm(components, now), addComponentForm()],
    hint: 'What you open, plan or add here is on the public page at once.',
  });
  return {
    section: 'status',
    title: 'Status',
    notice,
    channels: ['status'],
    every: 30,
    body: html`${statusCards(state, subscribers)}
<div class="columns">${openPanel(state)}${plannedPanel(state)}</div>
${isAdmin ? forms : undefined}
${componentsPanel(state)}`,
  };
}
