import type { Incident } from './store.ts';

/** True while an incident is open or maintenance is running, and sets the status of components. */
export const isActive = ({
  kind,
  status,
  resolvedAt,
}: Pick<Incident, 'kind' | 'status' | 'resolvedAt'>): boolean =>
  kind === 'incident' ? resolvedAt === null : status === 'in_progress' || status === 'verifying';

/** True while maintenance of the component is running: its check does not count then. */
export const isMaintained = (incidents: readonly Incident[], componentId: string): boolean =>
  incidents.some(
    (each) =>
      each.kind === 'maintenance' && isActive(each) && each.components.includes(componentId),
  );
