import type { Channels } from './channels.ts';
import type { Emit } from './events.ts';
import { type Command, type Reply, type ReplyError } from './protocol.ts';
import { createTransport, type OnLost, type OpenSocket, type Transport } from './transport.ts';

type Awaitable<T> = T | Promise<T>;

export interface ConnectOptions {
  /** An address, or a path on the page's own origin. */
  url: string;
  channels?: string[];
  token?: string | undefined;
  /** Called for a token when there is none, and when it has expired. */
  getToken?: (() => Awaitable<string>) | undefined;
}

export type Session = ReturnType<typeof openSession>;

/**
 * Opens a session, from its token to the end of its WebSocket. `onLost` is called at most once, and
 * not after `close`.
 */
export function openSession(
  options: ConnectOptions,
  openSocket: OpenSocket,
  channels: Channels,
  emit: Emit,
  onRefused: (error: ReplyError) => void,
  onLost: OnLost,
) {
  let transport: Transport | undefined;
  let connectedAt = Infinity;
  let isOver = false;

  function onConnectReply({ error, connect = { client: '' } }: Reply): void {
    if (error) {
      onRefused(error);
      return;
    }
    const { client, subs = {} } = connect;
    connectedAt = Date.now();
    channels.resume(subs, (recovered) => emit('connected', { client, recovered }));
  }

  async function open(): Promise<void> {
    let hasToken = false;
    try {
      const token = options.token ?? (await options.getToken?.());
      if (isOver) return;
      options.token = token;
      hasToken = true;
      const socket = openSocket(options.url);
      socket.onopen = () => {
        const subs = channels.positions();
        const connect = { name: 'svc-messages', ...(token && { token }), subs };
        transport?.call({ connect }, onConnectReply);
      };
      transport = createTransport(socket, channels.onPush, onLost);
    } catch (error) {
      if (isOver) return;
      // A token may be available later; an invalid address stays invalid.
      emit('error', { code: 0, message: String(error), ...(!hasToken && { temporary: true }) });
      onLost(1, hasToken ? 'bad address' : 'no token', hasToken);
    }
  }

  void open();
  return {
    call: (command: Command, onReply?: (reply: Reply) => void): void =>
      transport?.call(command, onReply),
    /** Ends the session. Returns how long it lasted in ms; negative if it never began. */
    close(): number {
      isOver = true;
      transport?.close();
      return Date.now() - connectedAt;
    },
  };
}
