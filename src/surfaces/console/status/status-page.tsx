import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.tsx';
import { type Card, cards, emptyState, panel, time, type Tone } from '../components/elements.tsx';
import { numberColumn, type Row, table } from '../components/tables.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { addComponentForm, openIncidentForm, planForm } from './forms.tsx';
import {
  answerTime,
  componentBadge,
  dayBars,
  impactBadge,
  incidentPath,
  stepBadge,
  uptimeText,
} from './labels.tsx';
import type { Viewer } from '../request-context.ts';

export interface StatusView {
  state: StatusState;
  /** Number of confirmed subscribers; undefined for viewers who are not admins. */
  subscribers: number | undefined;
  /** Unix ms. */
  now: number;
}

const home = sectionPath('status');

const incidentLink = ({ id, name }: IncidentState): Html => (
  <a href={incidentPath(id)}>
    <strong safe>{name}</strong>
  </a>
);

function incidentItem(incident: IncidentState): Html {
  const { status, impact, updates, updatedAt } = incident;
  const [last] = updates;
  const said =
    last === undefined ? undefined : (
      <p class="said" safe>
        {last.body}
      </p>
    );
  const badges = (
    <>
      {stepBadge(status)} {impactBadge(impact)}
    </>
  );
  return (
    <li>
      {badges} {incidentLink(incident)} {time(updatedAt)}
      {said}
    </li>
  );
}

function openPanel({ incidents }: StatusState): Html {
  const body =
    incidents.length === 0 ? (
      <p class="hint">Nothing is open.</p>
    ) : (
      <ul class="notes">{incidents.map(incidentItem)}</ul>
    );
  return panel({
    id: 'open',
    title: 'Open incidents',
    live: true,
    actions: <a href={`${home}/incidents`}>All incidents</a>,
    body,
  });
}

function plannedItem(maintenance: IncidentState): Html {
  const { status, scheduledFor, scheduledUntil } = maintenance;
  const times = (
    <>
      {time(scheduledFor)} to {time(scheduledUntil)}
    </>
  );
  return (
    <li>
      {stepBadge(status)} {incidentLink(maintenance)} {times}
    </li>
  );
}

function plannedPanel({ maintenances }: StatusState): Html {
  const all = withQuery(`${home}/incidents`, { kind: 'maintenance' });
  const body =
    maintenances.length === 0 ? (
      <p class="hint">Nothing is planned.</p>
    ) : (
      <ul class="notes">{maintenances.map(plannedItem)}</ul>
    );
  return panel({
    id: 'planned',
    title: 'Maintenance',
    live: true,
    actions: <a href={all}>All maintenance</a>,
    body,
  });
}

function row(component: ComponentState): Row {
  const { id, name, group } = component;
  const below =
    group === null ? undefined : (
      <span class="hint" safe>
        {group}
      </span>
    );
  return [
    <>
      <a href={`${home}/components/${id}`} safe>
        {name}
      </a>
      {below}
    </>,
    componentBadge(component.status),
    dayBars(component),
    escapeHtml(uptimeText(component.uptime)),
    escapeHtml(answerTime(component)),
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
      value: (
        <span class="words" safe>
          {description}
        </span>
      ),
      note: <a href="/status">Public page</a>,
      tone: indicatorTones[indicator] ?? 'bad',
    },
    {
      name: 'Components',
      value: escapeHtml(`${good} of ${components.length}`),
      note: escapeHtml('operational'),
    },
    {
      name: 'Open incidents',
      value: escapeHtml(String(incidents.length)),
      tone: incidents.length > 0 ? 'bad' : undefined,
    },
    {
      name: 'Maintenance',
      value: escapeHtml(String(maintenances.length)),
      note: escapeHtml('planned or under way'),
    },
  ];
  if (subscribers !== undefined)
    all.push({
      name: 'Subscribers',
      value: escapeHtml(String(subscribers)),
      note: escapeHtml('by e-mail'),
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
    body: (
      <>
        {statusCards(state, subscribers)}
        <div class="columns">
          {openPanel(state)}
          {plannedPanel(state)}
        </div>
        {isAdmin ? forms : undefined}
        {componentsPanel(state)}
      </>
    ),
  };
}
