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

// After such an error, DuckDB rejects all statements until its file is reopened.
const isFatal = (error: unknown): boolean => /\bFATAL\b|has been invalidated/.test(String(error));

/**
 * Drives the applier, batch by batch, 250 ms after the journal grows. Runs checkpoints after many
 * events and when idle. Abort `halting` to stop without a last checkpoint. `onFatal` is called once
 * when the store must be reopened; the loop has then stopped.
 */
export function createApplyLoop({
  applier,
  writer,
  idLog,
  start,
  end,
  send,
  halting,
  onFatal,
}: {
  applier: Applier;
  writer: Pick<EventWriter, 'checkpoint' | 'summarise'>;
  idLog: Pick<IdLog, 'sync'>;
  start: Position;
  end: Position;
  send: (message: FromWorker) => void;
  halting: AbortSignal;
  onFatal: (error: unknown) => void;
}) {
  let position = start;
  let target = end;
  let running: Promise<void> | undefined;
  let eventsSinceCheckpoint = 0;
  let isDirty = true;
  let drains: { upTo: Position; resolve: () => void }[] = [];
  let idle: NodeJS.Timeout | undefined;
  let [isStopped, isBroken, isCloseDue] = [false, false, false];
  const closing = setInterval(requestVisitClosing, closeVisitsMs);

  return {
    /** Takes the position up to which the journal is durable. */
    synced(upTo: Position): void {
      target = upTo;
      resume();
    },

    /** Resolves when the store has everything before the position. */
    async drain(upTo: Position): Promise<void> {
      if (comparePositions(target, upTo) < 0) target = upTo;
      if (comparePositions(position, upTo) >= 0) return;
      await new Promise<void>((resolve) => {
        drains.push({ upTo, resolve });
        void runAlone(catchUp);
      });
    },

    /** Runs `work` between transactions, then a checkpoint. Logs what `work` throws. */
    async runExclusively(work: () => Promise<void>): Promise<void> {
      if (isStopped) return;
      await runAlone(() => work().then(checkpoint));
      scheduleCheckpoint();
    },

    /** Stops after the current transaction and, unless halting or broken, a last checkpoint. */
    async stop(): Promise<void> {
      isStopped = true;
      stopTimers();
      while (running !== undefined) await running;
      if (isDirty && !isBroken && !halting.aborted) await checkpoint();
    },
  };

  function isBehind(): boolean {
    return comparePositions(position, target) < 0;
  }

  function resume(): void {
    if (running === undefined && isBehind() && !isStopped) void runAlone(catchUp);
  }

  /** Runs one job at a time on the write connection. Logs what `work` throws. */
  async function runAlone(work: () => Promise<void>): Promise<void> {
    while (running !== undefined) await running;
    running = work()
      .catch((error: unknown) => fail('error', 'event store', error))
      .finally(() => (running = undefined));
    await running;
    resume();
  }

  async function catchUp(): Promise<void> {
    if (drains.length === 0) await delay(batchDelayMs);
    while (isBehind() && !isStopped) {
      try {
        await applyBatch();
      } catch (error) {
        fail('error', 'events could not be stored, trying again', error);
        await delay(retryMs);
      }
    }
    scheduleCheckpoint();
  }

  async function applyBatch(): Promise<void> {
    const { position: next, events } = await applier.step(position, target);
    position = next;
    eventsSinceCheckpoint += events;
    isDirty = true;
    send({ kind: 'applied', position, events });
    finishDrains();
    if (eventsSinceCheckpoint >= checkpointEvents) await checkpoint();
    if (isCloseDue) await closeVisits();
  }

  function finishDrains(): void {
    const done = drains.filter(({ upTo }) => comparePositions(position, upTo) >= 0);
    drains = drains.filter((drain) => !done.includes(drain));
    for (const { resolve } of done) resolve();
  }

  function requestVisitClosing(): void {
    isCloseDue = true;
    if (running !== undefined) return;
    void runAlone(closeVisits).then(scheduleCheckpoint);
  }

  async function closeVisits(): Promise<void> {
    isCloseDue = false;
    if ((await applier.closeVisits(!isBehind())) === 0) return;
    isDirty = true;
    while (!isBehind() && !isStopped && (await writer.summarise()) > 0);
  }

  /** Schedules a checkpoint for when the store has been idle for a while. */
  function scheduleCheckpoint(): void {
    clearTimeout(idle);
    if (isStopped) return;
    const checkpointIfDirty = async () => {
      if (isDirty) await checkpoint();
    };
    idle = setTimeout(() => void runAlone(checkpointIfDirty), idleCheckpointMs);
  }

  async function checkpoint(): Promise<void> {
    const upTo = position;
    eventsSinceCheckpoint = 0;
    try {
      idLog.sync();
      await writer.checkpoint();
      isDirty = false;
      send({ kind: 'checkpointed', position: upTo });
    } catch (error) {
      fail('warn', 'checkpoint of the event store failed, to be tried again', error);
    }
  }

  function fail(level: 'warn' | 'error', what: string, error: unknown): void {
    if (halting.aborted) return;
    send({ kind: 'log', level, message: `${what}: ${String(error)}` });
    if (!isFatal(error) || isStopped) return;
    [isStopped, isBroken] = [true, true];
    stopTimers();
    onFatal(error);
  }

  function stopTimers(): void {
    clearInterval(closing);
    clearTimeout(idle);
  }
}

export type ApplyLoop = ReturnType<typeof createApplyLoop>;
