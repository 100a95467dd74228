/** A signal within this time of the first one is an echo of it. */
const sameWithinMs = 2000;

export type Interrupt = 'first' | 'same' | 'again';

/**
 * Distinguishes a second interrupt from an echo of the first: npm forwards a Ctrl-C that the
 * terminal has already sent to the whole process group, as does any supervisor that signals a
 * group. `now` returns monotonic milliseconds.
 */
export function createInterrupts(now: () => number): () => Interrupt {
  let first: number | undefined;
  return () => {
    const at = now();
    if (first === undefined) {
      first = at;
      return 'first';
    }
    return at - first < sameWithinMs ? 'same' : 'again';
  };
}
