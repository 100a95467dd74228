import { join } from 'node:path';
import type { JournalDisk, SegmentFile } from './disk.ts';
import { JournalError } from './errors.ts';
import { SEGMENT_HEADER, segmentHeader, segmentName } from './format.ts';
import type { Group } from './group.ts';
import type { Position } from './position.ts';

const reserveSize = 1024 * 1024;
const maxReserveSize = reserveSize / 4;

export interface SegmentWriterDeps {
  dir: string;
  disk: JournalDisk;
  segmentSize: number;
  onSealed: (segment: number, bytes: number) => void;
  onError: (error: unknown) => void;
}

interface Writer extends SegmentWriterDeps {
  file: SegmentFile;
  segment: number;
  /** Where the durable data end. */
  end: number;
  /** Zeros are written up to here. */
  reserved: number;
  /** A write has failed, or is under way: what follows the end may be anything. */
  isDamaged: boolean;
  zeros: Buffer;
}

const pathOf = ({ dir }: SegmentWriterDeps, segment: number): string =>
  join(dir, segmentName(segment));

async function cut(writer: Writer): Promise<void> {
  writer.isDamaged = true;
  await writer.file.truncate(writer.end);
  writer.reserved = writer.end;
  writer.isDamaged = false;
}

async function write(writer: Writer, bytes: Buffer): Promise<void> {
  writer.isDamaged = true;
  await writer.file.write(bytes, writer.end);
  writer.isDamaged = false;
}

/** Overwriting zeros leaves size and block map alone, which halves the time of a synced write. */
async function reserve(writer: Writer): Promise<void> {
  const from = Math.max(writer.end, writer.reserved);
  const room = writer.zeros.subarray(0, Math.max(0, writer.segmentSize - from));
  await writer.file.write(room, from).catch(() => cut(writer));
  writer.reserved = from + reserveSize;
}

async function rotate(writer: Writer): Promise<void> {
  if (writer.end === SEGMENT_HEADER) return;
  await cut(writer);
  const { segment, file, disk, onSealed, onError } = writer;
  const next = await disk.create(pathOf(writer, segment + 1), segmentHeader(segment + 1));
  await file.close().catch(onError);
  onSealed(segment, writer.end);
  writer.file = next;
  writer.segment += 1;
  writer.end = writer.reserved = SEGMENT_HEADER;
}

async function put(writer: Writer, group: Group): Promise<void> {
  if (writer.isDamaged) await cut(writer);
  if (writer.end >= writer.segmentSize) await rotate(writer);
  const frame = group.seal({ segment: writer.segment, offset: writer.end });
  if (writer.end + frame.length > writer.reserved && frame.length <= maxReserveSize)
    await reserve(writer);
  await write(writer, frame);
  writer.end += frame.length;
}

/** Writes zeros behind the end, where readers stop anyway. */
async function probe(writer: Writer): Promise<void> {
  if (writer.isDamaged) await cut(writer);
  await write(writer, writer.zeros);
  writer.reserved = writer.end + writer.zeros.length;
}

/** Cuts off what a failed step may have written before anybody learns of the failure. */
async function guarded(writer: Writer, step: (writer: Writer) => Promise<void>): Promise<void> {
  try {
    await step(writer);
  } catch (cause) {
    if (writer.isDamaged) await cut(writer).catch(writer.onError);
    throw new JournalError('full', cause);
  }
}

/** Writes groups to the last segment. The caller waits for each call before the next. */
export async function openSegmentWriter({ end, ...deps }: SegmentWriterDeps & { end: Position }) {
  const writer: Writer = {
    ...deps,
    file: await deps.disk.open(pathOf(deps, end.segment)),
    segment: end.segment,
    end: end.offset,
    reserved: end.offset,
    isDamaged: false,
    zeros: Buffer.alloc(Math.min(reserveSize, deps.segmentSize)),
  };
  return {
    /** Makes a group durable. Rejects with a JournalError `full`, having written nothing. */
    put: (group: Group): Promise<void> => guarded(writer, () => put(writer, group)),
    /** Begins a new segment, unless the present one is empty. */
    rotate: (): Promise<void> => guarded(writer, rotate),
    /** Writes as much as one reservation, unseen by readers. Rejects as `put`. */
    probe: (): Promise<void> => guarded(writer, probe),
    end: (): Position => ({ segment: writer.segment, offset: writer.end }),
    async close(): Promise<void> {
      await cut(writer).catch(deps.onError);
      await writer.file.close().catch(deps.onError);
    },
  };
}

export type SegmentWriter = Awaited<ReturnType<typeof openSegmentWriter>>;
