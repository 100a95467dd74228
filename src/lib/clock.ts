/** A clock that tests can replace. Milliseconds since the Unix epoch. */
export interface Clock {
  now: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };
