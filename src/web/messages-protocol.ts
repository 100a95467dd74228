/** The parts of Centrifugo's JSON client protocol that the message handler speaks. */

export interface Publication {
  data: unknown;
  /** Grows by channel; missing or 0 where the channel keeps no history. */
  offset?: number;
}

/** Where a channel stands when it begins, and what was missed. */
export interface Subscribed {
  epoch?: string;
  offset?: number;
  recoverable?: boolean;
  recovered?: boolean;
  publications?: Publication[];
}

export interface Connected {
  client: string;
  /** Seconds between two pings of the server. */
  ping?: number;
  /** Pings are to be answered. */
  pong?: boolean;
  /** Subscriptions that the server made. */
  subs?: Record<string, Subscribed>;
}

export interface ReplyError {
  code: number;
  message: string;
  /** The same may succeed later. */
  temporary?: boolean;
}

export interface Push {
  channel?: string;
  pub?: Publication;
  subscribe?: Subscribed;
  unsubscribe?: { code: number; reason: string };
}

/** One line of the server. Without `id` and `push` it is a ping. */
export interface Reply {
  id?: number;
  error?: ReplyError;
  connect?: Connected;
  subscribe?: Subscribed;
  history?: { publications?: Publication[] };
  presence?: { presence: Record<string, { user: string; client: string }> };
  push?: Push;
}

export interface From {
  recover: true;
  offset: number;
  epoch: string;
}

export type Command =
  | { connect: { name: string; token?: string; subs?: Record<string, From> } }
  | { subscribe: { channel: string } & Partial<From> }
  | { unsubscribe: { channel: string } }
  | { publish: { channel: string; data: unknown } }
  | { history: { channel: string; limit: number; reverse: boolean } }
  | { presence: { channel: string } };

/** The error reply to a token whose time is over. */
export const tokenExpired = 109;

/** Milliseconds before try number `tries` (from 0): half a second to twenty, full jitter. */
export const backOff = (tries: number): number =>
  Math.min(20_000, 500 + Math.random() * Math.min(20_000, 500 * 2 ** tries));
