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
  /** The end of the durable data. */
  end: number;
  /** The end of the zeros that are already written. */
  reserved: number;
  /** True during a write and after a failed one: the bytes after the end are undefined. */
  isDamaged: boolean;
  zeros: Buffer;
}

const pathOf = ({ dir }: SegmentWriterDeps, segment: number): string =>
  join(dir, segmentName(segment));

async function truncate(writer: Writer): Promise<void> {
  writer.isDamaged = true;
  await writer.file.truncate(writer.end);
  writer.reserved = writer.end;
  writer.isDamaged = false;
}

async function writeBytes(writer: Writer, bytes: Buffer): Promise<void> {
  writer.isDamaged = true;
  await writer.file.write(bytes, writer.end);
  writer.isDamaged = false;
}

/**
 * Writes zeros ahead. Overwriting them later changes neither file size nor block map, which halves
 * the time of a synced write.
 */
async function reserve(writer: Writer): Promise<void> {
  const from = Math.max(writer.end, writer.reserved);
  const room = writer.zeros.subarray(0, Math.max(0, writer.segmentSize - from));
  await writer.file.write(room, from).catch(() => truncate(writer));
  writer.reserved = from + reserveSize;
}

async function rotate(writer: Writer): Promise<void> {
  if (writer.end === SEGMENT_HEADER) return;
  await truncate(writer);
  const { segment, file, disk, onSealed, onError } = writer;
  const next = await disk.create(pathOf(writer, segment + 1), segmentHeader(segment + 1));
  await file.close().catch(onError);
  onSealed(segment, writer.end);
  writer.file = next;
  writer.segment += 1;
  writer.end = writer.reserved = SEGMENT_HEADER;
}

async function writeGroup(writer: Writer, group: Group): Promise<void> {
  if (writer.isDamaged) await truncate(writer);
  if (writer.end >= writer.segmentSize) await rotate(writer);
  const frame = group.seal({ segment: writer.segment, offset: writer.end });
  if (writer.end + frame.length > writer.reserved && frame.length <= maxReserveSize)
    await reserve(writer);
  await writeBytes(writer, frame);
  writer.end += frame.length;
}

/** Tests the disk by writing zeros after the end, which readers ignore. */
async function probe(writer: Writer): Promise<void> {
  if (writer.isDamaged) await truncate(writer);
  await writeBytes(writer, writer.zeros);
  writer.reserved = writer.end + writer.zeros.length;
}

/** Runs a step. If it fails, truncates what it may have written before the failure is reported. */
async function runStep(writer: Writer, step: (writer: Writer) => Promise<void>): Promise<void> {
  try {
    await step(writer);
  } catch (cause) {
    if (writer.isDamaged) await truncate(writer).catch(writer.onError);
    throw new JournalError('full', cause);
  }
}

/** Writes groups to the last segment. Callers must await each call before the next. */
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
    /**
     * Makes a group durable. Rejects with a JournalError `full`, in which case nothing was written.
     */
    write: (group: Group): Promise<void> => runStep(writer, () => writeGroup(writer, group)),
    /** Begins a new segment, unless the current one is empty. */
    rotate: (): Promise<void> => runStep(writer, rotate),
    /** Writes one reservation of zeros, invisible to readers. Rejects like `writeBytes`. */
    probe: (): Promise<void> => runStep(writer, probe),
    end: (): Position => ({ segment: writer.segment, offset: writer.end }),
    async close(): Promise<void> {
      await truncate(writer).catch(deps.onError);
      await writer.file.close().catch(deps.onError);
    },
  };
}

export type SegmentWriter = Awaited<ReturnType<typeof openSegmentWriter>>;
