import { vi } from 'vitest';
import { type Connection, createConnection } from '../../src/web/messages/connection.ts';
import type { MessageEvents } from '../../src/web/messages/events.ts';
import type { Socket } from '../../src/web/messages/transport.ts';

type Command = Record<string, unknown> & { id: number };

/** A WebSocket that the connection has opened, seen from the server. */
interface FakeSocket {
  url: string;
  /** All frames sent by the client. */
  frames: string[];
  /** Returns the commands, without pongs, received since the last call. */
  commands: () => Command[];
  open: () => Promise<void>;
  /** Sends replies and pushes in one frame. */
  reply: (...lines: object[]) => Promise<void>;
  /** Refuses the newest command. */
  refuse: (error: object) => Promise<void>;
  /** Closes the socket, as the server or the network would. */
  drop: (code?: number, reason?: string) => Promise<void>;
  isClosed: () => boolean;
}

type EmittedEvent = {
  [Type in keyof MessageEvents]: [Type, MessageEvents[Type]];
}[keyof MessageEvents];

export interface World {
  connection: Connection;
  sockets: FakeSocket[];
  /** The socket that was opened last. */
  socket: () => FakeSocket;
  emitted: EmittedEvent[];
  /** Removes and returns the emitted events. */
  take: () => EmittedEvent[];
  /** Called with every event, as listeners of a page are. */
  listeners: ((type: keyof MessageEvents, detail: MessageEvents[keyof MessageEvents]) => void)[];
  /** Advances the fake clock. */
  advance: (ms: number) => Promise<void>;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

/** The handlers that the connection sets. */
interface Listeners {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

function createFakeSocket(url: string): FakeSocket & Listeners & Pick<Socket, 'send' | 'close'> {
  const frames: string[] = [];
  let seen = 0;
  let isClosed = false;
  return {
    onopen: null,
    onmessage: null,
    onclose: null,
    url,
    frames,
    commands() {
      const lines = frames
        .slice(seen)
        .flatMap((frame) => frame.split('\n'))
        .filter((line) => line !== '{}');
      seen = frames.length;
      return lines.map((line) => JSON.parse(line) as Command);
    },
    async open() {
      this.onopen?.();
      await settle();
    },
    async reply(...lines) {
      // A closing WebSocket delivers no messages (WebSockets standard §4).
      const data = lines.map((line) => JSON.stringify(line)).join('\n');
      if (!isClosed) this.onmessage?.({ data });
      await settle();
    },
    refuse(error) {
      return this.reply({ id: this.commands().at(-1)?.id, error });
    },
    async drop(code = 1006, reason = '') {
      isClosed = true;
      this.onclose?.({ code, reason });
      await settle();
    },
    isClosed: () => isClosed,
    close() {
      if (isClosed) return;
      isClosed = true;
      setTimeout(() => this.onclose?.({ code: 1005, reason: '' }), 5);
    },
    send: (text) => void frames.push(text),
  };
}

/**
 * Creates a connection over fake sockets, with a fake clock and without jitter. Call it after
 * `vi.useFakeTimers`.
 */
export function createWorld(): World {
  const sockets: FakeSocket[] = [];
  const emitted: EmittedEvent[] = [];
  const listeners: World['listeners'] = [];
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const connection = createConnection({
    openSocket(url) {
      if (url === 'bad:') throw new SyntaxError('The URL is invalid.');
      const socket = createFakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    emit(type, detail) {
      const event = [type, detail] as EmittedEvent;
      emitted.push(event);
      for (const listener of listeners) listener(type, detail);
    },
  });
  return {
    connection,
    sockets,
    emitted,
    listeners,
    socket: () => sockets.at(-1)!,
    take: () => emitted.splice(0),
    advance: async (ms) => {
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}
