/** A clock that shows the time it was set to. */
export interface MovingClock {
  now: () => number;
  /** Unix ms. */
  set: (time: number) => void;
}

export function createMovingClock(time: number): MovingClock {
  let present = time;
  return { now: () => present, set: (next) => void (present = next) };
}

/** Something that happens at an instant. `play` returns undefined if there is nothing to await. */
export interface Act {
  /** Unix ms. */
  at: number;
  play: () => Promise<unknown> | undefined;
}

/** Plays acts, oldest first, with the clock set to its instant. Rejects with the first failure. */
export async function playActs(
  acts: readonly Act[],
  clock: MovingClock,
  onPlayed: () => void,
): Promise<void> {
  for (const { at, play } of [...acts].sort((a, b) => a.at - b.at)) {
    clock.set(at);
    await play();
    onPlayed();
  }
}
