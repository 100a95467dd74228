import type { IncidentState } from '../../../areas/status/model.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { cursorPager, textLink, withQuery } from '../components/navigation.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { sectionPath } from '../sections.ts';
import { texts as consoleTexts } from '../texts/en.ts';
import { impactBadge, incidentPath, stepBadge } from './labels.tsx';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const words = texts.list;

export interface IncidentsView {
  kind: IncidentState['kind'];
  page: { data: readonly IncidentState[]; next_cursor: string | null };
  isFirst: boolean;
}

const incidentsPath = `${home}/incidents`;

const kinds = [
  ['incident', words.incidents],
  ['maintenance', words.maintenance],
] as const;

const firstCall =
  'curl -X POST "$BASE_URL/api/v1/status/incidents" \\\n' +
  '  -H "authorization: Bearer $API_KEY" -H \'content-type: application/json\' \\\n' +
  '  -d \'{"name":"Slow figures","body":"We are looking into it."}\'';

const noIncidents = (
  <EmptyState icon="list" text={words.noIncidents}>
    <Copy text={firstCall} label={consoleTexts.copy} />
  </EmptyState>
);

const columns: readonly Column<IncidentState>[] = [
  {
    title: words.columns.name,
    cell: ({ id, name }) => textLink(incidentPath(id), name),
  },
  { title: words.columns.status, cell: ({ status }) => stepBadge(status) },
  { title: words.columns.impact, cell: ({ impact }) => impactBadge(impact) },
  {
    title: words.columns.started,
    cell: ({ scheduledFor, createdAt }) => <Time at={scheduledFor ?? createdAt} />,
  },
  {
    title: words.columns.ended,
    cell: ({ resolvedAt }) => <OptionalTime at={resolvedAt} none={words.notEnded} />,
  },
];

/** All incidents, or all maintenance, newest first. */
export function incidentsPage({
  kind,
  page: { data: incidents, next_cursor: next },
  isFirst,
}: IncidentsView): ConsolePage {
  const isIncident = kind === 'incident';
  const kindTabs = kinds.map(([id, text]) => ({
    href: withQuery(incidentsPath, { kind: id }),
    text,
    isCurrent: id === kind,
  }));
  return {
    section: 'status',
    title: isIncident ? words.allIncidents : words.allMaintenance,
    actions: textLink(home, texts.back),
    body: (
      <>
        <Tabs label={words.tabs} links={kindTabs} />
        <Card id="all" title={isIncident ? words.incidents : words.maintenance}>
          <Table
            caption={isIncident ? words.incidentsCaption : words.maintenanceCaption}
            columns={columns}
            rows={incidents}
            empty={isIncident ? noIncidents : <EmptyState icon="list" text={words.noMaintenance} />}
          />
          {cursorPager({
            path: incidentsPath,
            query: { kind },
            isFirst,
            next,
            shown: words.shown({ count: incidents.length }),
          })}
        </Card>
      </>
    ),
  };
}
