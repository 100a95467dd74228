import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { IncidentState, StatusState } from '../../../areas/status/model.ts';
import { badge, panel, time } from '../components/elements.tsx';
import { sectionPath } from '../sections.ts';
import { componentBadge, incidentPath, stepBadge } from '../status/labels.tsx';
import { texts as statusTexts } from '../status/texts/en.ts';
import { texts } from './texts/en.ts';

const words = texts.overview;

const incidentLink = (id: string, name: string): Html => (
  <a href={incidentPath(id)} safe>
    {name}
  </a>
);

const maintenanceItem = ({ id, name, scheduledFor }: IncidentState): Html => {
  const mark = badge(words.maintenance, 'info');
  return (
    <li>
      {mark} {incidentLink(id, name)} {time(scheduledFor)}
    </li>
  );
};

/** The state of the service, with open incidents and the next maintenance. */
export function statusPanel({ indicator, components, incidents, maintenances }: StatusState): Html {
  const open = incidents.map(({ id, name, status, updatedAt }) => (
    <li>
      {stepBadge(status)} {incidentLink(id, name)} {time(updatedAt)}
    </li>
  ));
  const planned = maintenances.slice(0, 2).map(maintenanceItem);
  const troubled = components
    .filter(({ status }) => status !== 'operational')
    .map(({ name, status }) => (
      <li>
        {componentBadge(status)} {escapeHtml(name)}
      </li>
    ));
  const items = [...open, ...planned, ...troubled];
  return panel({
    id: 'state',
    title: statusTexts.overall[indicator],
    live: true,
    actions: (
      <a href={sectionPath('status')} safe>
        {words.status}
      </a>
    ),
    body:
      items.length === 0 ? (
        <p class="hint" safe>
          {words.allGood({ count: components.length })}
        </p>
      ) : (
        <ul class="notes">{items}</ul>
      ),
  });
}
