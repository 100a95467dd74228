import type { Component, Incident, Maintenance } from '../../../areas/status/schemas.ts';
import { inCamelCase } from './camel-case.ts';
import { toNodeId } from './node-ids.ts';

/** A component of the summary, or of an event. */
export function toComponentNode(
  {
    id,
    name,
    description,
    status,
    position,
    only_show_if_degraded: onlyShowIfDegraded,
    created_at: createdAt,
    updated_at: updatedAt,
  }: Component,
  uptime: number | null = null,
) {
  return {
    __typename: 'Component' as const,
    id: toNodeId('Component', id),
    componentId: id,
    name,
    description,
    status,
    position,
    onlyShowIfDegraded,
    createdAt,
    updatedAt,
    uptime,
  };
}

function sharedOf(
  { incident_updates: updates, components, ...incident }: Incident | Maintenance,
  uptimeOf: (id: string) => number | null,
) {
  return {
    ...inCamelCase(incident),
    updates: updates.map(({ id: updateId, ...update }) => ({ updateId, ...inCamelCase(update) })),
    components: components.map((component) => toComponentNode(component, uptimeOf(component.id))),
  };
}

const unknown = () => null;

/** An incident of the summary, or of an event. */
export const toIncidentNode = (
  incident: Incident,
  uptimeOf: (id: string) => number | null = unknown,
) => ({
  __typename: 'Incident' as const,
  ...sharedOf(incident, uptimeOf),
  id: toNodeId('Incident', incident.id),
  incidentId: incident.id,
});

/** Maintenance of the summary, or of an event. */
export const toMaintenanceNode = (
  maintenance: Maintenance,
  uptimeOf: (id: string) => number | null = unknown,
) => ({
  __typename: 'Maintenance' as const,
  ...sharedOf(maintenance, uptimeOf),
  id: toNodeId('Maintenance', maintenance.id),
  incidentId: maintenance.id,
});
