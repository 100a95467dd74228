import { readlinkSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { systemClock } from '../../../lib/clock.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import { createJournalReader } from '../../../platform/journal/reader.ts';
import { createEnricher } from '../enrichment/enricher.ts';
import { createIdLog } from '../ingest/duplicates/id-log.ts';
import { createReader } from '../store/duckdb/queries/reader.ts';
import { type EventStore, openEventStore } from '../store/duckdb/store.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import { createApplier } from './applier.ts';
import { createApplyLoop } from './apply-loop.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { createRequestHandler } from './request-handler.ts';
import { createSessionizer, visitGapMs } from './sessionizer.ts';
import { createShutdown } from './shutdown.ts';

type Send = (message: FromWorker) => void;

const warn = (send: Send, message: string): void => send({ kind: 'log', level: 'warn', message });

/** Returns the journal position to continue at: after the last committed batch, or the start. */
async function startPosition(
  { journalStart, journalEnd }: WorkerSettings,
  writer: EventWriter,
  send: Send,
): Promise<Position> {
  const stored = await writer.position();
  if (stored === undefined) return journalStart;
  if (comparePositions(stored, journalEnd) <= 0)
    return comparePositions(stored, journalStart) < 0 ? journalStart : stored;
  await writer.forgetPosition();
  warn(
    send,
    'the journal is newer than the event store (was its folder removed?); continuing with the ' +
      'journal from its start',
  );
  return journalStart;
}

async function openStore(
  { eventsPath }: WorkerSettings,
  temporaryDir: string,
  send: Send,
): Promise<EventStore> {
  await rm(temporaryDir, { recursive: true, force: true });
  await mkdir(temporaryDir, { recursive: true, mode: 0o700 });
  await mkdir(dirname(eventsPath), { recursive: true, mode: 0o700 });
  return openEventStore({
    path: eventsPath,
    gapMs: visitGapMs,
    onLogSetAside: (path, cause) =>
      warn(
        send,
        `the event store's log could not be read (${String(cause)}); it is now ${path}, ` +
          'and its events come again from the journal',
      ),
  });
}

async function run(
  port: MessagePort,
  settings: WorkerSettings,
  halting: AbortSignal,
): Promise<void> {
  const send: Send = (message) => port.postMessage(message);
  const temporaryDir = `${settings.eventsPath}.tmp`;
  const store = await openStore(settings, temporaryDir, send);
  const { writer } = store;
  const clock = systemClock;
  const { idsDir: dir, dedupeWindowMs: windowMs } = settings;
  const idLog = createIdLog({ dir, windowMs, clock });
  const source = createJournalReader({ dir: settings.journalDir });
  const sessionizer = createSessionizer();
  const enricher = createEnricher();
  const applier = createApplier({ source, writer, enricher, sessionizer, idLog, clock });
  await applier.restoreVisits();
  const start = await startPosition(settings, writer, send);
  const loop = createApplyLoop({
    applier,
    writer,
    idLog,
    start,
    end: settings.journalEnd,
    send,
    halting,
    onFatal: (error) => shutdown.fail(error),
  });
  const reader = createReader({ connect: store.connect, temporaryDir });
  const requests = createRequestHandler({ reader, writer, loop, send });
  const shutdown = createShutdown({ port, store, files: [source, idLog], reader, loop, requests });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'synced') loop.synced(message.position);
    else if (message.kind === 'ask') void requests.handle(message);
    else if (message.kind === 'cancel') requests.cancel(message.id);
    else if (message.kind === 'stop') shutdown.stop();
  });
  halting.addEventListener('abort', shutdown.halt);
  if (halting.aborted) shutdown.halt();
  else send({ kind: 'ready', position: start });
  lowerPriority();
  loop.synced(settings.journalEnd);
}

/** Lowers the priority of this thread below request handling, where threads have one (Linux). */
function lowerPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + 5),
    );
  } catch {
    // The thread then keeps the priority of the process.
  }
}

/** A failure to open the store ends the thread, and the main thread receives the error. */
function waitForSettings(port: MessagePort): void {
  const halting = new AbortController();
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'open') void run(port, message.settings, halting.signal);
    else if (message.kind === 'halt') halting.abort();
  });
}

if (parentPort !== null) waitForSettings(parentPort);
