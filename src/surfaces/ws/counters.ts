import type { Endpoint } from '../../areas/realtime/channels.ts';

type OfEndpoints = Record<Endpoint, number>;

/**
 * Figures of all sockets. They are kept as things happen: a probe must not have to count thousands.
 */
export interface Counters {
  /** Messages that were written since the start, one for each who got it. */
  sent: number;
  /** Sockets that were closed because their clients read too slowly. */
  slow: number;
  /** Open at the moment. */
  connections: OfEndpoints;
  subscriptions: OfEndpoints;
}

const none = (): OfEndpoints => ({ '/ws/svc/': 0, '/ws/analytics/': 0, '/ws/status/': 0 });

export const createCounters = (): Counters => ({
  sent: 0,
  slow: 0,
  connections: none(),
  subscriptions: none(),
});
