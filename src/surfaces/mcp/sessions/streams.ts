import type { Writable } from 'node:stream';
import { type Caller, ownerOf } from '../caller.ts';

const maxPerOwner = 20;

interface OpenStream {
  principalId: string;
  stream: Writable;
}

/** The open event streams of callers. */
export function createStreams() {
  const open = new Map<string, Set<OpenStream>>();

  return {
    /** True when the caller has reached the maximum number of open streams. */
    isFull: (caller: Caller): boolean => (open.get(ownerOf(caller))?.size ?? 0) >= maxPerOwner,

    /** Counts a stream until it is closed. */
    add(caller: Caller, stream: Writable): void {
      const owner = ownerOf(caller);
      const streams = open.get(owner) ?? new Set();
      const added: OpenStream = { principalId: caller.principal.id, stream };
      open.set(owner, streams.add(added));
      stream.once('close', () => {
        streams.delete(added);
        if (streams.size === 0 && open.get(owner) === streams) open.delete(owner);
      });
    },

    /** Closes the streams of an API key or user, or all of them. Allowed clients reconnect. */
    closeOf(id: string | undefined): void {
      for (const { principalId, stream } of [...open.values()].flatMap((streams) => [...streams]))
        if (id === undefined || principalId === id) stream.destroy();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
