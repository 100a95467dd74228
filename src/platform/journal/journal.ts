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

/** Group commit over the writer, with its listeners and counters. */
function createCommits(writer: SegmentWriter, onError: (error: unknown) => void) {
  const synced = createListeners(onError);
  const counts = { groups: 0, records: 0, bytes: 0, failures: 0, lastSyncMs: 0, isFailing: false };
  const commit = createGroupCommit({
    put: writer.put,
    onCommit(group, milliseconds) {
      counts.groups += 1;
      counts.records += group.records();
      counts.bytes += group.bytes();
      counts.lastSyncMs = milliseconds;
      counts.isFailing = false;
      synced.tell(writer.end());
    },
    onFailure(error) {
      counts.failures += 1;
      counts.isFailing = true;
      onError(error);
    },
  });
  return { commit, counts, synced };
}

interface Parts extends Awaited<ReturnType<typeof openParts>>, ReturnType<typeof createCommits> {
  options: JournalOptions;
  closing: Promise<void> | undefined;
}

function refusal(parts: Parts, size: number): JournalError | undefined {
  const { commit, retention, closing } = parts;
  const { pendingLimit, backlogLimit } = parts.options;
  const pending = commit.pendingBytes() + size;
  if (closing !== undefined) return new JournalError('closed');
  if (pending > pendingLimit) return new JournalError('overloaded');
  return retention.backlogBytes() + pending > backlogLimit
    ? new JournalError('backlog')
    : undefined;
}

async function rotate({ closing, commit, writer, synced }: Parts): Promise<void> {
  if (closing !== undefined) throw new JournalError('closed');
  await commit.between(writer.rotate);
  synced.tell(writer.end());
}

async function probe({ closing, commit, writer, counts }: Parts): Promise<void> {
  if (closing !== undefined) throw new JournalError('closed');
  if (!counts.isFailing) return;
  await commit.between(writer.probe);
  counts.isFailing = false;
}

async function close({ commit, writer, retention }: Parts): Promise<void> {
  await commit.between(() => writer.close());
  await retention.idle();
}

/** The bytes that are free on the disk of a folder, and the size of the disk. */
async function diskSpace(dir: string): Promise<{ freeBytes: number; diskBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

/**
 * Opens the write-ahead journal in `dir`, mending what a crash left (see `recovery`). One writer at
 * a time. Rejects with a JournalError `unreadable`, or with the system's error when the folder
 * cannot be used.
 */
export async function openJournal(options: JournalOptions) {
  if (!(options.segmentSize > 0 && options.segmentSize <= maxSegmentSize))
    throw new RangeError('segmentSize must be 1 byte to 1 GiB');
  const opened = await openParts(options);
  const commits = createCommits(opened.writer, options.onError);
  const parts: Parts = { ...opened, ...commits, options, closing: undefined };
  const { recovery, start, writer, retention, commit, counts, synced } = parts;
  return {
    /** What opening found and mended. */
    recovery,
    /** The first place that can be read: where a reader without a checkpoint begins. */
    start: (): Position => start,
    /** The end of what is durable. */
    position: writer.end,
    /**
     * Adds a record, which must not be empty. Resolves when it is durable; rejects with a
     * JournalError `full`, `backlog`, `overloaded` or `closed`, and then the record never will be
     * in the journal. `mayLinger`: nobody waits, so it may wait ten milliseconds for others.
     */
    append(payload: string | Uint8Array, { mayLinger = false } = {}): Promise<void> {
      if (payload.length === 0)
        return Promise.reject(new RangeError('a journal record cannot be empty'));
      const error = refusal(parts, payload.length);
      return error === undefined ? commit.append(payload, mayLinger) : Promise.reject(error);
    },
    /** Settles as everything appended so far does: rejects when that could not be made durable. */
    sync: () => commit.settled(),
    /** Calls `listener` with the new end after each group and rotation. Returns unsubscribe. */
    onSynced: (listener: Listener) => synced.add(listener),
    /**
     * The reader's checkpoint: removes the segments before the one it is in, after `beforeRemove`.
     * Resolves when that is done or has failed (see `onError`; the next call tries again). Throws a
     * RangeError past the end: the checkpoint is not of this journal.
     */
    release: (checkpoint: Position) => retention.release(checkpoint),
    /** Begins a new segment, so that a checkpoint in it lets the present one go. */
    rotate: (): Promise<void> => rotate(parts),
    /**
     * After a failed write, tries the disk again, for nobody may send records meanwhile. Rejects
     * with a JournalError `full` while the disk refuses, and `closed`.
     */
    probe: (): Promise<void> => probe(parts),
    room: () => diskSpace(options.dir),
    backlogBytes: retention.backlogBytes,
    segments: retention.segments,
    metrics: (): JournalMetrics => ({
      ...counts,
      backlogBytes: retention.backlogBytes(),
      pendingBytes: commit.pendingBytes(),
    }),
    /** Refuses new records, waits for those that are under way, and closes the files. */
    close: (): Promise<void> => (parts.closing ??= close(parts)),
  };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;
