import { FRAME_HEADER, RECORD_HEADER, sealFrame } from './format.ts';
import type { Position } from './position.ts';

const initialCapacity = 64 * 1024;
const maxReusedBytes = 4 * 1024 * 1024;

/** The records of one write, in the buffer to be written, and their shared promise. */
export function createGroup(memory = Buffer.allocUnsafeSlow(initialCapacity)) {
  let buffer = memory;
  let used = FRAME_HEADER;
  let records = 0;
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  function ensureCapacity(size: number): void {
    if (used + size <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + size, buffer.length * 2));
    buffer.copy(larger, 0, 0, used);
    buffer = larger;
  }

  return {
    durable,
    add(payload: string | Uint8Array): void {
      const isText = typeof payload === 'string';
      ensureCapacity(RECORD_HEADER + payload.length * (isText ? 3 : 1));
      const start = used + RECORD_HEADER;
      if (!isText) buffer.set(payload, start);
      const length = isText ? buffer.write(payload, start) : payload.length;
      buffer.writeUInt32LE(length, used);
      used = start + length;
      records += 1;
    },
    /** Returns the frame to write at `position`. */
    seal(position: Position): Buffer {
      const frame = buffer.subarray(0, used);
      sealFrame(frame, position);
      return frame;
    },
    records: (): number => records,
    bytes: (): number => (records === 0 ? 0 : used),
    resolve: (): void => settle?.resolve(),
    reject: (error: Error): void => settle?.reject(error),
    /**
     * The buffer for another group, once this one is written; undefined when it is too large to
     * keep.
     */
    memory: (): Buffer<ArrayBuffer> | undefined =>
      buffer.length > maxReusedBytes ? undefined : buffer,
  };
}

export type Group = ReturnType<typeof createGroup>;
