import { declaredSize, FRAME_HEADER, frameMagicBytes, isIntact, SEGMENT_HEADER } from './format.ts';

export interface Region {
  start: number;
  end: number;
}

export interface Survey {
  /** End of the last intact frame. */
  end: number;
  /** Unreadable regions that are followed by an intact frame. */
  gaps: Region[];
  /** The bytes after the last intact frame, without trailing zeros. */
  tail: Region;
}

function intactSize(bytes: Buffer, segment: number, at: number): number {
  const size = declaredSize(bytes, at);
  if (size === 0 || at + size > bytes.length) return 0;
  return isIntact(bytes.subarray(at, at + size), { segment, offset: at }) ? size : 0;
}

function nextIntact(bytes: Buffer, segment: number, from: number): number | undefined {
  const magic = frameMagicBytes();
  for (let at = bytes.indexOf(magic, from); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if (intactSize(bytes, segment, at) > 0) return at;
  }
  return undefined;
}

function lastNonZero(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end > from && bytes[end - 1] === 0) end -= 1;
  return end;
}

/** Finds the intact frames in a segment's bytes, including those after an unreadable region. */
export function scanSegment(bytes: Buffer, segment: number): Survey {
  const gaps: Region[] = [];
  let end = Math.min(SEGMENT_HEADER, bytes.length);
  for (;;) {
    const size = intactSize(bytes, segment, end);
    const next = size > 0 ? end + size : nextIntact(bytes, segment, end + FRAME_HEADER);
    if (next === undefined) break;
    if (size === 0) gaps.push({ start: end, end: next });
    end = next;
  }
  return { end, gaps, tail: { start: end, end: lastNonZero(bytes, end) } };
}
