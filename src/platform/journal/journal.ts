import { statfs } from 'node:fs/promises';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { fileDisk, type JournalDisk } from './disk.ts';
import { JournalError } from './errors.ts';
import { SEGMENT_HEADER } from './format.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Position } from './position.ts';
import { recoverJournal } from './recovery.ts';
import { createRetention } from './retention.ts';
import { openSegmentWriter, type SegmentWriter } from './segment-writer.ts';

const maxSegmentSize = 1024 ** 3;

export interface JournalOptions {
  dir: string;
  /** Size in bytes after which a new segment begins, at most 1 GiB. */
  segmentSize: number;
  /** Maximum number of bytes between the reader's checkpoint and the end. */
  backlogLimit: number;
  /** Maximum number of bytes in memory that wait for the disk. */
  pendingLimit: number;
  /** Called, for the log, with failures that no append reports, and with each failed write. */
  onError: (error: unknown) => void;
  /** Awaited before a segment is removed. The segment stays while this rejects. */
  beforeRemove?: (path: string) => Promise<void>;
  clock?: Clock;
  disk?: JournalDisk;
}

export interface JournalMetrics {
  groups: number;
  records: number;
  bytes: number;
  failures: number;
  lastSyncMs: number;
  /** True when the last write failed. */
  isFailing: boolean;
  backlogBytes: number;
  pendingBytes: number;
}

type Listener = (position: Position) => void;

function createListeners(onError: (error: unknown) => void) {
  const listeners = new Set<Listener>();
  return {
    add(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(position: Position): void {
      for (const listener of listeners) {
        try {
          listener(position);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

async function openComponents(options: JournalOptions) {
  const {
    dir,
    segmentSize,
    onError,
    clock = systemClock,
    disk = fileDisk,
    beforeRemove = async () => undefined,
  } = options;
  const { segments: sealed, recovery } = await recoverJournal(dir, clock);
  const last = sealed.pop();
  if (last === undefined) throw new JournalError('unreadable');
  const start: Position = { segment: sealed[0]?.segment ?? last.segment, offset: SEGMENT_HEADER };
  const end: Position = { segment: last.segment, offset: last.bytes };
  const onSealed = (segment: number, bytes: number): void => retention.add({ segment, bytes });
  const writer = await openSegmentWriter({ dir, disk, segmentSize, end, onSealed, onError });
  const retention = createRetention({ dir, sealed, start, end: writer.end, beforeRemove, onError });
  return { recovery, start, writer, retention };
}

/** Makes the group commit over the writer, with its listeners and counters. */
function createCommits(writer: SegmentWriter, onError: (error: unknown) => void) {
  const synced = createListeners(onError);
  const counts = { groups: 0, records: 0, bytes: 0, failures: 0, lastSyncMs: 0, isFailing: false };
  const commit = createGroupCommit({
    write: writer.write,
    onCommit(group, milliseconds) {
      counts.groups += 1;
      counts.records += group.records();
      counts.bytes += group.bytes();
      counts.lastSyncMs = milliseconds;
      counts.isFailing = false;
      synced.notify(writer.end());
    },
    onFailure(error) {
      counts.failures += 1;
      counts.isFailing = true;
      onError(error);
    },
  });
  return { commit, counts, synced };
}

interface JournalState
  extends Awaited<ReturnType<typeof openComponents>>, ReturnType<typeof createCommits> {
  options: JournalOptions;
  closing: Promise<void> | undefined;
}

function refusal(journal: JournalState, size: number): JournalError | undefined {
  const { commit, retention, closing } = journal;
  const { pendingLimit, backlogLimit } = journal.options;
  const pending = commit.pendingBytes() + size;
  if (closing !== undefined) return new JournalError('closed');
  if (pending > pendingLimit) return new JournalError('overloaded');
  return retention.backlogBytes() + pending > backlogLimit
    ? new JournalError('backlog')
    : undefined;
}

async function rotate({ closing, commit, writer, synced }: JournalState): Promise<void> {
  if (closing !== undefined) throw new JournalError('closed');
  await commit.between(writer.rotate);
  synced.notify(writer.end());
}

async function probe({ closing, commit, writer, counts }: JournalState): Promise<void> {
  if (closing !== undefined) throw new JournalError('closed');
  if (!counts.isFailing) return;
  await commit.between(writer.probe);
  counts.isFailing = false;
}

async function close({ commit, writer, retention }: JournalState): Promise<void> {
  await commit.between(() => writer.close());
  await retention.idle();
}

/** Returns the free and total bytes of the disk that holds a folder. */
async function diskSpace(dir: string): Promise<{ freeBytes: number; diskBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

/**
 * Opens the write-ahead journal in `dir` and repairs it after a crash (see `recovery`). One writer
 * at a time. Rejects with a JournalError `unreadable`, or with the system's error when the folder
 * cannot be used.
 */
export async function openJournal(options: JournalOptions) {
  if (!(options.segmentSize > 0 && options.segmentSize <= maxSegmentSize))
    throw new RangeError('segmentSize must be 1 byte to 1 GiB');
  const opened = await openComponents(options);
  const commits = createCommits(opened.writer, options.onError);
  const journal: JournalState = { ...opened, ...commits, options, closing: undefined };
  const { recovery, start, writer, retention, commit, counts, synced } = journal;
  return {
    /** What opening found and repaired. */
    recovery,
    /** The first readable position, where a reader without a checkpoint starts. */
    start: (): Position => start,
    /** The end of the durable records. */
    position: writer.end,
    /**
     * Appends a record, which must not be empty. Resolves when it is durable. Rejects with a
     * JournalError `full`, `backlog`, `overloaded` or `closed`; the record is then not in the
     * journal. `mayLinger`: no caller waits, so the write may be delayed by ten milliseconds.
     */
    append(payload: string | Uint8Array, { mayLinger = false } = {}): Promise<void> {
      if (payload.length === 0)
        return Promise.reject(new RangeError('a journal record cannot be empty'));
      const error = refusal(journal, payload.length);
      return error === undefined ? commit.append(payload, mayLinger) : Promise.reject(error);
    },
    /** Resolves when everything appended so far is durable; rejects when that failed. */
    sync: () => commit.settled(),
    /**
     * Calls `listener` with the new end after each group and rotation. Returns the unsubscribe
     * function.
     */
    onSynced: (listener: Listener) => synced.add(listener),
    /**
     * Moves the reader's checkpoint and removes the segments before it, each after `beforeRemove`.
     * Resolves when that is done or has failed (see `onError`; the next call retries). Rejects with
     * a RangeError for a position past the end, which must come from another journal.
     */
    release: (checkpoint: Position) => retention.release(checkpoint),
    /** Begins a new segment, so that a checkpoint in it allows removing the current one. */
    rotate: (): Promise<void> => rotate(journal),
    /**
     * After a failed write, tests the disk, because clients may send no records meanwhile. Rejects
     * with a JournalError `full` while the disk fails, or `closed`.
     */
    probe: (): Promise<void> => probe(journal),
    room: () => diskSpace(options.dir),
    backlogBytes: retention.backlogBytes,
    segments: retention.segments,
    metrics: (): JournalMetrics => ({
      ...counts,
      backlogBytes: retention.backlogBytes(),
      pendingBytes: commit.pendingBytes(),
    }),
    /** Refuses new records, waits for pending ones, and closes the files. */
    close: (): Promise<void> => (journal.closing ??= close(journal)),
  };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;
