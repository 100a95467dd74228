import { requestErrors } from '../../platform/errors/errors.ts';
import type { Ingest } from './ingest/ingest.ts';
import type { SupervisedThread } from './worker/supervised-thread.ts';

/** The error of a replica with ANALYTICS=off: another replica handles events and figures. */
export const analyticsDisabled = () =>
  requestErrors.unavailable({
    detail:
      'Analytics is off on this replica (ANALYTICS=off). Route this request to the ' +
      'replica that runs it.',
    headers: { 'retry-after': '5' },
  });

const reject = (): Promise<never> => Promise.reject(analyticsDisabled());

/** Rejects every event, so that senders retry on another replica. */
export const disabledIngest = (ingest: Ingest): Ingest => ({
  ...ingest,
  track: reject,
  trackBatch: reject,
  trackWithoutWaiting: () => 'unavailable',
});

/**
 * Rejects queries on a replica with ANALYTICS=off, whose figures would be incomplete.
 * Maintenance of its store continues, since it may hold events from before it was turned off.
 */
export function disabledThread(thread: SupervisedThread): SupervisedThread {
  return {
    ...thread,
    dashboard: reject,
    retention: reject,
    goals: reject,
    funnel: reject,
    siteStats: reject,
    tagCounts: reject,
    export: () => {
      throw analyticsDisabled();
    },
  };
}
