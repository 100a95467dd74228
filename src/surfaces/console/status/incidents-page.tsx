import { type Html } from '../../../lib/text/html.ts';
import type { IncidentState } from '../../../areas/status/model.ts';
import type { ConsolePage } from '../layout.tsx';
import { plural } from '../components/number-format.ts';
import { emptyState, panel, time } from '../components/elements.tsx';
import { cursorPager, tabs, withQuery } from '../components/navigation.tsx';
import { table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { impactBadge, incidentPath, stepBadge } from './labels.tsx';

const home = sectionPath('status');

export interface IncidentsView {
  kind: IncidentState['kind'];
  page: { data: readonly IncidentState[]; next_cursor: string | null };
  isFirst: boolean;
}

const incidentsPath = `${home}/incidents`;

const kinds = [
  ['incident', 'Incidents'],
  ['maintenance', 'Maintenance'],
] as const;

const noIncidents = (): Html =>
  emptyState({
    text: 'There was no incident yet.',
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
  const list = table({
    caption: isIncident ? 'Incidents, newest first' : 'Maintenance, newest first',
    columns: ['Name', 'Status', 'Impact', 'Began', 'Over'],
    rows: incidents.map((each) => [
      <a href={incidentPath(each.id)} safe>
        {each.name}
      </a>,
      stepBadge(each.status),
      impactBadge(each.impact),
      time(each.scheduledFor ?? each.createdAt),
      time(each.resolvedAt, 'not over'),
    ]),
    empty: isIncident ? noIncidents() : emptyState({ text: 'There was no maintenance yet.' }),
  });
  const pages = cursorPager({
    path: incidentsPath,
    query: { kind },
    isFirst,
    next,
    shown: `${plural(incidents.length, 'entry', 'entries')} on this page`,
  });
  const kindTabs = kinds.map(([id, text]) => ({
    href: withQuery(incidentsPath, { kind: id }),
    text,
    isCurrent: id === kind,
  }));
  return {
    section: 'status',
    title: isIncident ? 'All incidents' : 'All maintenance',
    actions: <a href={home}>Status</a>,
    body: [
      tabs('Kind', kindTabs),
      panel({
        id: 'all',
        title: isIncident ? 'Incidents' : 'Maintenance',
        body: [list, pages],
      }),
    ],
  };
}
