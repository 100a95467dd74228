import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from './disk.ts';
import { SEGMENT_HEADER, segmentName } from './format.ts';
import { comparePositions, type Position } from './position.ts';

export interface SegmentInfo {
  segment: number;
  bytes: number;
}

export interface RetentionDeps {
  dir: string;
  sealed: SegmentInfo[];
  start: Position;
  end: () => Position;
  /** Awaited before a segment's file is removed. The file stays while this rejects. */
  beforeRemove: (path: string) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Tracks the reader's checkpoint and removes the segments before it. */
export function createRetention({ dir, sealed, start, end, beforeRemove, onError }: RetentionDeps) {
  let released = start;
  let sealedBacklog = 0;
  let removal: Promise<void> | undefined;

  function updateBacklog(): void {
    const unread = sealed.filter(({ segment }) => segment >= released.segment);
    sealedBacklog = unread.reduce((sum, { bytes }) => sum + bytes - SEGMENT_HEADER, 0);
  }

  async function removeReleased(): Promise<void> {
    let removed = 0;
    for (
      let first = sealed[0];
      first !== undefined && first.segment < released.segment;
      first = sealed[0]
    ) {
      const path = join(dir, segmentName(first.segment));
      await beforeRemove(path);
      await rm(path, { force: true });
      sealed.shift();
      removed += 1;
    }
    if (removed > 0) await syncDirectory(dir);
  }

  updateBacklog();

  return {
    add(info: SegmentInfo): void {
      sealed.push(info);
      updateBacklog();
    },
    /**
     * Moves the checkpoint. Resolves when the segments before it are removed, or after `onError`.
     */
    async release(position: Position): Promise<void> {
      if (comparePositions(position, end()) > 0)
        throw new RangeError('the checkpoint is past the end of the journal');
      if (comparePositions(position, released) > 0) released = position;
      if ((sealed[0]?.segment ?? Infinity) >= released.segment) return;
      updateBacklog();
      removal ??= removeReleased()
        .catch(onError)
        .finally(() => (removal = undefined));
      await removal;
    },
    /** Bytes between the checkpoint and the end. */
    backlogBytes: (): number => sealedBacklog + end().offset - released.offset,
    segments: (): SegmentInfo[] => [...sealed, { segment: end().segment, bytes: end().offset }],
    idle: async (): Promise<void> => removal,
  };
}
