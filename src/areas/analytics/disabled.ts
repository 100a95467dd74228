import { requestErrors } from '../../platform/errors/errors.ts';
import type { Ingest } from './ingest/ingest.ts';
import type { SupervisedThread } from './worker/supervised-thread.ts';

/** The error of a replica that another one takes events and figures for. */
export const analyticsDisabled = () =>
  requestErrors.unavailable({
    detail:
      'This replica takes no events and has no figures (ANALYTICS=off). ' +
      'The load balancer should send this to the one that does.',
    headers: { 'retry-after': '5' },
  });

const refuse = (): Promise<never> => Promise.reject(analyticsDisabled());

/** Refuses every event, so that senders try again elsewhere. */
export const disabledIngest = (ingest: Ingest): Ingest => ({
  ...ingest,
  track: refuse,
  trackBatch: refuse,
  trackWithoutWaiting: () => 'unavailable',
});

/**
 * The queries about figures, on a replica that has none: wrong figures would look like right
 * ones. What keeps the store of this replica in order goes on, for it may have events of earlier.
 */
export function disabledThread(thread: SupervisedThread): SupervisedThread {
  return {
    ...thread,
    dashboard: refuse,
    retention: refuse,
    goals: refuse,
    funnel: refuse,
    siteStats: refuse,
    export: () => {
      throw analyticsDisabled();
    },
  };
}
