import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { JournalCorruptError } from './errors.ts';
import {
  announcedSize,
  FRAME_HEADER,
  headerState,
  isIntact,
  SEGMENT_HEADER,
  segmentName,
  takeRecords,
} from './format.ts';
import { comparePositions, type Position } from './position.ts';

export interface JournalBatch {
  /** Payloads in the order of their appends, as views of memory that belongs to this batch. */
  records: Buffer[];
  /** Where to go on; it moves without records from a segment's end to the next one. */
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

/** Bytes from `at` on: `size`, or as many as the first frame has. */
function readFrames(fd: number, at: Position, limit: number, size: number): Buffer {
  const left = limit - at.offset;
  const bytes = readExactly(fd, at, Math.min(left, Math.max(size, FRAME_HEADER)));
  const first = announcedSize(bytes, 0);
  if (first === 0 || first > left) throw new JournalCorruptError(at, 'no frame begins here');
  return first > bytes.length ? readExactly(fd, at, first) : bytes;
}

/** Takes the whole frames that `bytes` begins with; gives their size. Throws for a bad first. */
function takeFrames(bytes: Buffer, from: Position, records: Buffer[]): number {
  let at = 0;
  for (
    let size = announcedSize(bytes, 0);
    size > 0 && at + size <= bytes.length;
    size = announcedSize(bytes, at)
  ) {
    const position = { segment: from.segment, offset: from.offset + at };
    const frame = bytes.subarray(at, at + size);
    if (!isIntact(frame, position)) {
      if (at > 0) return at;
      throw new JournalCorruptError(position, 'the checksum does not match');
    }
    takeRecords(frame, records);
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

function descriptor(reader: Reader, segment: number): number {
  if (reader.current?.segment !== segment) {
    closeSegment(reader);
    reader.current = openSegment(reader.dir, segment);
  }
  return reader.current.fd;
}

/** Reads on in one segment, or moves to the next at its end. */
function step(
  reader: Reader,
  at: Position,
  upTo: Position,
  size: number,
  records: Buffer[],
): Position {
  const fd = descriptor(reader, at.segment);
  const limit = at.segment < upTo.segment ? fstatSync(fd).size : upTo.offset;
  if (at.offset > limit) throw new JournalCorruptError(at, 'the segment ends before this position');
  if (at.offset === limit) return { segment: at.segment + 1, offset: SEGMENT_HEADER };
  const taken = takeFrames(readFrames(fd, at, limit, size), at, records);
  return { segment: at.segment, offset: at.offset + taken };
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

/** Reads a journal from its files, synchronously, in any thread, also during writes. */
export function createJournalReader({ dir }: { dir: string }) {
  const reader: Reader = { dir, current: undefined };
  return {
    /**
     * Records from `from` on, up to `upTo`: the writer's durable end, or an earlier `next`. At most
     * about `maxBytes`, but always one whole group. Throws a JournalCorruptError instead of giving
     * what was not written; records before the bad place are given first. RangeError when `from` is
     * after `upTo`.
     */
    read: (from: Position, upTo: Position, maxBytes: number): JournalBatch =>
      readBatch(reader, from, upTo, maxBytes),
    /** All records from `from` to `upTo`, in batches of about `batchBytes`. */
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
