/** An event on a channel, modelled on CloudEvents 1.0. */
export interface BusEvent {
  /** A dotted name such as `incident.created`. */
  type: string;
  /** Any JSON value. Never a secret. */
  data: unknown;
}

/** A position in a channel. Offsets grow within an epoch; epochs are not comparable. */
export interface Position {
  epoch: string;
  offset: number;
}

/** One message of a channel. */
export interface Publication {
  /** `join` and `leave` report presence and are never kept. */
  kind: 'pub' | 'join' | 'leave';
  /** A push of Centrifugo's protocol without its offset: `{"data":…}` or `{"info":…}`. */
  json: string;
  /** 0 for a message that is not kept. */
  offset: number;
  /** The offset of the previous message. A client at that offset has missed nothing. */
  previous: number;
}

/** How many messages of a channel are kept and for how long. */
export interface ChannelHistory {
  /** Number of messages that can be recovered. With 0, only current subscribers get a message. */
  size: number;
  /** Milliseconds after the last message. */
  ttlMs: number;
}

/** The publishing side of the bus, for areas. */
export interface Publisher {
  /**
   * Publishes an event to the channel's subscribers on every replica and keeps it for clients that
   * reconnect. Rejects while Redis can't be reached: then only subscribers of this replica get it.
   */
  publish: (channel: string, event: BusEvent) => Promise<void>;
  /** Like `publish`, but does not wait: a failure is logged. */
  publishInBackground: (channel: string, event: BusEvent) => void;
}
