import type { Endpoint } from '../../areas/realtime/channels.ts';

type PerEndpoint = Record<Endpoint, number>;

/** Counters of all sockets. Kept incrementally, so that health checks need not iterate. */
export interface Counters {
  /** Messages written since the start, counted per recipient. */
  sent: number;
  /** Clients disconnected because they read too slowly. */
  slow: number;
  /** Currently open. */
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
