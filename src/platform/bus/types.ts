/** What is told on a channel, in the manner of CloudEvents 1.0. */
export interface BusEvent {
  /** Dot name: `incident.created`. */
  type: string;
  /** What JSON can hold. Never a secret. */
  data: unknown;
}

/** A place in a channel. Offsets grow within an epoch; epochs are not comparable. */
export interface Position {
  epoch: string;
  offset: number;
}

/** One message of a channel. */
export interface Publication {
  /** `join` and `leave` say who listens; they are never kept. */
  kind: 'pub' | 'join' | 'leave';
  /** An object of Centrifugo's protocol without its offset: `{"data":…}` or `{"info":…}`. */
  json: string;
  /** 0: it is not kept. */
  offset: number;
  /** The offset of the message before it: whoever has that one has missed nothing. */
  previous: number;
}

/** How many messages of a channel are kept, and for how long. */
export interface ChannelHistory {
  /** Messages that can be recovered; 0: whoever listens at that moment receives each. */
  size: number;
  /** Milliseconds after the last message. */
  ttlMs: number;
}

/** How areas publish. They know no sockets. */
export interface Publisher {
  /**
   * Tells everybody on the channel, on every replica, and keeps the event for those who are away.
   * Rejects while Redis can't be reached: then only the listeners of this replica have it.
   */
  publish: (channel: string, event: BusEvent) => Promise<void>;
  /** As `publish`, without anybody waiting: a failure is logged. */
  publishInBackground: (channel: string, event: BusEvent) => void;
}
