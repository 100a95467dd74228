import { requestErrors } from '../../platform/errors/errors.ts';
import type { Ingest } from './ingest/ingest.ts';
import { queryFunctions } from './store/queries.ts';
import type { MisroutedCounter, MisroutedKind } from './misrouted-counter.ts';
import type { SupervisedThread } from './worker/supervised-thread.ts';

/** The error of a replica with ANALYTICS=off: another replica handles events and figures. */
export const analyticsDisabled = () =>
  requestErrors.unavailable({
    detail:
      'Analytics is off on this replica (ANALYTICS=off). Route this request to the ' +
      'replica that runs it.',
    headers: { 'retry-after': '5' },
  });

/** Notes the request, and rejects it. */
function rejection({ note }: Pick<MisroutedCounter, 'note'>, kind: MisroutedKind) {
  return (): Promise<never> => {
    note(kind);
    return Promise.reject(analyticsDisabled());
  };
}

/** Rejects every event, so that senders retry on another replica. */
export function disabledIngest(
  ingest: Ingest,
  misrouted: Pick<MisroutedCounter, 'note'>,
  kind: MisroutedKind = 'event',
): Ingest {
  const reject = rejection(misrouted, kind);
  return {
    ...ingest,
    track: reject,
    trackBatch: reject,
    trackWithoutWaiting() {
      misrouted.note(kind);
      return 'unavailable';
    },
  };
}

/**
 * Rejects queries on a replica with ANALYTICS=off, whose figures would be incomplete.
 * Maintenance of its store continues, since it may hold events from before it was turned off.
 */
export function disabledThread(
  thread: SupervisedThread,
  misrouted: Pick<MisroutedCounter, 'note'>,
): SupervisedThread {
  const reject = rejection(misrouted, 'query');
  return {
    ...thread,
    ...queryFunctions(reject),
    export: () => {
      misrouted.note('query');
      throw analyticsDisabled();
    },
  };
}
