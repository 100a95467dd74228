/** What the layer of WebSockets says of itself. */
export interface RealtimeMetrics {
  enabled: boolean;
  endpoints: readonly {
    path: string;
    /** Subprotocols that it speaks. */
    protocols: readonly string[];
    connections: number;
    subscriptions: number;
  }[];
  messages_sent_total: number;
  /** Connections that were ended because they did not take their messages. */
  slow_disconnects_total: number;
}

/** The figures of a service without that layer. */
export const realtimeNotEnabled: RealtimeMetrics = {
  enabled: false,
  endpoints: [],
  messages_sent_total: 0,
  slow_disconnects_total: 0,
};
