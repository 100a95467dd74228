import type { Endpoint } from '../../areas/realtime/channels.ts';

type PerEndpoint = Record<Endpoint, number>;

/** Counters of all sockets, kept up to date so that a probe need not count thousands. */
export interface Counters {
  /** Messages written since the start, one for each recipient. */
  sent: number;
  /** Clients disconnected because they read too slowly. */
  slow: number;
  /** Open now. */
  connections: PerEndpoint;
  subscriptions: PerEndpoint;
}

const zero = (): PerEndpoint => ({ '/ws/svc/': 0, '/ws/analytics/': 0, '/ws/status/': 0 });

export const createCounters = (): Counters => ({
  sent: 0,
  slow: 0,
  connections: zero(),
  subscriptions: zero(),
});
