/** A signal that comes this soon after the first one is the first one again. */
const sameWithinMs = 2000;

export type Interrupt = 'first' | 'same' | 'again';

/**
 * Tells a second wish to end from an echo of the first: npm passes on a Ctrl-C that the terminal
 * has sent to the whole process group already, and so does any supervisor that signals a group.
 * `now` gives milliseconds that only go forward.
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
