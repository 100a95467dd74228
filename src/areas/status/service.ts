import { memoizeByObjects } from '../../lib/memoize.ts';
import type { Brand, BrandReader } from '../../platform/brand/brand.ts';
import { createComponents } from './components/service.ts';
import type { StatusParts } from './context.ts';
import { toSummary } from './feeds/statuspage.ts';
import { createIncidents } from './incidents/service.ts';
import { createMaintenances } from './incidents/maintenances.ts';
import type { StatusState } from './model.ts';
import { createPublisher, type PublishingParts } from './publisher.ts';
import type { StatusOverrides } from './components/builtin.ts';
import { createChecksLog } from './recording/checks-log.ts';
import { createProber } from './recording/prober.ts';
import { createRecorder } from './recording/recorder.ts';
import { createStateCache } from './recording/state-cache.ts';
import { tryCheck } from './recording/try-check.ts';
import type { StatusSummary } from './schemas.ts';

interface StatusOptions
  extends StatusParts, Pick<PublishingParts, 'publisher' | 'subscriptions' | 'signalReplicas'> {
  /** Components whose status does not come from their health check alone. */
  statusOverrides?: StatusOverrides;
  /** Public URL of the service. */
  baseUrl: string;
  brand: BrandReader;
}

/** Memoizes the summary for each state and brand. */
function createSummary(
  state: () => StatusState,
  { brand, baseUrl }: { brand: BrandReader; baseUrl: string },
): () => StatusSummary {
  const summaryOf = memoizeByObjects((of: StatusState, { name }: Brand) =>
    toSummary(of, { name, baseUrl }),
  );
  return () => summaryOf(state(), brand());
}

/** The status service: components with 90 days of history, incidents, planned maintenance. */
export function createStatus({ brand, baseUrl, ...parts }: StatusOptions) {
  const { db, clock } = parts;
  const cache = createStateCache(parts);
  const publishing = createPublisher({ ...parts, cache, isRecording: () => recorder.isHolder() });
  const incidents = createIncidents({ ...parts, ...publishing });
  const maintenances = createMaintenances({ ...parts, ...publishing });
  const recorder = createRecorder({
    ...parts,
    ...publishing,
    cache,
    log: createChecksLog({ db, cache, clock }),
    prober: createProber({ cache, clock }),
    incidents,
    maintenances,
  });

  return {
    /** The public state: the same object until something changes, for at most ten seconds. */
    state: cache.state,

    /** The state in the format of Atlassian Statuspage. */
    summary: createSummary(cache.state, { brand, baseUrl }),

    /** Reads the changes of other replicas. Never rejects. */
    async refresh(): Promise<void> {
      await cache.refresh();
      publishing.publishComponents();
    },

    components: createComponents({ ...parts, ...publishing }),
    tryCheck,
    /** The stored components. */
    records: cache.components,
    incidents,
    maintenances,
    /** Exposed for tests. */
    recorder,
    start: recorder.start,
    stop: recorder.stop,
  };
}

export type Status = ReturnType<typeof createStatus>;
