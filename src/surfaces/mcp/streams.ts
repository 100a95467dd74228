import type { Writable } from 'node:stream';
import { type Caller, ownerOf } from './caller.ts';

const mostOfOwner = 20;

interface Held {
  principalId: string | undefined;
  stream: Writable;
}

/** The streams that callers keep open, to be told of changes. */
export function createStreams() {
  const held = new Map<string, Set<Held>>();

  return {
    /** Whether the caller has as many as one may have. */
    isFull: (caller: Caller): boolean => (held.get(ownerOf(caller))?.size ?? 0) >= mostOfOwner,

    /** Counts a stream until it is over. */
    hold(caller: Caller, stream: Writable): void {
      const owner = ownerOf(caller);
      const all = held.get(owner) ?? new Set();
      const own: Held = { principalId: caller.principal?.id, stream };
      held.set(owner, all.add(own));
      stream.once('close', () => {
        all.delete(own);
        if (all.size === 0 && held.get(owner) === all) held.delete(owner);
      });
    },

    /** Ends the streams of a key or person, all of them when the id is undefined: who may still come in opens a new one. */
    closeOf(id: string | undefined): void {
      for (const { principalId, stream } of [...held.values()].flatMap((all) => [...all]))
        if (id === undefined || principalId === id) stream.destroy();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
