import { type FileHandle, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { fileDisk, syncDirectory } from './disk.ts';
import { JournalError } from './errors.ts';
import {
  headerState,
  sealFrame,
  SEGMENT_HEADER,
  segmentHeader,
  segmentName,
  segmentNumber,
} from './format.ts';
import type { SegmentInfo } from './retention.ts';
import { type Region, scanSegment } from './segment-scan.ts';

/** What opening the journal found and repaired. All zero and empty after a clean stop. */
export interface Recovery {
  /** Bytes of an unfinished, unacknowledged write that were cut from the end. */
  cutBytes: number;
  /** Number of unreadable regions, each of one or more frames, moved to the files in `setAside`. */
  corruptFrames: number;
  corruptBytes: number;
  setAside: string[];
  /** Segments whose file was missing or empty between others, now replaced by empty segments. */
  missingSegments: number[];
}

interface RecoveryContext {
  dir: string;
  clock: Clock;
  recovery: Recovery;
}

const maxMissing = 10_000;

async function listSegments(dir: string): Promise<number[]> {
  const numbers = (await readdir(dir)).map(segmentNumber).filter((number) => number !== undefined);
  numbers.sort((a, b) => a - b);
  const spread = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0);
  if (!Number.isSafeInteger(numbers.at(-1) ?? 0) || spread > numbers.length + maxMissing) {
    throw new JournalError(
      'unreadable',
      new Error('the numbers of the segment files are too far apart'),
    );
  }
  return numbers;
}

async function createEmpty(dir: string, segment: number): Promise<void> {
  const file = await fileDisk.create(join(dir, segmentName(segment)), segmentHeader(segment));
  await file.close();
}

/** Copies an unreadable region durably to its own file, before it is overwritten. */
async function setAside(
  { dir, clock, recovery }: RecoveryContext,
  segment: number,
  bytes: Buffer,
  { start, end }: Region,
): Promise<void> {
  const path = join(dir, `${segmentName(segment).slice(0, -4)}.corrupt-${start}-${clock.now()}`);
  await writeFile(path, bytes.subarray(start, end), { flush: true, mode: 0o600 });
  await syncDirectory(dir);
  recovery.corruptFrames += 1;
  recovery.corruptBytes += end - start;
  recovery.setAside.push(path);
}

async function repairHeader(
  context: RecoveryContext,
  segment: number,
  bytes: Buffer,
  file: FileHandle,
): Promise<void> {
  const state = headerState(bytes, segment);
  if (state === 'newer')
    throw new JournalError(
      'unreadable',
      new Error(`${segmentName(segment)} is of a newer version`),
    );
  if (state === 'corrupt')
    await setAside(context, segment, bytes, { start: 0, end: SEGMENT_HEADER });
  if (state !== 'valid') await file.write(segmentHeader(segment), 0, SEGMENT_HEADER, 0);
}

/** Replaces an unreadable region with an empty frame, so that later offsets stay valid. */
async function fillGap(file: FileHandle, segment: number, { start, end }: Region): Promise<void> {
  const frame = Buffer.alloc(end - start);
  sealFrame(frame, { segment, offset: start });
  await file.write(frame, 0, frame.length, start);
}

async function repair(
  context: RecoveryContext,
  segment: number,
  isLast: boolean,
  file: FileHandle,
): Promise<SegmentInfo> {
  const { recovery } = context;
  const bytes = await file.readFile();
  const { end, gaps, tail } = scanSegment(bytes, segment);
  const header = headerState(bytes, segment);
  const isTorn = isLast && header !== 'corrupt';
  if (!isLast && header === 'torn' && end <= SEGMENT_HEADER) recovery.missingSegments.push(segment);
  await repairHeader(context, segment, bytes, file);
  for (const gap of gaps) {
    await setAside(context, segment, bytes, gap);
    await fillGap(file, segment, gap);
  }
  if (isTorn) recovery.cutBytes += tail.end - tail.start;
  else if (tail.end > tail.start) await setAside(context, segment, bytes, tail);
  const size = Math.max(end, SEGMENT_HEADER);
  await file.truncate(size);
  // Even without a repair: the last frames may have been written but never synced.
  await file.sync();
  return { segment, bytes: size };
}

async function repairSegment(
  context: RecoveryContext,
  segment: number,
  isLast: boolean,
): Promise<SegmentInfo> {
  const file = await open(join(context.dir, segmentName(segment)), 'r+');
  try {
    return await repair(context, segment, isLast, file);
  } finally {
    await file.close();
  }
}

/**
 * Repairs the journal folder, creating it if missing, and reports the repairs. The torn tail of the
 * last segment is cut; any other unreadable region is set aside. Returns the segments in order, at
 * least one. A new journal starts with the current time as its segment number, so that it comes
 * after any deleted journal.
 */
export async function recoverJournal(
  dir: string,
  clock: Clock,
): Promise<{ segments: SegmentInfo[]; recovery: Recovery }> {
  const recovery: Recovery = {
    cutBytes: 0,
    corruptFrames: 0,
    corruptBytes: 0,
    setAside: [],
    missingSegments: [],
  };
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await syncDirectory(dirname(dir));
  const found = await listSegments(dir);
  const first = found[0] ?? clock.now();
  const last = found.at(-1) ?? first;
  const segments: SegmentInfo[] = [];
  for (let segment = first; segment <= last; segment += 1) {
    if (!found.includes(segment)) {
      await createEmpty(dir, segment);
      if (found.length > 0) recovery.missingSegments.push(segment);
    }
    segments.push(await repairSegment({ dir, clock, recovery }, segment, segment === last));
  }
  return { segments, recovery };
}
