import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { IncidentState } from '../../../areas/status/model.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time, TimeRange } from '../../../platform/ui/time.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import type { ConsolePage } from '../layout.tsx';
import { cursorPager, textLink, withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../viewer.ts';
import { incidentPath, impactBadge, incidentsPath, newPaths, stepBadge } from './labels.tsx';
import { secondsOf } from './span.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const words = texts.list;

export interface IncidentsView {
  kind: IncidentState['kind'];
  page: { data: readonly IncidentState[]; next_cursor: string | null };
  isFirst: boolean;
  /** The names of components by their ids. */
  names: ReadonlyMap<string, string>;
  /** Unix ms. */
  now: number;
}

const kinds = [
  ['incident', words.incidents],
  ['maintenance', words.maintenance],
] as const;

const nameColumn: Column<IncidentState> = {
  title: words.columns.name,
  cell: ({ id, name }) => textLink(incidentPath(id), name),
};
const statusColumn: Column<IncidentState> = {
  title: words.columns.status,
  cell: ({ status }) => stepBadge(status),
};

const affectedColumn = (names: IncidentsView['names']): Column<IncidentState> => ({
  title: words.columns.affected,
  text: ({ components }) =>
    components.length === 0 ? '–' : components.map((id) => names.get(id) ?? id).join(', '),
});

/** How long it lasted; of an open incident, how long so far. */
function lengthCell(incident: IncidentState, now: number): Html {
  const length = formatDuration(secondsOf(incident, now));
  const isOpen = incident.kind === 'incident' && incident.resolvedAt === null;
  if (!isOpen) return escapeHtml(length);
  return <Badge text={words.soFar({ length })} tone="bad" />;
}

const lengthColumn = (now: number): Column<IncidentState> => ({
  title: words.columns.duration,
  cell: (incident) => lengthCell(incident, now),
});

const incidentColumns = ({ names, now }: IncidentsView): readonly Column<IncidentState>[] => [
  nameColumn,
  statusColumn,
  { title: words.columns.impact, cell: ({ impact }) => impactBadge(impact) },
  affectedColumn(names),
  { title: words.columns.started, cell: ({ createdAt }) => <Time at={createdAt} /> },
  lengthColumn(now),
];

const windowOf = ({ scheduledFor, scheduledUntil, createdAt }: IncidentState): Html => (
  <TimeRange from={scheduledFor ?? createdAt} until={scheduledUntil ?? createdAt} />
);

const maintenanceColumns = ({ names, now }: IncidentsView): readonly Column<IncidentState>[] => [
  nameColumn,
  statusColumn,
  { title: words.columns.window, cell: windowOf },
  lengthColumn(now),
  affectedColumn(names),
];

function createLink(kind: IncidentState['kind']): Html {
  const { openIncident, planMaintenance } = texts.actions;
  const [label, href] =
    kind === 'incident'
      ? [openIncident, newPaths.incident]
      : [planMaintenance, newPaths.maintenance];
  return <DrawerLink label={label} href={href} kind="primary" icon="plus" />;
}

function list(view: IncidentsView): Html {
  const { kind, page, isFirst } = view;
  const { data: incidents, next_cursor: next } = page;
  const isIncident = kind === 'incident';
  return (
    <Card id="all" title={isIncident ? words.incidents : words.maintenance}>
      <Table
        caption={isIncident ? words.incidentsCaption : words.maintenanceCaption}
        columns={isIncident ? incidentColumns(view) : maintenanceColumns(view)}
        rows={incidents}
        empty={
          <EmptyState icon="list" text={isIncident ? words.noIncidents : words.noMaintenance} />
        }
      />
      {(!isFirst || next !== null) &&
        cursorPager({
          path: incidentsPath,
          query: { kind },
          isFirst,
          next,
          shown: words.shown({ count: incidents.length }),
        })}
    </Card>
  );
}

/** All incidents, or all maintenance, newest first. */
export function incidentsPage(view: IncidentsView, { isAdmin }: Viewer): ConsolePage {
  const { kind } = view;
  const kindTabs = kinds.map(([id, text]) => ({
    href: withQuery(incidentsPath, { kind: id }),
    text,
    isCurrent: id === kind,
  }));
  return {
    section: 'status',
    title: words.title,
    breadcrumbs: [{ href: home, text: texts.title }],
    actions: isAdmin ? createLink(kind) : undefined,
    body: (
      <>
        <Tabs label={words.tabs} links={kindTabs} />
        {list(view)}
      </>
    ),
  };
}
