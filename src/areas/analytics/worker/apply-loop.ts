import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import type { Applier, IdLog } from './applier.ts';
import type { FromWorker } from './protocol.ts';

const idleCheckpointMs = 5000;
const checkpointEvents = 250_000;
const closeVisitsMs = 30_000;
const retryMs = 500;
const gatherMs = 250;

export interface LoopDeps {
  applier: Applier;
  writer: EventWriter;
  idLog: IdLog;
  start: Position;
  end: Position;
  tell: (message: FromWorker) => void;
  /** Aborted when there is no time for a last checkpoint. */
  halting: AbortSignal;
  /** The store has to be opened anew: called once, nothing is done any more. */
  giveUp: (error: unknown) => void;
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

// DuckDB refuses everything after such an error, until its file is opened anew.
const isFatal = (error: unknown): boolean => /\bFATAL\b|has been invalidated/.test(String(error));

/**
 * Drives the applier: up to a batch or 250 ms at a time, checkpoints when much was written or
 * nothing is to do.
 */
export function createApplyLoop({
  applier,
  writer,
  idLog,
  start,
  end,
  tell,
  halting,
  giveUp,
}: LoopDeps) {
  let position = start;
  let target = end;
  let running: Promise<void> | undefined;
  let sinceCheckpoint = 0;
  let dirty = true;
  let drains: { upTo: Position; done: () => void }[] = [];
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;
  let isBroken = false;
  let closeDue = false;

  const behind = () => comparePositions(position, target) < 0;

  function stopTimers(): void {
    clearInterval(closing);
    clearTimeout(idle);
  }

  function failed(level: 'warn' | 'error', what: string, error: unknown): void {
    if (halting.aborted) return;
    tell({ kind: 'log', level, message: `${what}: ${String(error)}` });
    if (!isFatal(error) || stopped) return;
    stopped = true;
    isBroken = true;
    stopTimers();
    giveUp(error);
  }

  function finishDrains(): void {
    const done = drains.filter(({ upTo }) => comparePositions(position, upTo) >= 0);
    drains = drains.filter((drain) => !done.includes(drain));
    for (const drain of done) drain.done();
  }

  async function checkpoint(): Promise<void> {
    const reached = position;
    sinceCheckpoint = 0;
    try {
      idLog.sync();
      await writer.checkpoint();
      dirty = false;
      tell({ kind: 'checkpointed', position: reached });
    } catch (error) {
      failed('warn', 'checkpoint of the event store failed, to be tried again', error);
    }
  }

  async function closeVisits(): Promise<void> {
    closeDue = false;
    if ((await applier.closeVisits(!behind())) === 0) return;
    dirty = true;
    while (!behind() && !stopped && (await writer.summarise()) > 0);
  }

  async function applyOne(): Promise<void> {
    const { position: next, events } = await applier.step(position, target);
    position = next;
    sinceCheckpoint += events;
    dirty = true;
    tell({ kind: 'applied', position, events });
    finishDrains();
    if (sinceCheckpoint >= checkpointEvents) await checkpoint();
    if (closeDue) await closeVisits();
  }

  async function catchUp(): Promise<void> {
    if (drains.length === 0) await delay(gatherMs);
    while (behind() && !stopped) {
      try {
        await applyOne();
      } catch (error) {
        failed('error', 'events could not be stored, trying again', error);
        await delay(retryMs);
      }
    }
    scheduleIdle();
  }

  function scheduleIdle(): void {
    clearTimeout(idle);
    if (stopped) return;
    idle = setTimeout(
      () =>
        void exclusively(async () => {
          if (dirty) await checkpoint();
        }),
      idleCheckpointMs,
    );
  }

  /** One thing at a time on the writing connection. */
  async function exclusively(work: () => Promise<void>): Promise<void> {
    while (running !== undefined) await running;
    running = work()
      .catch((error: unknown) => failed('error', 'event store', error))
      .finally(() => (running = undefined));
    await running;
    goOn();
  }

  function goOn(): void {
    if (running === undefined && behind() && !stopped) void exclusively(catchUp);
  }

  const closing = setInterval(() => {
    closeDue = true;
    if (running === undefined) void exclusively(closeVisits).then(scheduleIdle);
  }, closeVisitsMs);

  return {
    /** The journal is durable up to here. */
    synced(upTo: Position): void {
      target = upTo;
      goOn();
    },

    async drain(upTo: Position): Promise<void> {
      if (comparePositions(target, upTo) < 0) target = upTo;
      if (comparePositions(position, upTo) >= 0) return;
      await new Promise<void>((resolve) => {
        drains.push({ upTo, done: resolve });
        void exclusively(catchUp);
      });
    },

    /**
     * Does `work` alone, between transactions, and makes it part of the main file. What it fails
     * with is logged.
     */
    async between(work: () => Promise<void>): Promise<void> {
      if (stopped) return;
      await exclusively(() => work().then(checkpoint));
      scheduleIdle();
    },

    /**
     * Ends after the transaction in hand and, where there is time for it and the store can, a last
     * checkpoint.
     */
    async stop(): Promise<void> {
      stopped = true;
      stopTimers();
      while (running !== undefined) await running;
      if (dirty && !isBroken && !halting.aborted) await checkpoint();
    },
  };
}

export type ApplyLoop = ReturnType<typeof createApplyLoop>;
