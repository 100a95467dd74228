import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Audit } from '../audit/service.ts';
import type { Health } from '../health/service.ts';
import { createComponents } from './components/components.ts';
import { toSummary } from './feeds/statuspage.ts';
import { createIncidents } from './incidents/incidents.ts';
import { createMaintenances } from './incidents/maintenances.ts';
import type { StatusState } from './model.ts';
import { createPublishing, type PublishingDeps } from './publishing.ts';
import type { Judges } from './recording/builtin.ts';
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
  /** Components that are judged by more than their health check. */
  judges?: Judges;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  logger: Logger;
  /** Public URL of the service. */
  baseUrl: string;
  /** What pages call the product. */
  name?: string;
}

/** The summary of the state, made once for each state. */
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

/** Components, incidents, planned maintenance, and 90 days of each component. */
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
    /** The public state: the same object until something changes, ten seconds at most. */
    state: cache.state,

    /** The state in the shape of Atlassian's Statuspage. */
    summary: createSummary(cache.state, { name, baseUrl }),

    /** Reads what other replicas have written. Never rejects. */
    async refresh(): Promise<void> {
      await cache.refresh();
      publishComponents();
    },

    components: createComponents({ db, audit, clock, propagate }),
    /** The components as they are stored. */
    records: cache.components,
    incidents,
    maintenances,
    /** The recorder's work, for tests. */
    recorder,
    start: recorder.start,
    stop: recorder.stop,
  };
}

export type Status = ReturnType<typeof createStatus>;
