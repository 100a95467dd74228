import { type Html } from '../../../lib/text/html.ts';
import type { IncidentState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.tsx';
import { emptyState, panel, time } from '../components/elements.tsx';
import { cursorPager, tabs, withQuery } from '../components/navigation.tsx';
import { table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
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

const noIncidents = (): Html =>
  emptyState({
    text: words.noIncidents,
    call:
      'curl -X POST "$BASE_URL/api/v1/status/incidents" \\\n' +
      '  -H "authorization: Bearer $API_KEY" -H \'content-type: application/json\' \\\n' +
      '  -d \'{"name":"Slow figures","body":"We are looking into it."}\'',
  });

/** All incidents, or all maintenance, newest first. */
export function incidentsPage({
  kind,
  page: { data: incidents, next_cursor: next },
  isFirst,
}: IncidentsView): ConsolePage {
  const isIncident = kind === 'incident';
  const { columns } = words;
  const list = table({
    caption: isIncident ? words.incidentsCaption : words.maintenanceCaption,
    columns: [columns.name, columns.status, columns.impact, columns.started, columns.ended],
    rows: incidents.map((each) => [
      <a href={incidentPath(each.id)} safe>
        {each.name}
      </a>,
      stepBadge(each.status),
      impactBadge(each.impact),
      time(each.scheduledFor ?? each.createdAt),
      time(each.resolvedAt, words.notEnded),
    ]),
    empty: isIncident ? noIncidents() : emptyState({ text: words.noMaintenance }),
  });
  const pages = cursorPager({
    path: incidentsPath,
    query: { kind },
    isFirst,
    next,
    shown: words.shown({ count: incidents.length }),
  });
  const kindTabs = kinds.map(([id, text]) => ({
    href: withQuery(incidentsPath, { kind: id }),
    text,
    isCurrent: id === kind,
  }));
  return {
    section: 'status',
    title: isIncident ? words.allIncidents : words.allMaintenance,
    actions: (
      <a href={home} safe>
        {texts.back}
      </a>
    ),
    body: [
      tabs(words.tabs, kindTabs),
      panel({
        id: 'all',
        title: isIncident ? words.incidents : words.maintenance,
        body: [list, pages],
      }),
    ],
  };
}
