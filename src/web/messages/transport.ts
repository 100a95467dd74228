import type { Command, Push, Reply } from './protocol.ts';

/** The part of a WebSocket in use. `never` stands for the browser's types of events. */
export interface Socket {
  send: (text: string) => void;
  close: () => void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
}

/** Opens a WebSocket; throws what its constructor throws. */
export type OpenSocket = (url: string) => Socket;

export interface Transport {
  /** Sends a command; the commands of one task share a frame. */
  call: (command: Command, onReply?: (reply: Reply) => void) => void;
  close: () => void;
}

export type OnPush = (push: Push) => void;
/** Codes below 1000 are the client's own. */
export type OnLost = (code: number, reason: string, isForGood?: boolean) => void;

const silenceMs = 10_000;

/**
 * Implements the protocol over a WebSocket: numbers commands, matches replies, answers pings and
 * detects silence. `onLost` is called at most once, never after `close`.
 */
export function createTransport(socket: Socket, onPush: OnPush, onLost: OnLost): Transport {
  const calls = new Map<number, ((reply: Reply) => void) | undefined>();
  const lines: string[] = [];
  let lastId = 0;
  let timeoutMs = silenceMs;
  let repliesToPings: boolean | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function close(): void {
    isOver = true;
    clearTimeout(timer);
    socket.close();
  }

  function end(code: number, reason: string): void {
    if (isOver) return;
    close();
    onLost(code, reason);
  }

  function restartTimer(): void {
    clearTimeout(timer);
    if (timeoutMs && !isOver) timer = setTimeout(end, timeoutMs, 2, 'no ping');
  }

  function handleReply(reply: Reply): void {
    const { id, push, connect } = reply;
    if (connect) {
      timeoutMs = connect.ping ? connect.ping * 1000 + silenceMs : 0;
      repliesToPings = connect.pong;
    }
    if (push) onPush(push);
    else if (id) {
      calls.get(id)?.(reply);
      calls.delete(id);
    } else if (repliesToPings) socket.send('{}');
  }

  socket.onclose = ({ code, reason }: { code: number; reason: string }) => end(code, reason);
  socket.onmessage = ({ data }: { data: unknown }) => {
    try {
      // The server is trusted; a line that can't be parsed throws.
      for (const line of String(data).split('\n'))
        if (line && !isOver) handleReply(JSON.parse(line) as Reply);
    } catch {
      end(3, 'bad protocol');
    }
    restartTimer();
  };
  restartTimer();
  return {
    close,
    call(command, onReply) {
      calls.set((lastId += 1), onReply);
      if (lines.push(JSON.stringify({ id: lastId, ...command })) === 1)
        queueMicrotask(() => socket.send(lines.splice(0).join('\n')));
    },
  };
}
