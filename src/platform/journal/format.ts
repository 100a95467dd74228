import { crc32 } from 'node:zlib';
import type { Position } from './position.ts';

/**
 * A segment file is a header (magic, u32 version, u64 segment number) and frames, all
 * little-endian. A frame is one group commit: magic, u32 payload length, u32 CRC-32, payload. The
 * CRC covers segment number, offset, length and payload, so that a frame is valid at one position
 * only. The payload is a list of records, each a u32 length and bytes; a length of zero ends it.
 * The magic has bytes 0xff, which never occur in UTF-8 text.
 */
export const SEGMENT_HEADER = 16;
export const FRAME_HEADER = 12;
export const RECORD_HEADER = 4;

const segmentMagic = 0xff4c4aff;
const frameMagic = 0xff474aff;
const version = 1;
const segmentFile = /^([0-9a-f]{16})\.log$/;

export const frameMagicBytes = (): Buffer => uint32(frameMagic);

/** Returns the name of a segment's file in the journal folder. */
export function segmentName(segment: number): string {
  return `${segment.toString(16).padStart(16, '0')}.log`;
}

/** Parses a segment's file name into its number; undefined for any other name. */
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

/** `torn`: a crash before the header was written. `newer`: a later version of the format. */
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

/**
 * Writes the header of a frame whose payload is already in place. It is valid at `position` only.
 */
export function sealFrame(frame: Buffer, position: Position): void {
  frame.writeUInt32LE(frameMagic, 0);
  frame.writeUInt32LE(frame.length - FRAME_HEADER, 4);
  frame.writeUInt32LE(checksum(frame, position), 8);
}

/**
 * Returns the size, with header, that the frame at `at` declares, unverified; 0 without a frame.
 */
export function declaredSize(bytes: Buffer, at: number): number {
  if (at + FRAME_HEADER > bytes.length || bytes.readUInt32LE(at) !== frameMagic) return 0;
  return FRAME_HEADER + bytes.readUInt32LE(at + 4);
}

/** True when `frame` is exactly what was written at `position`. */
export function isIntact(frame: Buffer, position: Position): boolean {
  return frame.readUInt32LE(8) === checksum(frame, position);
}

/** Appends the records of a frame to `into`, as views of its memory. */
export function readRecords(frame: Buffer, into: Buffer[]): void {
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
  const location = Buffer.allocUnsafe(20);
  location.writeBigUInt64LE(BigInt(segment), 0);
  location.writeBigUInt64LE(BigInt(offset), 8);
  location.writeUInt32LE(frame.length, 16);
  return crc32(frame.subarray(FRAME_HEADER), crc32(location));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
