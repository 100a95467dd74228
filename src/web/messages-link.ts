import type { Command, Push, Reply } from './messages-protocol.ts';

/** What of a WebSocket is needed. */
export interface Socket {
  send: (text: string) => void;
  close: () => void;
}

export interface SocketEvents {
  opened: () => void;
  received: (text: string) => void;
  closed: (code: number, reason: string) => void;
}

/** Opens a WebSocket; throws as its constructor does. */
export type OpenSocket = (url: string, events: SocketEvents) => Socket;

export interface LinkOptions {
  openSocket: OpenSocket;
  url: string;
  opened: () => void;
  pushed: (push: Push) => void;
  /** Called at most once, never after `close`. Codes below 1000 are this side's own. */
  lost: (code: number, reason: string) => void;
}

export interface Link {
  /** Sends a command; those of one turn share a frame. */
  call: (command: Command, answered?: (reply: Reply) => void) => void;
  /** What the server said of its pings: the seconds between two, and whether it wants an answer. */
  expectPings: (seconds?: number, wantsPong?: boolean) => void;
  close: () => void;
}

const patience = 10_000;

/**
 * One WebSocket from its opening to its end: numbers commands, finds the command of a reply,
 * answers pings, notices silence.
 */
export function openLink({ openSocket, url, opened, pushed, lost }: LinkOptions): Link {
  const calls = new Map<number, ((reply: Reply) => void) | undefined>();
  let lines: string[] = [];
  let lastId = 0;
  let limit = patience;
  let answersPings = false;
  let isOver = false;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    isOver = true;
    clearTimeout(silence);
    socket.close();
  }

  function end(code: number, reason: string): void {
    if (isOver) return;
    close();
    lost(code, reason);
  }

  function watch(): void {
    clearTimeout(silence);
    if (limit > 0) silence = setTimeout(() => end(2, 'no ping'), limit);
  }

  function flush(): void {
    socket.send(lines.join('\n'));
    lines = [];
  }

  function take(reply: Reply): void {
    if (reply.push) pushed(reply.push);
    else if (reply.id) {
      calls.get(reply.id)?.(reply);
      calls.delete(reply.id);
    } else if (answersPings) socket.send('{}');
  }

  function received(text: string): void {
    watch();
    try {
      // What our own server sends is believed; what can't be read ends in the catch.
      for (const line of text.split('\n')) if (line && !isOver) take(JSON.parse(line) as Reply);
    } catch {
      end(3, 'bad protocol');
    }
  }

  const socket = openSocket(url, { opened, received, closed: end });
  watch();
  return {
    call(command, answered) {
      lastId += 1;
      calls.set(lastId, answered);
      if (lines.push(JSON.stringify({ id: lastId, ...command })) === 1) queueMicrotask(flush);
    },
    expectPings(seconds = 0, wantsPong = false) {
      limit = seconds && seconds * 1000 + patience;
      answersPings = wantsPong;
      watch();
    },
    close,
  };
}
