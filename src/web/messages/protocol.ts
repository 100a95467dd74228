/** The parts of Centrifugo's JSON client protocol that the message handler uses. */

export interface Publication {
  data: unknown;
  /** Increases with each message of a channel; absent or 0 if the channel keeps no history. */
  offset?: number;
}

/** The position of a channel when a subscription begins, and the missed publications. */
export interface SubscribeResult {
  epoch?: string;
  offset?: number;
  recoverable?: boolean;
  recovered?: boolean;
  publications?: Publication[];
}

interface ConnectResult {
  client: string;
  /** Seconds between two pings of the server. */
  ping?: number;
  /** The server wants its pings answered. */
  pong?: boolean;
  /** Subscriptions that the server made. */
  subs?: Record<string, SubscribeResult>;
}

export interface ReplyError {
  code: number;
  message: string;
  /** The same command may succeed later. */
  temporary?: boolean;
}

export interface Push {
  channel?: string;
  pub?: Publication;
  subscribe?: SubscribeResult;
  unsubscribe?: { code: number; reason: string };
}

/** One line from the server. Without `id` and `push` it is a ping. */
export interface Reply {
  id?: number;
  error?: ReplyError;
  connect?: ConnectResult;
  subscribe?: SubscribeResult;
  history?: { publications?: Publication[] };
  presence?: { presence: Record<string, { user: string; client: string }> };
  push?: Push;
}

/** The position in a channel's history from which a subscription is to be recovered. */
export interface Recovery {
  recover: true;
  offset: number;
  epoch: string;
}

export type Command =
  | { connect: { name: string; token?: string; subs?: Record<string, Recovery> } }
  | { subscribe: { channel: string } & Partial<Recovery> }
  | { unsubscribe: { channel: string } }
  | { publish: { channel: string; data: unknown } }
  | { history: { channel: string; limit: number; reverse: boolean } }
  | { presence: { channel: string } };

/** The error code of an expired token. */
export const tokenExpired = 109;

/** Milliseconds before attempt number `attempt` (from 0): half a second to twenty, full jitter. */
export const backoffMs = (attempt: number): number =>
  Math.min(20_000, 500 + Math.random() * Math.min(20_000, 500 * 2 ** attempt));
