import { hourMs } from '../../../lib/durations.ts';
import { type ComponentRecord, componentStore } from '../components/store.ts';
import { type Incident, incidentStore } from '../incidents/store.ts';
import type { StatusParts } from '../context.ts';
import type { StatusState } from '../model.ts';
import { buildState } from './state.ts';
import { type Builtin, type StatusOverrides, newBuiltin } from '../components/builtin.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import { createObservations } from './observations.ts';
import { type ResponseTime, type Span, spanStore } from '../history/span-store.ts';
import { startOfDays } from '../history/uptime.ts';

/** The state that was last read from the database. */
export interface StoredState {
  /** -1 before the first read. */
  version: number;
  components: readonly ComponentRecord[];
  spans: readonly Span[];
  incidents: readonly Incident[];
  responseTimes: readonly ResponseTime[];
}

export const shownDays = 90;
const responseTimesMs = 48 * hourMs;
/** Maximum age of the built state: days and uptime depend on the current time. */
const maxAgeMs = 10_000;

const newBuiltins = (builtins: readonly Builtin[], firstPosition: number, at: number) =>
  builtins.map((each, index) => newBuiltin(each, firstPosition + index, at));

/** Adds missing built-in components, and drops those that this process does not check. */
function shownComponents(
  stored: readonly ComponentRecord[],
  builtins: readonly Builtin[],
  at: number,
): ComponentRecord[] {
  const known = stored.filter(
    ({ id, source }) => source !== 'builtin' || builtins.some((each) => each.id === id),
  );
  const unknown = builtins.filter(({ id }) => !known.some((each) => each.id === id));
  return [...known, ...newBuiltins(unknown, known.length + 1, at)];
}

/** Keeps the public state in memory: the last read, combined with the checks of this process. */
export function createStateCache({
  db,
  health,
  clock,
  logger,
  statusOverrides = {},
}: Pick<StatusParts, 'db' | 'health' | 'clock' | 'logger'> & {
  statusOverrides?: StatusOverrides;
}) {
  let stored: StoredState = {
    version: -1,
    components: [],
    spans: [],
    incidents: [],
    responseTimes: [],
  };
  let built: { state: StatusState; at: number; signature: string } | undefined;
  let reading: Promise<void> | undefined;
  const { builtins, ...observations } = createObservations(health, statusOverrides, () => stored);
  return { ...observations, stored: () => stored, components, state, refresh };

  function components(): ComponentRecord[] {
    return shownComponents(stored.components, builtins(), health.startedAt);
  }

  function state(): StatusState {
    const now = clock.now();
    const observed = observations.observations();
    const signature = [...observed].map(([id, { status }]) => `${id}=${status}`).join();
    if (built?.signature !== signature || Math.abs(now - built.at) > maxAgeMs) {
      const checked = { observed, checkedAt: observations.checkedAt() };
      const newest = buildState({ ...stored, components: components() }, checked, now);
      built = { state: newest, at: now, signature };
    }
    return built.state;
  }

  /**
   * Reads the database if its version has changed; `version` saves the query for it. Never
   * rejects: while the database is unavailable, the last known state stays.
   */
  async function refresh(version?: number): Promise<void> {
    const before = reading;
    const current = (async () => {
      await before;
      await readIfChanged(version).catch((error: unknown) =>
        logger.debug({ err: error }, 'the status could not be read anew'),
      );
    })();
    reading = current;
    await current;
    if (reading === current) reading = undefined;
  }

  async function readIfChanged(version?: number): Promise<void> {
    const newest = version ?? (await heartbeatStore.read(db)).version;
    if (newest === stored.version) return;
    stored = await readStored(newest);
    built = undefined;
  }

  /** Reads the stored state, after inserting new built-in components. */
  async function readStored(version: number): Promise<StoredState> {
    const now = clock.now();
    const known = await componentStore.list(db);
    const missing = newBuiltins(builtins(), 1, health.startedAt).filter(
      ({ id }) => !known.some((each) => each.id === id),
    );
    const isChanged = missing.length > 0 && (await componentStore.insert(db, missing)) > 0;
    const current = isChanged ? await componentStore.list(db) : known;
    const since = startOfDays(now, shownDays);
    // Sequential, because concurrent queries would occupy more connections of the pool.
    const spans = await spanStore.since(db, since);
    const incidents = await incidentStore.since(db, since);
    const responseTimes = await spanStore.responseTimes(db, now - responseTimesMs);
    return { version, components: current, spans, incidents, responseTimes };
  }
}

export type StateCache = ReturnType<typeof createStateCache>;
