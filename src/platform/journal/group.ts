import { FRAME_HEADER, RECORD_HEADER, sealFrame } from './format.ts';
import type { Position } from './position.ts';

const initialCapacity = 64 * 1024;
const maxKeptBytes = 4 * 1024 * 1024;

/** The records of one write, in the memory that is written, and their shared promise. */
export function createGroup(memory = Buffer.allocUnsafeSlow(initialCapacity)) {
  let buffer = memory;
  let used = FRAME_HEADER;
  let records = 0;
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  const durable = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });

  function makeRoom(size: number): void {
    if (used + size <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + size, buffer.length * 2));
    buffer.copy(larger, 0, 0, used);
    buffer = larger;
  }

  return {
    durable,
    add(payload: string | Uint8Array): void {
      const text = typeof payload === 'string';
      makeRoom(RECORD_HEADER + payload.length * (text ? 3 : 1));
      const start = used + RECORD_HEADER;
      if (!text) buffer.set(payload, start);
      const length = text ? buffer.write(payload, start) : payload.length;
      buffer.writeUInt32LE(length, used);
      used = start + length;
      records += 1;
    },
    /** The frame to write at `position`. */
    seal(position: Position): Buffer {
      const frame = buffer.subarray(0, used);
      sealFrame(frame, position);
      return frame;
    },
    records: (): number => records,
    bytes: (): number => (records === 0 ? 0 : used),
    resolve: (): void => settle?.resolve(),
    reject: (error: Error): void => settle?.reject(error),
    /** The memory for another group, once this one is written. */
    memory: (): Buffer<ArrayBuffer> | undefined =>
      buffer.length > maxKeptBytes ? undefined : buffer,
  };
}

export type Group = ReturnType<typeof createGroup>;
