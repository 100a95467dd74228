import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { type Load, requestBytes } from './load.ts';

export interface PacedResult {
  /** Requests that were due in the time, and how many of them were sent. */
  due: number;
  sent: number;
  ok: number;
  refused: number;
  broken: number;
  /** ms from when a request was due, including the wait for a free connection. */
  p50: number;
  p99: number;
  max: number;
}

interface Connection {
  send: (dueAt: number) => void;
  close: () => void;
}

const headEnd = '\r\n\r\n';

/** Returns the length of the first answer in `text`, or undefined while it is incomplete. */
function answerLength(text: string): number | undefined {
  const end = text.indexOf(headEnd);
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  const total = end + headEnd.length + Number(length ?? 0);
  return text.length < total ? undefined : total;
}

async function open(
  port: number,
  bytes: Buffer,
  onAnswer: (connection: Connection, status: number, dueAt: number) => void,
  onClosed: (connection: Connection, busy: boolean) => void,
): Promise<Connection> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      resolve(opening),
    );
    opening.once('error', reject);
  });
  let dueAt: number | undefined;
  let text = '';
  const connection: Connection = {
    send(at) {
      dueAt = at;
      socket.write(bytes);
    },
    close: () => socket.destroy(),
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (dueAt === undefined || answerLength(text) === undefined) return;
    const [status, at] = [Number(text.slice(9, 12)), dueAt];
    text = '';
    dueAt = undefined;
    onAnswer(connection, status, at);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => onClosed(connection, dueAt !== undefined));
  return connection;
}

/**
 * Sends `load` at a constant rate, however slow the answers are: a request without a free
 * connection waits, and its latency counts from when it was due (so a stall shows in every request
 * that it delayed). Returns the running count of answers below 400, and the result.
 */
export async function startPaced(
  load: Load,
  port: number,
  { perSecond, seconds }: { perSecond: number; seconds: number },
) {
  const bytes = requestBytes(load);
  const latencies: number[] = [];
  const idle: Connection[] = [];
  const total = Math.floor(perSecond * seconds);
  let [sent, ok, refused, broken, closing] = [0, 0, 0, 0, false];

  function onAnswer(connection: Connection, status: number, dueAt: number): void {
    latencies.push(performance.now() - dueAt);
    if (status < 400) ok += 1;
    else refused += 1;
    idle.push(connection);
    dispatch();
  }

  function onClosed(connection: Connection, busy: boolean): void {
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    if (busy && !closing) broken += 1;
  }

  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => open(port, bytes, onAnswer, onClosed)),
  );
  idle.push(...connections);
  const began = performance.now();
  const end = began + seconds * 1000;

  function dispatch(): void {
    const now = performance.now();
    if (now > end) return;
    const due = Math.min(total, Math.floor(((now - began) / 1000) * perSecond) + 1);
    while (sent < due) {
      const connection = idle.pop();
      if (connection === undefined) return;
      connection.send(began + (sent * 1000) / perSecond);
      sent += 1;
    }
  }

  async function run(): Promise<PacedResult> {
    await new Promise<void>((resolve) => {
      function tick(): void {
        dispatch();
        const inFlight = sent - ok - refused - broken;
        const now = performance.now();
        if (now > end + 5000 || (now > end && inFlight <= 0)) resolve();
        else setTimeout(tick, 1);
      }
      tick();
    });
    closing = true;
    for (const connection of connections) connection.close();
    const sorted = Float64Array.from(latencies).sort();
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { due: total, sent, ok, refused, broken, p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  return { ok: (): number => ok, finished: run() };
}
