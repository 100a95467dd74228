/** Metrics of the WebSocket layer. */
export interface RealtimeMetrics {
  enabled: boolean;
  endpoints: readonly {
    path: string;
    /** Supported subprotocols. */
    protocols: readonly string[];
    connections: number;
    subscriptions: number;
  }[];
  messages_sent_total: number;
  /** Connections closed because the client read its messages too slowly. */
  slow_disconnects_total: number;
}

/** The metrics of a service without a WebSocket layer. */
export const realtimeNotEnabled: RealtimeMetrics = {
  enabled: false,
  endpoints: [],
  messages_sent_total: 0,
  slow_disconnects_total: 0,
};
