/** A position in the journal: a segment number and a byte offset in the segment's file. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

/** Returns a negative number when `a` comes before `b`, zero when they are equal. */
export function comparePositions(a: Position, b: Position): number {
  return a.segment - b.segment || a.offset - b.offset;
}

/** Encodes a position as text of fixed length that sorts in journal order. */
export function encodePosition({ segment, offset }: Position): string {
  return `${segment.toString(16).padStart(16, '0')}-${offset.toString(16).padStart(8, '0')}`;
}
