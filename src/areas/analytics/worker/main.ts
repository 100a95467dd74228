import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import { readlinkSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../../lib/clock.ts';
import { openEventStore } from '../store/duckdb/store.ts';
import { createEventReader } from '../store/duckdb/questions/reader.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import { createJournalReader } from '../../../platform/journal/reader.ts';
import { createQuestionHandler } from './question-handler.ts';
import { createApplier } from './applier.ts';
import { createShutdown } from './shutdown.ts';
import { createEnricher } from '../enrichment/enricher.ts';
import { createIdLog } from '../ingest/duplicates/id-log.ts';
import { createApplyLoop } from './apply-loop.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { createSessionizer, visitGapMs } from './sessionizer.ts';

/** Where to go on in the journal: after the last committed batch, or at its beginning. */
async function startPosition(
  { journalStart, journalEnd }: WorkerSettings,
  writer: EventWriter,
  tell: (message: FromWorker) => void,
): Promise<Position> {
  const stored = await writer.position();
  if (stored === undefined) return journalStart;
  if (comparePositions(stored, journalEnd) <= 0)
    return comparePositions(stored, journalStart) < 0 ? journalStart : stored;
  await writer.forgetPosition();
  tell({
    kind: 'log',
    level: 'warn',
    message:
      'the journal is younger than the event store (was its folder removed?); going on with the journal from its beginning',
  });
  return journalStart;
}

async function run(
  port: NonNullable<typeof parentPort>,
  settings: WorkerSettings,
  halting: AbortSignal,
): Promise<void> {
  const tell = (message: FromWorker): void => port.postMessage(message);
  const temporaryDir = `${settings.eventsPath}.tmp`;
  await rm(temporaryDir, { recursive: true, force: true });
  await mkdir(temporaryDir, { recursive: true, mode: 0o700 });
  await mkdir(dirname(settings.eventsPath), { recursive: true, mode: 0o700 });
  const store = await openEventStore({
    path: settings.eventsPath,
    gapMs: visitGapMs,
    onLogSetAside: (path, cause) =>
      tell({
        kind: 'log',
        level: 'warn',
        message: `the event store's log could not be read (${String(cause)}); it is now ${path}, and its events come again from the journal`,
      }),
  });
  const { writer } = store;
  const sessionizer = createSessionizer();
  const idLog = createIdLog({
    dir: settings.idsDir,
    windowMs: settings.dedupeWindowMs,
    clock: systemClock,
  });
  const source = createJournalReader({ dir: settings.journalDir });
  const applier = createApplier({
    source,
    writer,
    enricher: createEnricher(),
    sessionizer,
    idLog,
    clock: systemClock,
  });
  await applier.restoreVisits();
  const start = await startPosition(settings, writer, tell);
  const loop = createApplyLoop({
    applier,
    writer,
    idLog,
    start,
    end: settings.journalEnd,
    tell,
    halting,
    giveUp: (error) => endings.giveUp(error),
  });
  const reader = createEventReader({ connect: store.connect, temporaryDir });
  const answers = createQuestionHandler({ reader, writer, loop, tell });
  const endings = createShutdown({ port, store, files: [source, idLog], reader, loop, answers });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'synced') loop.synced(message.position);
    else if (message.kind === 'ask') void answers.handle(message);
    else if (message.kind === 'cancel') answers.cancel(message.id);
    else if (message.kind === 'stop') endings.stop();
  });
  halting.addEventListener('abort', endings.halt);
  if (halting.aborted) endings.halt();
  else tell({ kind: 'ready', position: start });
  stepBack();
  loop.synced(settings.journalEnd);
}

/**
 * Requests come first: where a thread can have a priority of its own (Linux), this one steps back.
 */
function stepBack(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + 5),
    );
  } catch {
    // It then shares the processor as an equal.
  }
}

/**
 * Read ahead of need, the thread waits here. What the opening fails with ends it, and the other
 * side sees that.
 */
function waitForSettings(port: NonNullable<typeof parentPort>): void {
  const halting = new AbortController();
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'open') void run(port, message.settings, halting.signal);
    else if (message.kind === 'halt') halting.abort();
  });
}

if (parentPort !== null) waitForSettings(parentPort);
