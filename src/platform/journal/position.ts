/** A position in the journal: a segment number and a byte offset in the segment's file. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

const encoded = /^([0-9a-f]{16})-([0-9a-f]{8})$/;

/** Returns a negative number when `a` comes before `b`, zero when they are equal. */
export function comparePositions(a: Position, b: Position): number {
  return a.segment - b.segment || a.offset - b.offset;
}

/** Encodes a position as text of fixed length that sorts in journal order. */
export function encodePosition({ segment, offset }: Position): string {
  return `${segment.toString(16).padStart(16, '0')}-${offset.toString(16).padStart(8, '0')}`;
}

/** Parses the output of `encodePosition`. Throws a RangeError for any other text. */
export function decodePosition(text: string): Position {
  const [, segment, offset] = encoded.exec(text) ?? [];
  if (segment === undefined || offset === undefined) throw new RangeError('not a journal position');
  return { segment: Number.parseInt(segment, 16), offset: Number.parseInt(offset, 16) };
}
