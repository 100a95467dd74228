/** Time as a dependency, so that tests can move it. Milliseconds since the Unix epoch. */
export interface Clock {
  now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };
