import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState, IncidentState, StatusState } from '../../../areas/status/model.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { type StatOptions, Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time, TimeRange } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import {
  formatResponseTime,
  componentBadge,
  dayBars,
  impactBadge,
  incidentPath,
  incidentsPath,
  newPaths,
  stepBadge,
  formatUptime,
} from './labels.tsx';
import { texts } from './texts/en.ts';
import type { Viewer } from '../viewer.ts';

export interface StatusView {
  state: StatusState;
  /** Number of confirmed subscribers; undefined for viewers who are not admins. */
  subscribers: number | undefined;
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
  return (
    <li>
      {stepBadge(status)} {impactBadge(impact)} {incidentLink(incident)} <Time at={updatedAt} />
      {last && <p class="said">{escapeHtml(last.body)}</p>}
    </li>
  );
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

/** Open incidents or planned maintenance, with a link to all of them. */
function listPanel(id: 'open' | 'planned', all: string, items: readonly Html[]): Html {
  const words = texts[id];
  return (
    <Card id={id} title={words.title} isLive actions={<a href={all}>{escapeHtml(words.all)}</a>}>
      {items.length === 0 ? (
        <p class="hint">{escapeHtml(words.none)}</p>
      ) : (
        <ul class="notes">{items}</ul>
      )}
    </Card>
  );
}

const { columns: titles } = texts.components;
const componentColumns: readonly Column<ComponentState>[] = [
  {
    title: titles.component,
    cell: ({ id, name, group }) => (
      <>
        <a href={`${home}/components/${id}`}>{escapeHtml(name)}</a>
        {group !== null && <span class="hint">{escapeHtml(group)}</span>}
      </>
    ),
  },
  { title: titles.status, cell: ({ status }) => componentBadge(status) },
  { title: titles.days, cell: dayBars, isWide: true },
  { title: titles.uptime, text: ({ uptime }) => formatUptime(uptime), isNumber: true },
  { title: titles.response, text: formatResponseTime, isNumber: true },
];

const componentsPanel = ({ components }: StatusState): Html => (
  <Card id="components" title={texts.components.title} isLive hint={texts.components.hint}>
    <Table
      caption={texts.components.caption}
      columns={componentColumns}
      rows={components}
      empty={<EmptyState icon="list" text={texts.components.none} />}
    />
  </Card>
);

const indicatorTones: Readonly<Record<StatusState['indicator'], StatOptions['tone']>> = {
  none: undefined,
  maintenance: undefined,
  minor: 'warn',
  major: 'bad',
  critical: 'bad',
};

function statusCards(
  { indicator, components, incidents, maintenances }: StatusState,
  subscribers: number | undefined,
): Html {
  const words = texts.figures;
  const good = components.filter(({ status }) => status === 'operational').length;
  const all: StatOptions[] = [
    {
      label: words.overall,
      value: '',
      content: <span class="words">{escapeHtml(texts.overall[indicator])}</span>,
      noteContent: <a href="/status">{escapeHtml(texts.publicPage)}</a>,
      tone: indicatorTones[indicator],
    },
    {
      label: words.components,
      value: words.operationalOf({ good, total: components.length }),
      note: words.operational,
    },
    {
      label: words.incidents,
      value: String(incidents.length),
      href: incidentsPath,
      tone: incidents.length > 0 ? 'bad' : undefined,
    },
    {
      label: words.maintenance,
      value: String(maintenances.length),
      note: words.maintenanceNote,
      href: withQuery(incidentsPath, { kind: 'maintenance' }),
    },
  ];
  if (subscribers !== undefined)
    all.push({
      label: words.subscribers,
      value: String(subscribers),
      note: words.subscribersNote,
      href: `${home}/subscribers`,
    });
  return <Stats id="status-cards" label={words.label} all={all} isLive />;
}

const { actions } = texts;

const adminActions = (): Html => (
  <>
    <DrawerLink label={actions.addComponent} href={newPaths.check} kind="ghost" />
    <DrawerLink label={actions.planMaintenance} href={newPaths.maintenance} />
    <DrawerLink label={actions.openIncident} href={newPaths.incident} icon="plus" kind="primary" />
  </>
);

/** The state of the service; for admins with forms. */
export function statusPage(
  { state, subscribers }: StatusView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { incidents, maintenances } = state;
  const allPlanned = withQuery(incidentsPath, { kind: 'maintenance' });
  return {
    section: 'status',
    title: texts.title,
    notice,
    actions: isAdmin ? adminActions() : undefined,
    channels: ['status'],
    every: 30,
    body: (
      <>
        {statusCards(state, subscribers)}
        <div class="columns">
          {listPanel('open', incidentsPath, incidents.map(incidentItem))}
          {listPanel('planned', allPlanned, maintenances.map(plannedItem))}
        </div>
        {componentsPanel(state)}
      </>
    ),
  };
}
