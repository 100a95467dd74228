import { crc32 } from 'node:zlib';
import type { Position } from './position.ts';

/**
 * A segment file is a header (magic, u32 version, u64 segment number) and frames, all
 * little-endian. A frame is one group commit: magic, u32 payload length, u32 CRC-32, payload. The
 * CRC covers segment number, offset, length and payload, so that a frame is valid in one place
 * only. The payload is records of u32 length and bytes; a length of zero ends it. The bytes 0xff in
 * the magic occur in no UTF-8 text.
 */
export const SEGMENT_HEADER = 16;
export const FRAME_HEADER = 12;
export const RECORD_HEADER = 4;

const segmentMagic = 0xff4c4aff;
const frameMagic = 0xff474aff;
const version = 1;
const segmentFile = /^([0-9a-f]{16})\.log$/;

export const frameMagicBytes = (): Buffer => uint32(frameMagic);

/** Name of a segment's file in the journal folder. */
export function segmentName(segment: number): string {
  return `${segment.toString(16).padStart(16, '0')}.log`;
}

/** Number of the segment in a file of this name; undefined when the name is not a segment's. */
export function segmentNumber(name: string): number | undefined {
  const digits = segmentFile.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

export function segmentHeader(segment: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER);
  header.writeUInt32LE(segmentMagic, 0);
  header.writeUInt32LE(version, 4);
  header.writeBigUInt64LE(BigInt(segment), 8);
  return header;
}

/** `torn`: a crash came before the header was written. `newer`: of a later format. */
export function headerState(
  bytes: Buffer,
  segment: number,
): 'valid' | 'torn' | 'corrupt' | 'newer' {
  const header = bytes.subarray(0, SEGMENT_HEADER);
  if (header.equals(segmentHeader(segment))) return 'valid';
  if (header.length < SEGMENT_HEADER || header.every((byte) => byte === 0)) return 'torn';
  return header.readUInt32LE(0) === segmentMagic && header.readUInt32LE(4) > version
    ? 'newer'
    : 'corrupt';
}

/** Writes the header of `frame`, whose payload is in place. It is valid at this position only. */
export function sealFrame(frame: Buffer, position: Position): void {
  frame.writeUInt32LE(frameMagic, 0);
  frame.writeUInt32LE(frame.length - FRAME_HEADER, 4);
  frame.writeUInt32LE(checksum(frame, position), 8);
}

/** Unverified size of the frame at `at` with its header; 0 when none begins there. */
export function announcedSize(bytes: Buffer, at: number): number {
  if (at + FRAME_HEADER > bytes.length || bytes.readUInt32LE(at) !== frameMagic) return 0;
  return FRAME_HEADER + bytes.readUInt32LE(at + 4);
}

/** Whether `frame` is exactly what was written at `position`. */
export function isIntact(frame: Buffer, position: Position): boolean {
  return frame.readUInt32LE(8) === checksum(frame, position);
}

/** Appends the records of a frame to `into`, as views of its memory. */
export function takeRecords(frame: Buffer, into: Buffer[]): void {
  let at = FRAME_HEADER;
  while (at + RECORD_HEADER <= frame.length) {
    const length = frame.readUInt32LE(at);
    if (length === 0) return;
    at += RECORD_HEADER;
    into.push(frame.subarray(at, at + length));
    at += length;
  }
}

function checksum(frame: Buffer, { segment, offset }: Position): number {
  const place = Buffer.allocUnsafe(20);
  place.writeBigUInt64LE(BigInt(segment), 0);
  place.writeBigUInt64LE(BigInt(offset), 8);
  place.writeUInt32LE(frame.length, 16);
  return crc32(frame.subarray(FRAME_HEADER), crc32(place));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
