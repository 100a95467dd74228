/** What is told on a channel, in the manner of CloudEvents 1.0. */
export interface BusEvent {
  /** Dot name: `incident.created`. */
  type: string;
  /** What JSON can hold. Never a secret. */
  data: unknown;
}

/**
 * Where a channel stands. Offsets only grow; with another epoch they begin anew and say nothing
 * about earlier ones.
 */
export interface Position {
  epoch: string;
  offset: number;
}

/** One message of a channel. */
export interface Publication {
  /** `join` and `leave` tell who listens; they are never kept. */
  kind: 'pub' | 'join' | 'leave';
  /**
   * An object of Centrifugo's protocol as JSON, without its offset: `{"data":…}` or `{"info":…}`.
   */
  json: string;
  /** 0: it is not kept. */
  offset: number;
  /** The offset of the message before it: who has that one has missed nothing. */
  previous: number;
}

/** How the messages of a channel are kept. */
export interface ChannelKeeping {
  /**
   * Messages that can be caught up with; 0: none, each is heard by whoever listens at that moment.
   */
  size: number;
  /** Milliseconds after the last message. */
  ttlMs: number;
}

/** Who hears what. Areas publish with it and know no sockets. */
export interface Publisher {
  /**
   * Tells everybody on the channel, on every replica, and keeps it for those who are away. Rejects
   * while Redis can't be reached: then only the listeners of this replica have heard it.
   */
  publish: (channel: string, event: BusEvent) => Promise<void>;
  /** As `publish`, without anybody waiting: a failure is logged. */
  tell: (channel: string, event: BusEvent) => void;
}
