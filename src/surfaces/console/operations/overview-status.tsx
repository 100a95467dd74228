import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { IncidentState, StatusState } from '../../../areas/status/model.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { sectionPath } from '../sections.ts';
import { componentBadge, incidentPath, stepBadge } from '../status/labels.tsx';
import { texts as statusTexts } from '../status/texts/en.ts';
import { texts } from './texts/en.ts';
import { textLink } from '../components/navigation.tsx';

const words = texts.overview;

const incidentLink = (id: string, name: string): Html => (
  <a href={incidentPath(id)}>{escapeHtml(name)}</a>
);

const maintenanceItem = ({ id, name, scheduledFor }: IncidentState): Html => (
  <li>
    <Badge text={words.maintenance} tone="info" /> {incidentLink(id, name)}{' '}
    <OptionalTime at={scheduledFor} />
  </li>
);

/** The state of the service, with open incidents and the next maintenance. */
export function statusPanel({ indicator, components, incidents, maintenances }: StatusState): Html {
  const open = incidents.map(({ id, name, status, updatedAt }) => (
    <li>
      {stepBadge(status)} {incidentLink(id, name)} <Time at={updatedAt} />
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
  const link = textLink(sectionPath('status'), words.status);
  return (
    <Card id="state" title={statusTexts.overall[indicator]} isLive actions={link}>
      {items.length === 0 ? (
        <p class="hint">{escapeHtml(words.allGood({ count: components.length }))}</p>
      ) : (
        <ul class="notes">{items}</ul>
      )}
    </Card>
  );
}
