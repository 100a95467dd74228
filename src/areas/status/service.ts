import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Audit } from '../audit/service.ts';
import type { Health } from '../health/service.ts';
import { createComponents } from './components/service.ts';
import { toSummary } from './feeds/statuspage.ts';
import { createIncidents } from './incidents/service.ts';
import { createMaintenances } from './incidents/maintenances.ts';
import type { StatusState } from './model.ts';
import { createPublishing, type PublishingDeps } from './publishing.ts';
import type { StatusOverrides } from './components/builtin.ts';
import { createChecksLog } from './recording/checks-log.ts';
import { createProbing } from './recording/probing.ts';
import { createRecorder } from './recording/recorder.ts';
import { createStateCache } from './recording/state-cache.ts';
import type { StatusSummary } from './schemas.ts';

export interface StatusDeps extends Pick<
  PublishingDeps,
  'publisher' | 'onUpdate' | 'signalReplicas'
> {
  db: Database;
  health: Pick<Health, 'checks' | 'startedAt'>;
  /** Components whose status does not come from their health check alone. */
  statusOverrides?: StatusOverrides;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  logger: Logger;
  /** Public URL of the service. */
  baseUrl: string;
  /** Name of the product on pages. */
  name?: string;
}

/** Memoizes the summary for each state. */
function createSummary(
  state: () => StatusState,
  page: { name: string; baseUrl: string },
): () => StatusSummary {
  let cached: { of: StatusState; summary: StatusSummary } | undefined;
  return () => {
    const of = state();
    if (cached?.of !== of) cached = { of, summary: toSummary(of, page) };
    return cached.summary;
  };
}

/** The status service: components with 90 days of history, incidents, planned maintenance. */
export function createStatus({ name = 'Platform Service', baseUrl, ...deps }: StatusDeps) {
  const { db, audit, clock, logger } = deps;
  const cache = createStateCache(deps);
  const { publishComponents, propagate, publishChange } = createPublishing({
    ...deps,
    cache,
    isRecording: () => recorder.isHolder(),
  });
  const changes = { db, audit, clock, publishChange };
  const incidents = createIncidents(changes);
  const maintenances = createMaintenances(changes);
  const recorder = createRecorder({
    db,
    cache,
    log: createChecksLog({ db, cache, clock }),
    probing: createProbing({ cache, clock }),
    incidents,
    maintenances,
    clock,
    logger,
    propagate,
    publishChange,
    publishComponents,
  });

  return {
    /** The public state: the same object until something changes, for at most ten seconds. */
    state: cache.state,

    /** The state in the format of Atlassian Statuspage. */
    summary: createSummary(cache.state, { name, baseUrl }),

    /** Reads the changes of other replicas. Never rejects. */
    async refresh(): Promise<void> {
      await cache.refresh();
      publishComponents();
    },

    components: createComponents({ db, audit, clock, propagate }),
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
