import type { Logger } from 'pino';
import type { Publisher } from '../../platform/bus/types.ts';
import { toStatuspageComponent, toStatuspageIncident } from './feeds/statuspage.ts';
import type { StatusChange } from './incidents/incident-changes.ts';
import type { StatusState } from './model.ts';
import type { StateCache } from './recording/state-cache.ts';
import type { Subscriptions } from './subscriptions/service.ts';

export interface PublishingParts {
  cache: Pick<StateCache, 'refresh' | 'state'>;
  publisher: Pick<Publisher, 'publishInBackground'>;
  logger: Logger;
  subscriptions: Pick<Subscriptions, 'notifySubscribers'>;
  /** Makes the other replicas `refresh` at once, not only at their next five-second poll. */
  signalReplicas?: () => void;
  /** True on the replica that records. Only that one publishes components, to avoid duplicates. */
  isRecording: () => boolean;
}

/** Notifies other replicas, clients and subscribers of changes in the database. */
export function createPublisher({
  cache,
  publisher,
  logger,
  subscriptions,
  signalReplicas,
  isRecording,
}: PublishingParts) {
  let published: ReadonlyMap<string, string> | undefined;
  let seen: StatusState | undefined;
  return { publishComponents, propagate, publishChange };

  /** Publishes the components that have changed. The first call only sets the baseline. */
  function publishComponents(): void {
    if (!isRecording()) return;
    const state = cache.state();
    // The state is a new object whenever anything in it has changed.
    if (state === seen) return;
    seen = state;
    const known = published;
    const now = state.components.map((component) => {
      const { updated_at: updatedAt, ...same } = toStatuspageComponent(component);
      return {
        id: component.id,
        key: JSON.stringify(same),
        data: { ...same, updated_at: updatedAt },
      };
    });
    published = new Map(now.map(({ id, key }) => [id, key]));
    if (known === undefined) return;
    for (const { id, data } of now.filter(({ id: each, key }) => known.get(each) !== key)) {
      publisher.publishInBackground('status', { type: 'component.updated', data });
      publisher.publishInBackground(`status:${id}`, { type: 'component.updated', data });
    }
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
      await subscriptions.notifySubscribers({ incident, update });
    } catch (error) {
      logger.warn(
        { err: error, incident: incident.id },
        'subscribers could not be notified of an update by email',
      );
    }
  }
}
