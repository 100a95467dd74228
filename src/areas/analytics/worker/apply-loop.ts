import { setTimeout as delay } from 'node:timers/promises';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import type { IdLog } from '../ingest/duplicates/id-log.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { Applier } from './applier.ts';
import type { FromWorker } from './protocol.ts';

const idleCheckpointMs = 5000;
const checkpointEvents = 250_000;
const closeVisitsMs = 30_000;
const retryMs = 500;
const batchDelayMs = 250;

export interface ApplyLoopDeps {
  applier: Applier;
  writer: Pick<EventWriter, 'checkpoint' | 'summarise'>;
  idLog: Pick<IdLog, 'sync'>;
  start: Position;
  end: Position;
  send: (message: FromWorker) => void;
  /** Aborted to stop without a last checkpoint. */
  halting: AbortSignal;
  /** Called once when the store must be reopened; the loop has then stopped. */
  onFatal: (error: unknown) => void;
}

interface State extends ApplyLoopDeps {
  position: Position;
  target: Position;
  running: Promise<void> | undefined;
  eventsSinceCheckpoint: number;
  isDirty: boolean;
  drains: { upTo: Position; resolve: () => void }[];
  idle: NodeJS.Timeout | undefined;
  closing: NodeJS.Timeout | undefined;
  isStopped: boolean;
  isBroken: boolean;
  isCloseDue: boolean;
}

// After such an error, DuckDB rejects all statements until its file is reopened.
const isFatal = (error: unknown): boolean => /\bFATAL\b|has been invalidated/.test(String(error));

const isBehind = ({ position, target }: State) => comparePositions(position, target) < 0;

function stopTimers({ closing, idle }: State): void {
  clearInterval(closing);
  clearTimeout(idle);
}

function fail(state: State, level: 'warn' | 'error', what: string, error: unknown): void {
  if (state.halting.aborted) return;
  state.send({ kind: 'log', level, message: `${what}: ${String(error)}` });
  if (!isFatal(error) || state.isStopped) return;
  state.isStopped = true;
  state.isBroken = true;
  stopTimers(state);
  state.onFatal(error);
}

function finishDrains(state: State): void {
  const done = state.drains.filter(({ upTo }) => comparePositions(state.position, upTo) >= 0);
  state.drains = state.drains.filter((drain) => !done.includes(drain));
  for (const { resolve } of done) resolve();
}

async function checkpoint(state: State): Promise<void> {
  const { position } = state;
  state.eventsSinceCheckpoint = 0;
  try {
    state.idLog.sync();
    await state.writer.checkpoint();
    state.isDirty = false;
    state.send({ kind: 'checkpointed', position });
  } catch (error) {
    fail(state, 'warn', 'checkpoint of the event store failed, to be tried again', error);
  }
}

async function closeVisits(state: State): Promise<void> {
  state.isCloseDue = false;
  if ((await state.applier.closeVisits(!isBehind(state))) === 0) return;
  state.isDirty = true;
  while (!isBehind(state) && !state.isStopped && (await state.writer.summarise()) > 0);
}

async function applyBatch(state: State): Promise<void> {
  const { position, events } = await state.applier.step(state.position, state.target);
  state.position = position;
  state.eventsSinceCheckpoint += events;
  state.isDirty = true;
  state.send({ kind: 'applied', position, events });
  finishDrains(state);
  if (state.eventsSinceCheckpoint >= checkpointEvents) await checkpoint(state);
  if (state.isCloseDue) await closeVisits(state);
}

async function catchUp(state: State): Promise<void> {
  if (state.drains.length === 0) await delay(batchDelayMs);
  while (isBehind(state) && !state.isStopped) {
    try {
      await applyBatch(state);
    } catch (error) {
      fail(state, 'error', 'events could not be stored, trying again', error);
      await delay(retryMs);
    }
  }
  scheduleCheckpoint(state);
}

/** Schedules a checkpoint for when the store has been idle for a while. */
function scheduleCheckpoint(state: State): void {
  clearTimeout(state.idle);
  if (state.isStopped) return;
  const run = () =>
    runAlone(state, async () => {
      if (state.isDirty) await checkpoint(state);
    });
  state.idle = setTimeout(() => void run(), idleCheckpointMs);
}

/** Runs one job at a time on the write connection. Logs what `work` throws. */
async function runAlone(state: State, work: () => Promise<void>): Promise<void> {
  while (state.running !== undefined) await state.running;
  state.running = work()
    .catch((error: unknown) => fail(state, 'error', 'event store', error))
    .finally(() => (state.running = undefined));
  await state.running;
  resume(state);
}

function resume(state: State): void {
  if (state.running === undefined && isBehind(state) && !state.isStopped)
    void runAlone(state, () => catchUp(state));
}

function requestVisitClosing(state: State): void {
  state.isCloseDue = true;
  if (state.running !== undefined) return;
  void runAlone(state, () => closeVisits(state)).then(() => scheduleCheckpoint(state));
}

const createState = (deps: ApplyLoopDeps): State => ({
  ...deps,
  position: deps.start,
  target: deps.end,
  running: undefined,
  eventsSinceCheckpoint: 0,
  isDirty: true,
  drains: [],
  idle: undefined,
  closing: undefined,
  isStopped: false,
  isBroken: false,
  isCloseDue: false,
});

/**
 * Drives the applier, batch by batch, 250 ms after the journal grows. Runs checkpoints after many
 * events and when idle.
 */
export function createApplyLoop(deps: ApplyLoopDeps) {
  const state = createState(deps);
  state.closing = setInterval(() => requestVisitClosing(state), closeVisitsMs);
  return {
    /** Takes the position up to which the journal is durable. */
    synced(upTo: Position): void {
      state.target = upTo;
      resume(state);
    },

    /** Resolves when the store has everything before the position. */
    async drain(upTo: Position): Promise<void> {
      if (comparePositions(state.target, upTo) < 0) state.target = upTo;
      if (comparePositions(state.position, upTo) >= 0) return;
      await new Promise<void>((resolve) => {
        state.drains.push({ upTo, resolve });
        void runAlone(state, () => catchUp(state));
      });
    },

    /** Runs `work` between transactions, then a checkpoint. Logs what `work` throws. */
    async runExclusively(work: () => Promise<void>): Promise<void> {
      if (state.isStopped) return;
      await runAlone(state, () => work().then(() => checkpoint(state)));
      scheduleCheckpoint(state);
    },

    /** Stops after the current transaction and, unless halting or broken, a last checkpoint. */
    async stop(): Promise<void> {
      state.isStopped = true;
      stopTimers(state);
      while (state.running !== undefined) await state.running;
      if (state.isDirty && !state.isBroken && !state.halting.aborted) await checkpoint(state);
    },
  };
}

export type ApplyLoop = ReturnType<typeof createApplyLoop>;
