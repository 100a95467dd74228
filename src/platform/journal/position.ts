/** A place in the journal: the number of a segment and a byte offset in its file. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

const encoded = /^([0-9a-f]{16})-([0-9a-f]{8})$/;

/** Negative when `a` comes before `b`, zero when they are the same place. */
export function comparePositions(a: Position, b: Position): number {
  return a.segment - b.segment || a.offset - b.offset;
}

/** A position as text of fixed length whose alphabetical order is the journal's order. */
export function encodePosition({ segment, offset }: Position): string {
  return `${segment.toString(16).padStart(16, '0')}-${offset.toString(16).padStart(8, '0')}`;
}

/** Reads what `encodePosition` wrote. Throws a RangeError for anything else. */
export function decodePosition(text: string): Position {
  const [, segment, offset] = encoded.exec(text) ?? [];
  if (segment === undefined || offset === undefined) throw new RangeError('not a journal position');
  return { segment: Number.parseInt(segment, 16), offset: Number.parseInt(offset, 16) };
}
