import { openSocket } from './browser-socket.ts';
import { type ConnectOptions, createConnection, type State } from './messages-connection.ts';
import type { Messages } from './messages-events.ts';

export interface SvcMessages {
  /**
   * Connects, or connects anew. The address and the channels are those of the script's tag unless
   * they are given.
   */
  connect: (options?: Partial<ConnectOptions>) => void;
  /** Hears one channel, subscribing to it. Gives a function that ends it. */
  subscribe: (channel: string, listener: (message: Messages['message']) => void) => () => void;
  /**
   * Hears one type of event, as `addEventListener('svc:' + type)` does. Gives a function that ends
   * it.
   */
  on: <Type extends keyof Messages>(
    type: Type,
    listener: (detail: Messages[Type]) => void,
  ) => () => void;
  close: () => void;
  readonly state: State;
}

declare global {
  interface Window {
    svcMessages?: SvcMessages;
  }
}

function install(): SvcMessages {
  // Modules are not told their tag.
  const tag =
    document.currentScript ??
    document.querySelector<HTMLScriptElement>('script[src*="/global-message-handler.js"]');
  const { path, url = path, channels, events = 'svc' } = tag?.dataset ?? {};
  const names = channels?.match(/[^\s,]+/g) ?? [];
  const connection = createConnection({
    openSocket,
    // A listener that throws is reported by the browser, and stops neither the others nor us.
    tell: (type, detail) => window.dispatchEvent(new CustomEvent(`${events}:${type}`, { detail })),
  });

  const messages: SvcMessages = {
    connect: (options) =>
      connection.connect({ url: url ?? '/ws/svc/', channels: names, ...options }),
    subscribe(channel, listener) {
      const stop = messages.on(
        'message',
        (message) => message.channel === channel && listener(message),
      );
      connection.add(channel);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        stop();
        connection.remove(channel);
      };
    },
    on<Type extends keyof Messages>(type: Type, listener: (detail: Messages[Type]) => void) {
      const heard = (event: CustomEventInit<Messages[Type]>) =>
        event.detail && listener(event.detail);
      addEventListener(`${events}:${type}`, heard);
      return () => removeEventListener(`${events}:${type}`, heard);
    },
    close: connection.close,
    get state() {
      return connection.state();
    },
  };

  const drop = ({ type }: Event) => connection.drop(type);
  addEventListener('online', connection.wake);
  addEventListener('offline', drop);
  document.addEventListener('visibilitychange', () => document.hidden || connection.wake());
  // With an open socket a page can't be frozen for the way back to it; its timers stand still with
  // it.
  addEventListener('pagehide', drop);
  addEventListener('pageshow', connection.wake);
  if (url !== undefined || channels !== undefined) messages.connect();
  return messages;
}

window.svcMessages ??= install();
