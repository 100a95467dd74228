import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import { TimeRange } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { type Figure, cards, emptyState, panel, time, type Tone } from '../components/elements.tsx';
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
import { texts } from './texts/en.ts';
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
      <p class="hint" safe>
        {texts.open.none}
      </p>
    ) : (
      <ul class="notes">{incidents.map(incidentItem)}</ul>
    );
  return panel({
    id: 'open',
    title: texts.open.title,
    live: true,
    actions: (
      <a href={`${home}/incidents`} safe>
        {texts.open.all}
      </a>
    ),
    body,
  });
}

function plannedItem(maintenance: IncidentState): Html {
  const { status, scheduledFor, scheduledUntil } = maintenance;
  return (
    <li>
      {stepBadge(status)} {incidentLink(maintenance)}{' '}
      {scheduledFor !== null && scheduledUntil !== null && (
        <TimeRange from={scheduledFor} until={scheduledUntil} />
      )}
    </li>
  );
}

function plannedPanel({ maintenances }: StatusState): Html {
  const all = withQuery(`${home}/incidents`, { kind: 'maintenance' });
  const body =
    maintenances.length === 0 ? (
      <p class="hint" safe>
        {texts.planned.none}
      </p>
    ) : (
      <ul class="notes">{maintenances.map(plannedItem)}</ul>
    );
  return panel({
    id: 'planned',
    title: texts.planned.title,
    live: true,
    actions: (
      <a href={all} safe>
        {texts.planned.all}
      </a>
    ),
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
  const { title, hint, caption, columns, none } = texts.components;
  return panel({
    id: 'components',
    title,
    live: true,
    hint,
    body: table({
      caption,
      columns: [
        columns.component,
        columns.status,
        columns.days,
        numberColumn(columns.uptime),
        numberColumn(columns.response),
      ],
      rows: components.map(row),
      empty: emptyState({ text: none }),
    }),
  });
}

const indicatorTones: Readonly<Partial<Record<StatusState['indicator'], Tone>>> = {
  none: 'good',
  maintenance: 'info',
  minor: 'warn',
};

function statusCards(
  { indicator, components, incidents, maintenances }: StatusState,
  subscribers: number | undefined,
): Html {
  const words = texts.figures;
  const good = components.filter(({ status }) => status === 'operational').length;
  const all: Figure[] = [
    {
      name: words.overall,
      value: (
        <span class="words" safe>
          {texts.overall[indicator]}
        </span>
      ),
      note: (
        <a href="/status" safe>
          {texts.publicPage}
        </a>
      ),
      tone: indicatorTones[indicator] ?? 'bad',
    },
    {
      name: words.components,
      value: escapeHtml(words.operationalOf({ good, total: components.length })),
      note: escapeHtml(words.operational),
    },
    {
      name: words.incidents,
      value: escapeHtml(String(incidents.length)),
      tone: incidents.length > 0 ? 'bad' : undefined,
    },
    {
      name: words.maintenance,
      value: escapeHtml(String(maintenances.length)),
      note: escapeHtml(words.maintenanceNote),
    },
  ];
  if (subscribers !== undefined)
    all.push({
      name: words.subscribers,
      value: escapeHtml(String(subscribers)),
      note: escapeHtml(words.subscribersNote),
      href: `${home}/subscribers`,
    });
  return cards('status-cards', words.label, all);
}

/** The state of the service; for admins with forms. */
export function statusPage(
  { state, subscribers, now }: StatusView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { components } = state;
  const forms = (
    <>
      <div class="openers">
        {openIncidentForm(components)}
        {planForm(components, now)}
        {addComponentForm()}
      </div>
      <p class="hint" safe>
        {texts.actions.hint}
      </p>
    </>
  );
  return {
    section: 'status',
    title: texts.title,
    notice,
    channels: ['status'],
    every: 30,
    body: (
      <>
        {isAdmin ? forms : undefined}
        {statusCards(state, subscribers)}
        <div class="columns">
          {openPanel(state)}
          {plannedPanel(state)}
        </div>
        {componentsPanel(state)}
      </>
    ),
  };
}
