import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { JournalCorruptError } from './errors.ts';
import {
  declaredSize,
  FRAME_HEADER,
  headerState,
  isIntact,
  SEGMENT_HEADER,
  segmentName,
  readRecords,
} from './format.ts';
import { comparePositions, type Position } from './position.ts';

export interface JournalBatch {
  /** Payloads in append order, as views of memory that belongs to this batch. */
  records: Buffer[];
  /** Where to continue. At the end of a segment it moves to the next one without any records. */
  next: Position;
}

interface OpenSegment {
  segment: number;
  fd: number;
}

function readExactly(fd: number, at: Position, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let done = 0; done < size;) {
    const read = readSync(fd, bytes, done, size - done, at.offset + done);
    if (read === 0) throw new JournalCorruptError(at, 'the file ends too early');
    done += read;
  }
  return bytes;
}

function openSegment(dir: string, segment: number): OpenSegment {
  let fd: number;
  try {
    fd = openSync(join(dir, segmentName(segment)), 'r');
  } catch (cause) {
    throw new JournalCorruptError(
      { segment, offset: 0 },
      `the segment cannot be opened (${String(cause)})`,
    );
  }
  const isSegment =
    fstatSync(fd).size >= SEGMENT_HEADER &&
    headerState(readExactly(fd, { segment, offset: 0 }, SEGMENT_HEADER), segment) === 'valid';
  if (isSegment) return { segment, fd };
  closeSync(fd);
  throw new JournalCorruptError({ segment, offset: 0 }, 'the header is not that of this segment');
}

/** Reads `size` bytes from `at`, or the whole first frame if that is larger. */
function readFrames(fd: number, at: Position, limit: number, size: number): Buffer {
  const left = limit - at.offset;
  const bytes = readExactly(fd, at, Math.min(left, Math.max(size, FRAME_HEADER)));
  const first = declaredSize(bytes, 0);
  if (first === 0 || first > left) throw new JournalCorruptError(at, 'no frame begins here');
  return first > bytes.length ? readExactly(fd, at, first) : bytes;
}

/**
 * Parses the complete frames at the start of `bytes`. Returns their size. Throws a
 * JournalCorruptError when the first one is damaged.
 */
function parseFrames(bytes: Buffer, from: Position, records: Buffer[]): number {
  let at = 0;
  for (
    let size = declaredSize(bytes, 0);
    size > 0 && at + size <= bytes.length;
    size = declaredSize(bytes, at)
  ) {
    const position = { segment: from.segment, offset: from.offset + at };
    const frame = bytes.subarray(at, at + size);
    if (!isIntact(frame, position)) {
      if (at > 0) return at;
      throw new JournalCorruptError(position, 'the checksum does not match');
    }
    readRecords(frame, records);
    at += size;
  }
  return at;
}

interface Reader {
  dir: string;
  current: OpenSegment | undefined;
}

function closeSegment(reader: Reader): void {
  if (reader.current !== undefined) closeSync(reader.current.fd);
  reader.current = undefined;
}

function openFd(reader: Reader, segment: number): number {
  if (reader.current?.segment !== segment) {
    closeSegment(reader);
    reader.current = openSegment(reader.dir, segment);
  }
  return reader.current.fd;
}

/** Reads from one segment, or moves to the next one at its end. Returns the new position. */
function step(
  reader: Reader,
  at: Position,
  upTo: Position,
  size: number,
  records: Buffer[],
): Position {
  const fd = openFd(reader, at.segment);
  const limit = at.segment < upTo.segment ? fstatSync(fd).size : upTo.offset;
  if (at.offset > limit) throw new JournalCorruptError(at, 'the segment ends before this position');
  if (at.offset === limit) return { segment: at.segment + 1, offset: SEGMENT_HEADER };
  const parsed = parseFrames(readFrames(fd, at, limit, size), at, records);
  return { segment: at.segment, offset: at.offset + parsed };
}

function readBatch(reader: Reader, from: Position, upTo: Position, maxBytes: number): JournalBatch {
  if (comparePositions(from, upTo) > 0) throw new RangeError('cannot read backwards');
  const records: Buffer[] = [];
  let next = from;
  for (let left = maxBytes; left > 0 && comparePositions(next, upTo) < 0;) {
    const before = next;
    try {
      next = step(reader, before, upTo, left, records);
    } catch (error) {
      if (records.length === 0) throw error;
      break;
    }
    if (next.segment === before.segment) left -= next.offset - before.offset;
  }
  return { records, next };
}

/** Reads a journal from its files, synchronously, in any thread, even during writes. */
export function createJournalReader({ dir }: { dir: string }) {
  const reader: Reader = { dir, current: undefined };
  return {
    /**
     * Reads records between `from` and `upTo`, the writer's durable end or an earlier `next`: at
     * most about `maxBytes`, but at least one whole group. Throws a JournalCorruptError at damaged
     * bytes, after returning the records before them. Throws a RangeError when `from` is after
     * `upTo`.
     */
    read: (from: Position, upTo: Position, maxBytes: number): JournalBatch =>
      readBatch(reader, from, upTo, maxBytes),
    /** Reads all records from `from` to `upTo`, in batches of about `batchBytes`. */
    *readAll(
      from: Position,
      upTo: Position,
      batchBytes = 1024 * 1024,
    ): Generator<JournalBatch, void> {
      for (let at = from; comparePositions(at, upTo) < 0;) {
        const batch = readBatch(reader, at, upTo, batchBytes);
        yield batch;
        at = batch.next;
      }
    },
    close: (): void => closeSegment(reader),
  };
}
