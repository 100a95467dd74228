import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Publisher } from '../../platform/bus/types.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Audit } from '../audit/service.ts';
import type { Health } from '../health/service.ts';
import { createAnnouncing } from './components/component-events.ts';
import type { Judges } from './recording/builtin.ts';
import { createChecksLog } from './recording/checks-log.ts';
import { createComponents } from './components/components.ts';
import type { StatusChange } from './incidents/incident-changes.ts';
import { createIncidents } from './incidents/incidents.ts';
import { createMaintenances } from './incidents/maintenances.ts';
import { createMemory } from './recording/memory.ts';
import type { IncidentState, StatusState, UpdateState } from './model.ts';
import { createProbing } from './recording/probing.ts';
import { createRecorder } from './recording/recorder.ts';
import type { StatusSummary } from './schemas.ts';
import { toStatuspageIncident, toSummary } from './feeds/statuspage.ts';

export interface StatusDeps {
  db: Database;
  health: Pick<Health, 'checks' | 'startedAt'>;
  /** Components that are judged by more than their health check. */
  judges?: Judges;
  publisher: Pick<Publisher, 'tell'>;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  logger: Logger;
  /** Public URL of the service. */
  baseUrl: string;
  /** What pages call the product. */
  name?: string;
  /** Called when something was said about an incident or maintenance: for mail to those who want it. */
  onUpdate?: (notice: { incident: IncidentState; update: UpdateState }) => void | Promise<void>;
  /** Tells the other replicas that they should `refresh`. They look every five seconds anyway. */
  spread?: () => void;
}

/** The public state of the service: components, incidents, planned maintenance, and 90 days of each component. */
export function createStatus({
  db,
  health,
  judges = {},
  publisher,
  audit,
  clock,
  logger,
  baseUrl,
  name = 'Platform Service',
  onUpdate,
  spread = () => undefined,
}: StatusDeps) {
  const memory = createMemory({ db, health, judges, clock, logger });
  const announceState = createAnnouncing(publisher);
  let summed: { of: StatusState; summary: StatusSummary } | undefined;

  /** Only who records tells of components, so that each change is told once. */
  function announce(): void {
    if (recorder.isHolder()) announceState(memory.state());
  }

  async function publishComponents(): Promise<void> {
    await memory.refresh();
    spread();
    announce();
  }

  async function publishChange({ event, incident, update }: StatusChange): Promise<void> {
    await memory.refresh();
    publisher.tell('status', {
      type: event,
      data: toStatuspageIncident(incident, memory.state().components),
    });
    spread();
    announce();
    if (update === undefined) return;
    // What is on the page is on the page: mail that fails changes nothing about it.
    try {
      await onUpdate?.({ incident, update });
    } catch (error) {
      logger.warn(
        { err: error, incident: incident.id },
        'nobody could be told of an update by mail',
      );
    }
  }

  const probing = createProbing({ memory, clock });
  const incidents = createIncidents({ db, audit, clock, publishChange });
  const maintenances = createMaintenances({ db, audit, clock, publishChange });
  const recorder = createRecorder({
    db,
    memory,
    log: createChecksLog({ db, memory, clock }),
    probing,
    incidents,
    maintenances,
    clock,
    logger,
    publishComponents,
    publishChange,
    announce,
  });

  return {
    /** Everything that the public may know, from memory; the same object while nothing has changed, for ten seconds at most. */
    state: memory.state,

    /** The same as Atlassian's Statuspage gives it. */
    summary: (): StatusSummary => {
      const of = memory.state();
      if (summed?.of !== of) summed = { of, summary: toSummary(of, { name, baseUrl }) };
      return summed.summary;
    },

    /** Reads what other replicas have written. Never rejects. */
    async refresh(): Promise<void> {
      await memory.refresh();
      announce();
    },

    /** What admins do with components. */
    components: createComponents({ db, audit, clock, publishComponents }),
    /** The components as they are kept. */
    records: memory.present,
    /** What admins do with incidents and maintenance. */
    incidents,
    maintenances,
    /** Turns of the recorder, for tests. */
    recorder,
    start: recorder.start,
    stop: recorder.stop,
  };
}

export type Status = ReturnType<typeof createStatus>;
