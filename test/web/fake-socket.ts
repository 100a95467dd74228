import { vi } from 'vitest';
import { type Connection, createConnection } from '../../src/web/messages/connection.ts';
import type { MessageEvents } from '../../src/web/messages/events.ts';
import type { Socket } from '../../src/web/messages/transport.ts';

type Line = Record<string, unknown> & { id: number };

/** One WebSocket that the connection has opened, from the server's side. */
interface FakeSocket {
  url: string;
  /** The frames as they were sent. */
  frames: string[];
  /** The commands, pongs left out, that have come since the last look. */
  commands: () => Line[];
  open: () => Promise<void>;
  /** Sends replies and pushes in one frame. */
  reply: (...lines: object[]) => Promise<void>;
  /** The end, from the server or the network. */
  drop: (code?: number, reason?: string) => Promise<void>;
  isClosed: () => boolean;
}

type Told = { [Type in keyof MessageEvents]: [Type, MessageEvents[Type]] }[keyof MessageEvents];

export interface World {
  connection: Connection;
  sockets: FakeSocket[];
  /** The socket that was opened last. */
  socket: () => FakeSocket;
  told: Told[];
  /** Takes what was told since the last look. */
  take: () => Told[];
  /** Called with all that is told, as a listener of the page. */
  listeners: ((type: keyof MessageEvents, detail: MessageEvents[keyof MessageEvents]) => void)[];
  /** Lets time pass. */
  pass: (ms: number) => Promise<void>;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

/** The listeners that the connection sets. */
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
      return lines.map((line) => JSON.parse(line) as Line);
    },
    async open() {
      this.onopen?.();
      await settle();
    },
    async reply(...lines) {
      // A WebSocket that is closing hands out nothing (WebSockets standard §4).
      const data = lines.map((line) => JSON.stringify(line)).join('\n');
      if (!isClosed) this.onmessage?.({ data });
      await settle();
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
 * A connection over fake sockets, under a fake clock, without jitter. Call it after
 * `vi.useFakeTimers`.
 */
export function createWorld(): World {
  const sockets: FakeSocket[] = [];
  const told: Told[] = [];
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
      const event = [type, detail] as Told;
      told.push(event);
      for (const listener of listeners) listener(type, detail);
    },
  });
  return {
    connection,
    sockets,
    told,
    listeners,
    socket: () => sockets.at(-1)!,
    take: () => told.splice(0),
    pass: async (ms) => {
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}
