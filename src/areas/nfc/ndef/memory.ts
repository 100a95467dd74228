import { type Chip, chips } from '../chips.ts';

const messageTag = 0x03;
const terminator = 0xfe;
const longLength = 0xff;

/** Bytes before a message of this length in the memory of a Type 2 tag. */
export const type2HeaderLength = (length: number): number => (length < longLength ? 2 : 4);

function type2(message: Buffer, capacity: number): Buffer {
  const { length } = message;
  const header =
    length < longLength
      ? Buffer.of(messageTag, length)
      : Buffer.of(messageTag, longLength, length >> 8, length & 0xff);
  const written = Buffer.concat([header, message]);
  // The terminator may be left out at the very end of the memory.
  return written.length < capacity ? Buffer.concat([written, Buffer.of(terminator)]) : written;
}

function type4(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/**
 * Wraps an NDEF message for the memory of a chip: as a TLV of a Type 2 tag, or behind the length of
 * a Type 4 tag's file. Returns undefined for one that does not fit.
 */
export function wrapMessage(chip: Chip, message: Buffer): Buffer | undefined {
  const { capacity, tagType } = chips[chip];
  if (message.length > capacity) return undefined;
  const wrapped = tagType === 2 ? type2(message, capacity) : type4(message);
  return wrapped.length <= capacity ? wrapped : undefined;
}
