import type { Logger } from 'pino';
import type { Publisher } from '../../platform/bus/types.ts';
import { createComponentEvents } from './component-events.ts';
import { toStatuspageIncident } from './feeds/statuspage.ts';
import type { StatusChange } from './incidents/incident-changes.ts';
import type { IncidentState, UpdateState } from './model.ts';
import type { StateCache } from './recording/state-cache.ts';

export interface PublishingDeps {
  cache: Pick<StateCache, 'refresh' | 'state'>;
  publisher: Pick<Publisher, 'publishInBackground'>;
  logger: Logger;
  /** Called for every posted update, to notify subscribers. */
  onUpdate?: (notice: { incident: IncidentState; update: UpdateState }) => void | Promise<void>;
  /** Makes the other replicas `refresh` at once, not only at their next five-second poll. */
  signalReplicas?: () => void;
  /** True on the replica that records. Only that one publishes components, to avoid duplicates. */
  isRecording: () => boolean;
}

/** Notifies other replicas, clients and subscribers of changes in the database. */
export function createPublishing({
  cache,
  publisher,
  logger,
  onUpdate,
  signalReplicas,
  isRecording,
}: PublishingDeps) {
  const publishChanged = createComponentEvents(publisher);

  /** Publishes the components whose state has changed. */
  function publishComponents(): void {
    if (isRecording()) publishChanged(cache.state());
  }

  /** Call it after components have changed in the database. */
  async function propagate(): Promise<void> {
    await cache.refresh();
    signalReplicas?.();
    publishComponents();
  }

  /** Call it after an incident or maintenance has changed in the database. */
  async function publishChange({ event, incident, update }: StatusChange): Promise<void> {
    await cache.refresh();
    publisher.publishInBackground('status', {
      type: event,
      data: toStatuspageIncident(incident, cache.state().components),
    });
    signalReplicas?.();
    publishComponents();
    if (update === undefined) return;
    // The page shows the update already: a failure to send mail must not fail the change.
    try {
      await onUpdate?.({ incident, update });
    } catch (error) {
      logger.warn(
        { err: error, incident: incident.id },
        'nobody could be told of an update by mail',
      );
    }
  }

  return { publishComponents, propagate, publishChange };
}
