import { openSocket } from './browser-socket.ts';
import { createConnection } from './messages-connection.ts';
import type { Messages, Tell } from './messages-events.ts';
import type { Command, Reply } from './messages-protocol.ts';

export interface Live {
  /** Hears every message of the page's channels. */
  onMessage: (listener: (message: Messages['message']) => void) => void;
  /** Told that the connection is there, or away. */
  onState: (listener: (isConnected: boolean) => void) => void;
  add: (channel: string) => void;
  remove: (channel: string) => void;
  /** Hears all that the connection tells, and not only messages. */
  onTold: (listener: Tell) => void;
  /**
   * Sends a command and gives its reply. Rejects with what it is refused with, and without an
   * answer in time.
   */
  call: (command: Command) => Promise<Reply>;
}

const patience = 5000;

/** Connects to `/ws/svc/` for the channels that the page names. */
export function createLiveSocket(channels: string[]): Live {
  const listeners: ((message: Messages['message']) => void)[] = [];
  const watchers: ((isConnected: boolean) => void)[] = [];
  const told: Tell[] = [];
  const connection = createConnection({
    openSocket,
    tell(type, detail) {
      if (type === 'message' && 'data' in detail)
        for (const listener of listeners) listener(detail);
      if (type === 'connected' || type === 'disconnected')
        for (const watcher of watchers) watcher(type === 'connected');
      for (const listener of told) listener(type, detail);
    },
  });
  const drop = ({ type }: Event) => connection.drop(type);
  addEventListener('online', connection.wake);
  addEventListener('offline', drop);
  addEventListener('pagehide', drop);
  addEventListener('pageshow', connection.wake);
  document.addEventListener('visibilitychange', () => document.hidden || connection.wake());
  function open(): void {
    if (connection.state() === 'closed') connection.connect({ url: '/ws/svc/', channels });
  }
  if (channels.length > 0) open();
  return {
    onMessage: (listener) => void listeners.push(listener),
    onState: (listener) => void watchers.push(listener),
    add(channel) {
      open();
      connection.add(channel);
    },
    remove: connection.remove,
    onTold: (listener) => void told.push(listener),
    call: (command) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error('No answer. Is there a connection?')), patience);
        connection.call(command, (reply) =>
          reply.error ? reject(new Error(reply.error.message)) : resolve(reply),
        );
      }),
  };
}
