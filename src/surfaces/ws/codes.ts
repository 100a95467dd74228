/** An error of Centrifugo's protocol. After a temporary one, clients may retry the command. */
export interface ProtocolError {
  code: number;
  message: string;
  temporary?: true;
}

/** Errors of replies, with the codes and messages of Centrifugo. */
export const replyErrors = {
  internal: { code: 100, message: 'internal server error', temporary: true },
  unauthorized: { code: 101, message: 'unauthorized' },
  unknown_channel: { code: 102, message: 'unknown channel' },
  permission_denied: { code: 103, message: 'permission denied' },
  method_not_found: { code: 104, message: 'method not found' },
  already_subscribed: { code: 105, message: 'already subscribed' },
  limit_exceeded: { code: 106, message: 'limit exceeded' },
  bad_request: { code: 107, message: 'bad request' },
  not_available: { code: 108, message: 'not available' },
  token_expired: { code: 109, message: 'token expired' },
  too_many_requests: { code: 111, message: 'too many requests', temporary: true },
  unrecoverable_position: { code: 112, message: 'unrecoverable position' },
} as const satisfies Readonly<Record<string, ProtocolError>>;

export type ReplyErrorName = keyof typeof replyErrors;

/** Thrown by command handlers. Becomes the error of the reply. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly reply: ProtocolError;

  constructor(name: ReplyErrorName) {
    super(replyErrors[name].message);
    this.reply = replyErrors[name];
  }
}

/** Close codes and reasons. Clients reconnect after 3000-3499, but not after 3500-3999. */
export const disconnects = {
  shutdown: { code: 3001, reason: 'shutdown' },
  server_error: { code: 3004, reason: 'internal server error' },
  expired: { code: 3005, reason: 'expired' },
  slow: { code: 3008, reason: 'slow' },
  insufficient_state: { code: 3010, reason: 'insufficient state' },
  no_pong: { code: 3012, reason: 'no pong' },
  too_many_requests: { code: 3013, reason: 'too many requests' },
  invalid_token: { code: 3500, reason: 'invalid token' },
  bad_request: { code: 3501, reason: 'bad request' },
  stale: { code: 3502, reason: 'stale' },
  session_ended: { code: 3503, reason: 'session ended' },
  connection_limit: { code: 3504, reason: 'connection limit' },
  channel_limit: { code: 3505, reason: 'channel limit' },
  permission_denied: { code: 3507, reason: 'permission denied' },
  too_many_errors: { code: 3509, reason: 'too many errors' },
} as const;

export type DisconnectName = keyof typeof disconnects;

/** Why a subscription ends. Clients subscribe again after codes from 2500 on, but not below. */
export const unsubscribes = {
  permission_lost: { code: 2001, reason: 'permission lost' },
  insufficient_state: { code: 2500, reason: 'insufficient state' },
} as const;
