/** Figures of all sockets since the start. */
export interface Counters {
  /** Messages that were written, one for each who got it. */
  sent: number;
  /** Sockets that were closed because their clients read too slowly. */
  slow: number;
}

export const createCounters = (): Counters => ({ sent: 0, slow: 0 });
