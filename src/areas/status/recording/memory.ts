import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Health } from '../../health/service.ts';
import {
  type Builtin,
  builtinsOf,
  type Judges,
  newBuiltin,
  type Observation,
  type Settle,
} from './builtin.ts';
import { type ComponentRecord, componentStore } from '../components/component-store.ts';
import { createDamping } from './damping.ts';
import { heartbeatStore } from './heartbeat-store.ts';
import { type Incident, incidentStore } from '../incidents/incident-store.ts';
import type { StatusState } from '../model.ts';
import { type ResponseTime, type Span, spanStore } from './span-store.ts';
import { buildState } from '../state.ts';
import { firstOf } from './uptime.ts';

/** What was last read from the database. */
export interface Loaded {
  /** -1: nothing was read yet. */
  version: number;
  components: readonly ComponentRecord[];
  spans: readonly Span[];
  incidents: readonly Incident[];
  responseTimes: readonly ResponseTime[];
}

/** An answer that took `ms`, Unix ms. */
export interface Measured {
  id: string;
  at: number;
  ms: number;
}

export interface MemoryDeps {
  db: Database;
  health: Pick<Health, 'checks' | 'startedAt'>;
  judges?: Judges;
  clock: Clock;
  logger: Logger;
}

export const shownDays = 90;
const responseTimesMs = 48 * hourMs;
/** Days and uptime go on with the time: what was made is made anew after this. */
const freshMs = 10_000;

/** What everybody may know, as it was read last, with what the health checks of this process say now. */
export function createMemory({ db, health, judges = {}, clock, logger }: MemoryDeps) {
  let loaded: Loaded = { version: -1, components: [], spans: [], incidents: [], responseTimes: [] };
  let built: { state: StatusState; at: number; signature: string } | undefined;
  let reading: Promise<void> | undefined;
  const probed = new Map<string, Observation>();

  const damp = createDamping();

  const settle: Settle = (check, id, status) => {
    // Before anything was read nobody knows what it was.
    if (loaded.version < 0) return { status, since: check.changedAt };
    const record = loaded.components.find((each) => each.id === id);
    return damp(
      check,
      status,
      record === undefined
        ? { status: 'operational', since: health.startedAt }
        : { status: record.checkStatus, since: record.checkSince },
    );
  };

  const builtins = (): Builtin[] => builtinsOf(health.checks(), judges, settle);

  /** Enters built-in components that are seen for the first time. */
  async function enter(known: readonly ComponentRecord[]): Promise<boolean> {
    const missing = builtins()
      .map((each, index) => newBuiltin(each, index + 1, health.startedAt))
      .filter(({ id }) => !known.some((each) => each.id === id));
    return missing.length > 0 && (await componentStore.insert(db, missing)) > 0;
  }

  async function read(version: number): Promise<void> {
    const now = clock.now();
    let components = await componentStore.list(db);
    if (await enter(components)) components = await componentStore.list(db);
    const since = firstOf(now, shownDays);
    // One after the other: more at once would open more connections.
    const spans = await spanStore.since(db, since);
    const incidents = await incidentStore.since(db, since);
    const responseTimes = await spanStore.responseTimes(db, now - responseTimesMs);
    loaded = { version, components, spans, incidents, responseTimes };
    built = undefined;
  }

  async function readNew(version?: number): Promise<void> {
    const newest = version ?? (await heartbeatStore.read(db)).version;
    if (newest !== loaded.version) await read(newest);
  }

  /** What the checks of this process, and the requests it has made, say of each component. */
  function observations(): Map<string, Observation & { isKnown: boolean }> {
    const found = new Map(
      builtins().map((each) => [each.id, each as Observation & { isKnown: boolean }]),
    );
    for (const [id, observation] of probed) found.set(id, { ...observation, isKnown: true });
    return found;
  }

  const signatureOf = (): string =>
    [...observations()].map(([id, { status }]) => `${id}=${status}`).join();

  /** Of built-in components only those that this process checks. */
  function present(): ComponentRecord[] {
    const here = builtins();
    const known = loaded.components.filter(
      ({ id, source }) => source !== 'builtin' || here.some((each) => each.id === id),
    );
    const unknown = here.filter(({ id }) => !known.some((each) => each.id === id));
    return [
      ...known,
      ...unknown.map((each, index) => newBuiltin(each, known.length + index + 1, health.startedAt)),
    ];
  }

  return {
    loaded: (): Loaded => loaded,

    observations,
    present,

    /** Notes what a request to a component's target has found. Null: nothing is known any more. */
    probe(id: string, observation: Observation | null): void {
      if (observation === null) probed.delete(id);
      else probed.set(id, observation);
    },

    probed: (): readonly string[] => [...probed.keys()],

    /** How long the stores took to answer their last checks. */
    measured: (): Measured[] =>
      health
        .checks()
        .flatMap(
          ({
            name,
            componentType,
            isKnown,
            status,
            checkedAt,
            result: { observedValue: ms, observedUnit },
          }) =>
            componentType === 'datastore' &&
            isKnown &&
            status !== 'fail' &&
            observedUnit === 'ms' &&
            typeof ms === 'number'
              ? [{ id: name.split(':', 1)[0] ?? name, at: checkedAt, ms }]
              : [],
        ),

    state: (): StatusState => {
      const now = clock.now();
      const signature = signatureOf();
      if (built?.signature !== signature || Math.abs(now - built.at) > freshMs) {
        built = {
          state: buildState({ ...loaded, components: present() }, observations(), now),
          at: now,
          signature,
        };
      }
      return built.state;
    },

    /**
     * Reads what has changed since, if anything has. `version`: what is newest, where it is known. Never rejects: while
     * the database is away the last known state stays.
     */
    async refresh(version?: number): Promise<void> {
      const before = reading;
      const mine = (async () => {
        await before;
        await readNew(version).catch((error: unknown) =>
          logger.debug({ err: error }, 'the status could not be read anew'),
        );
      })();
      reading = mine;
      await mine;
      if (reading === mine) reading = undefined;
    },
  };
}

export type Memory = ReturnType<typeof createMemory>;
