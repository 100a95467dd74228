import { statfs } from 'node:fs/promises';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { fileDisk, type JournalDisk } from './disk.ts';
import { JournalError } from './errors.ts';
import { SEGMENT_HEADER } from './format.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Group } from './group.ts';
import type { Position } from './position.ts';
import { recoverJournal } from './recovery.ts';
import { createRetention } from './retention.ts';
import { openSegmentWriter } from './segment-writer.ts';

const largestSegment = 1024 ** 3;

export interface JournalOptions {
  dir: string;
  /** Bytes after which a new segment begins, at most 1 GiB. */
  segmentSize: number;
  /** Most bytes between the reader's checkpoint and the end. */
  backlogLimit: number;
  /** Most bytes in memory that wait for the disk. */
  pendingLimit: number;
  /** Told of failures that no append waits for, and of each failed write. For the log. */
  onError: (error: unknown) => void;
  /** Awaited before a segment is removed; it stays while this rejects. */
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
  /** The last write failed, and none has succeeded since. */
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
    tell(position: Position): void {
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

async function openParts(options: JournalOptions) {
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

function createCounters() {
  const counts = { groups: 0, records: 0, bytes: 0, failures: 0, lastSyncMs: 0, isFailing: false };
  function count(group: Group, milliseconds: number): void {
    counts.groups += 1;
    counts.records += group.records();
    counts.bytes += group.bytes();
    counts.lastSyncMs = milliseconds;
    counts.isFailing = false;
  }
  return { counts, count };
}

/**
 * Opens the write-ahead journal in `dir`, mending what a crash left (see `recovery`). One writer at
 * a time. Rejects with a JournalError `unreadable`, or with the system's error when the folder
 * cannot be used.
 */
export async function openJournal(options: JournalOptions) {
  const { segmentSize, backlogLimit, pendingLimit, onError } = options;
  if (!(segmentSize > 0 && segmentSize <= largestSegment))
    throw new RangeError('segmentSize must be 1 byte to 1 GiB');
  const { recovery, start, writer, retention } = await openParts(options);
  const { counts, count } = createCounters();
  const synced = createListeners(onError);
  const commit = createGroupCommit({
    put: writer.put,
    onCommit(group, milliseconds) {
      count(group, milliseconds);
      synced.tell(writer.end());
    },
    onFailure(error) {
      counts.failures += 1;
      counts.isFailing = true;
      onError(error);
    },
  });
  let closing: Promise<void> | undefined;

  function refusal(size: number): JournalError | undefined {
    const pending = commit.pendingBytes() + size;
    if (closing !== undefined) return new JournalError('closed');
    if (pending > pendingLimit) return new JournalError('overloaded');
    return retention.backlogBytes() + pending > backlogLimit
      ? new JournalError('backlog')
      : undefined;
  }

  async function shut(): Promise<void> {
    await commit.between(() => writer.close());
    await retention.idle();
  }

  return {
    /** What opening found and mended. */
    recovery,
    /** The first place that can be read: where a reader without a checkpoint begins. */
    start: (): Position => start,
    /** The end of what is durable. */
    position: writer.end,
    /**
     * Adds a record, which must not be empty. Resolves when it is durable; rejects with a
     * JournalError `full`, `backlog`, `overloaded` or `closed`, and then the record is not in the
     * journal and never will be. `patient`: nobody waits for this record, so it may wait up to ten
     * milliseconds for others to be written with.
     */
    append(payload: string | Uint8Array, { patient = false } = {}): Promise<void> {
      if (payload.length === 0)
        return Promise.reject(new RangeError('a journal record cannot be empty'));
      const error = refusal(payload.length);
      return error === undefined ? commit.append(payload, patient) : Promise.reject(error);
    },
    /** Settles as everything appended so far does: rejects when that could not be made durable. */
    sync: () => commit.settled(),
    /**
     * Calls `listener` with the new end after each group and each rotation. Gives the function that
     * stops this.
     */
    onSynced: (listener: Listener) => synced.add(listener),
    /**
     * The reader's checkpoint: removes the segments before the one it is in, after `beforeRemove`.
     * Resolves when that is done or has failed (see `onError`; the next call tries again).
     * RangeError past the end: the checkpoint is not of this journal.
     */
    release: (checkpoint: Position) => retention.release(checkpoint),
    /**
     * Begins a new segment, so that a checkpoint in it lets the present one go. Rejects with a
     * JournalError.
     */
    async rotate(): Promise<void> {
      if (closing !== undefined) throw new JournalError('closed');
      await commit.between(writer.rotate);
      synced.tell(writer.end());
    },
    /**
     * After a failed write: tries the disk again, for nobody may send records meanwhile. Resolves
     * at once when the last write succeeded; rejects with a JournalError `full` while the disk
     * refuses, and `closed`.
     */
    async probe(): Promise<void> {
      if (closing !== undefined) throw new JournalError('closed');
      if (!counts.isFailing) return;
      await commit.between(writer.probe);
      counts.isFailing = false;
    },
    /** The bytes that are free on its disk, and the size of the disk. */
    async room(): Promise<{ freeBytes: number; diskBytes: number }> {
      const { bavail, blocks, bsize } = await statfs(options.dir);
      return { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
    },
    backlogBytes: retention.backlogBytes,
    segments: retention.segments,
    metrics: (): JournalMetrics => ({
      ...counts,
      backlogBytes: retention.backlogBytes(),
      pendingBytes: commit.pendingBytes(),
    }),
    /** Refuses new records, waits for those that are under way, and closes the files. */
    close: (): Promise<void> => (closing ??= shut()),
  };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;
