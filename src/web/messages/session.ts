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
  /** Asked for a token when there is none, and when one has expired. */
  getToken?: (() => Awaitable<string>) | undefined;
}

export type Session = ReturnType<typeof openSession>;

/**
 * One session, from its token to the end of its WebSocket. `onLost`: at most once, not after
 * `close`.
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
      // There may be a token later. An address that no WebSocket can have stays bad.
      emit('error', { code: 0, message: String(error), ...(!hasToken && { temporary: true }) });
      onLost(1, hasToken ? 'bad address' : 'no token', hasToken);
    }
  }

  void open();
  return {
    call: (command: Command, onReply?: (reply: Reply) => void): void =>
      transport?.call(command, onReply),
    /** Ends the session, and gives the milliseconds it lasted; less than 0 if it never began. */
    close(): number {
      isOver = true;
      transport?.close();
      return Date.now() - connectedAt;
    },
  };
}
