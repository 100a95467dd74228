import { openSocket, wakeWithPage } from '../../messages/browser-socket.ts';
import { createConnection } from '../../messages/connection.ts';
import type { Emit, MessageEvents } from '../../messages/events.ts';
import type { Command, Reply } from '../../messages/protocol.ts';
import { texts } from './texts/en.ts';

export interface LiveSocket {
  /** Listens to every message of the page's channels. */
  onMessage: (listener: (message: MessageEvents['message']) => void) => void;
  /** Listens to all events of the connection, of which messages are one kind. */
  onEvent: (listener: Emit) => void;
  add: (channel: string) => void;
  remove: (channel: string) => void;
  /** Sends a command and resolves with its reply. Rejects with its error, and after a timeout. */
  call: (command: Command) => Promise<Reply>;
}

const replyTimeoutMs = 5000;

/** Connects to `/ws/svc/` for the channels that the page names. */
export function createLiveSocket(channels: string[]): LiveSocket {
  const listeners: Emit[] = [];
  const connection = createConnection({
    openSocket,
    emit(type, detail) {
      for (const listener of listeners) listener(type, detail);
    },
  });
  wakeWithPage(connection);
  function open(): void {
    if (connection.state() === 'closed') connection.connect({ url: '/ws/svc/', channels });
  }
  if (channels.length > 0) open();
  return {
    onMessage: (listener) =>
      void listeners.push((type, detail) => {
        if (type === 'message' && 'data' in detail) listener(detail);
      }),
    onEvent: (listener) => void listeners.push(listener),
    add(channel) {
      open();
      connection.add(channel);
    },
    remove: connection.remove,
    call: (command) =>
      new Promise((resolve, reject) => {
        const timeoutError = new Error(texts.socket.noResponse);
        setTimeout(() => reject(timeoutError), replyTimeoutMs);
        connection.call(command, (reply) =>
          reply.error ? reject(new Error(reply.error.message)) : resolve(reply),
        );
      }),
  };
}
