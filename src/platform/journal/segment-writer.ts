import { join } from 'node:path';
import type { JournalDisk } from './disk.ts';
import { JournalError } from './errors.ts';
import { SEGMENT_HEADER, segmentHeader, segmentName } from './format.ts';
import type { Group } from './group.ts';
import type { Position } from './position.ts';

const reserveSize = 1024 * 1024;
const largestReserved = reserveSize / 4;

export interface SegmentWriterDeps {
  dir: string;
  disk: JournalDisk;
  segmentSize: number;
  /** Where the durable data of the last segment end. */
  end: Position;
  onSealed: (segment: number, bytes: number) => void;
  onError: (error: unknown) => void;
}

/**
 * Writes groups to the last segment, one at a time: the caller waits for each call before the next.
 */
export async function openSegmentWriter(deps: SegmentWriterDeps) {
  const { disk, segmentSize, onSealed, onError } = deps;
  const pathOf = (number: number): string => join(deps.dir, segmentName(number));
  const zeros = Buffer.alloc(Math.min(reserveSize, segmentSize));
  let file = await disk.open(pathOf(deps.end.segment));
  let { segment, offset: end } = deps.end;
  let reserved = end;
  let damaged = false;

  async function cut(): Promise<void> {
    damaged = true;
    await file.truncate(end);
    reserved = end;
    damaged = false;
  }

  /**
   * Overwriting zeros leaves the file's size and block map alone, which halves the time of a synced
   * write.
   */
  async function reserve(): Promise<void> {
    const from = Math.max(end, reserved);
    const room = zeros.subarray(0, Math.max(0, segmentSize - from));
    await file.write(room, from).catch(cut);
    reserved = from + reserveSize;
  }

  async function rotate(): Promise<void> {
    if (end === SEGMENT_HEADER) return;
    await cut();
    const next = await disk.create(pathOf(segment + 1), segmentHeader(segment + 1));
    await file.close().catch(onError);
    onSealed(segment, end);
    file = next;
    segment += 1;
    end = reserved = SEGMENT_HEADER;
  }

  async function put(group: Group): Promise<void> {
    if (damaged) await cut();
    if (end >= segmentSize) await rotate();
    const frame = group.seal({ segment, offset: end });
    if (end + frame.length > reserved && frame.length <= largestReserved) await reserve();
    damaged = true;
    await file.write(frame, end);
    damaged = false;
    end += frame.length;
  }

  /** Writes zeros behind the end, where readers stop anyway. */
  async function probe(): Promise<void> {
    if (damaged) await cut();
    damaged = true;
    await file.write(zeros, end);
    damaged = false;
    reserved = end + zeros.length;
  }

  /**
   * Runs `step`; when it fails, cuts off what it may have written before anybody learns of the
   * failure.
   */
  async function guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (cause) {
      if (damaged) await cut().catch(onError);
      throw new JournalError('full', cause);
    }
  }

  return {
    /**
     * Makes a group durable. Rejects with a JournalError `full`, and then nothing of the group is
     * left in the file.
     */
    put: (group: Group): Promise<void> => guarded(() => put(group)),
    /** Begins a new segment, unless the present one is empty. */
    rotate: (): Promise<void> => guarded(rotate),
    /**
     * Tries the disk with as much as it reserves at a time, which no reader sees. Rejects as `put`
     * does.
     */
    probe: (): Promise<void> => guarded(probe),
    end: (): Position => ({ segment, offset: end }),
    async close(): Promise<void> {
      await cut().catch(onError);
      await file.close().catch(onError);
    },
  };
}
