import { openSocket, wakeWithPage } from './browser-socket.ts';
import { type Connection, createConnection, type State } from './connection.ts';
import type { MessageEvents } from './events.ts';
import type { ConnectOptions } from './session.ts';

export interface SvcMessages {
  /** Connects, or reconnects, with the address and channels of the script's tag by default. */
  connect: (options?: Partial<ConnectOptions>) => void;
  /** Subscribes to a channel and listens to it. Returns a function that unsubscribes. */
  subscribe: (channel: string, listener: (message: MessageEvents['message']) => void) => () => void;
  /** Listens to a type of event, as `addEventListener('svc:' + type)`. Returns the way to stop. */
  on: <Type extends keyof MessageEvents>(
    type: Type,
    listener: (detail: MessageEvents[Type]) => void,
  ) => () => void;
  close: () => void;
  readonly state: State;
}

declare global {
  interface Window {
    svcMessages?: SvcMessages;
  }
}

function createMessages(
  connection: Connection,
  events: string,
  defaults: ConnectOptions,
): SvcMessages {
  const messages: SvcMessages = {
    connect: (options) => connection.connect({ ...defaults, ...options }),
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
    on<Type extends keyof MessageEvents>(
      type: Type,
      listener: (detail: MessageEvents[Type]) => void,
    ) {
      const onEvent = (event: CustomEventInit<MessageEvents[Type]>) =>
        event.detail && listener(event.detail);
      addEventListener(`${events}:${type}`, onEvent);
      return () => removeEventListener(`${events}:${type}`, onEvent);
    },
    close: connection.close,
    get state() {
      return connection.state();
    },
  };
  return messages;
}

function install(): SvcMessages {
  // Modules have no `currentScript`.
  const tag =
    document.currentScript ??
    document.querySelector<HTMLScriptElement>('script[src*="/global-message-handler.js"]');
  const { path, url = path, channels, events = 'svc' } = tag?.dataset ?? {};
  const connection = createConnection({
    openSocket,
    // The browser reports listeners that throw; the others and this script continue.
    emit: (type, detail) => dispatchEvent(new CustomEvent(`${events}:${type}`, { detail })),
  });
  const messages = createMessages(connection, events, {
    url: url ?? '/ws/svc/',
    channels: channels?.match(/[^\s,]+/g) ?? [],
  });
  wakeWithPage(connection);
  if (url !== undefined || channels !== undefined) messages.connect();
  return messages;
}

window.svcMessages ??= install();
