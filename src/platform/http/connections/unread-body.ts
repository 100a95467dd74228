import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bodies up to this size, in bytes, fit into what was read together with the head. */
const smallBody = 4096;
/** Unread bodies up to this size are dropped without closing the connection. */
const shortBody = 64 * 1024;

const bounds = {
  /** Bytes that are read and dropped. */
  bytes: 64 * 1024 * 1024,
  /** How long they may take in all, and without any: milliseconds. */
  wholeMs: 15_000,
  idleMs: 3_000,
  /** Connections that linger at one time. */
  connections: 256,
};
const checkMs = 100;

export type LingerBounds = typeof bounds;

/** The size of a body in bytes; infinite when it is sent in chunks. */
function announcedSize({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/** Calls `onExcess` when the socket has read too much, for too long, or nothing. */
function watch(socket: Socket, limits: LingerBounds, onExcess: () => void): NodeJS.Timeout {
  const [startedAt, startedWith] = [performance.now(), socket.bytesRead];
  let [lastAt, lastRead] = [startedAt, startedWith];
  return setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead !== lastRead) [lastAt, lastRead] = [now, socket.bytesRead];
    const isOver =
      lastRead - startedWith > limits.bytes ||
      now - startedAt > limits.wholeMs ||
      now - lastAt > limits.idleMs;
    if (isOver) onExcess();
  }, checkMs).unref();
}

/**
 * Lets clients see the response to a request whose body was not read to its end, such as a 413.
 * Closing the connection while they still send resets it, and they lose the response. So it is
 * closed in two steps (RFC 9112 §9.6): no more is sent, and what arrives is dropped, within bounds.
 * Only requests with a body over 4 KiB cost anything.
 */
export function enableLingeringClose(server: Server, limits: LingerBounds = bounds): void {
  const unread = new WeakMap<Socket, IncomingMessage>();
  let lingering = 0;

  function linger(socket: Socket, request: IncomingMessage, close: () => void): void {
    if (lingering >= limits.connections) {
      close();
      return;
    }
    lingering += 1;
    const timer = watch(socket, limits, () => socket.destroy());
    socket.once('close', () => {
      lingering -= 1;
      clearInterval(timer);
    });
    request.once('end', close);
    request.unpipe();
    request.resume();
    socket.end();
  }

  function noteResponse(request: IncomingMessage, response: ServerResponse): void {
    if (request.complete) return;
    const { socket } = request;
    if (announcedSize(request) > shortBody) response.shouldKeepAlive = false;
    const isKnown = unread.has(socket);
    unread.set(socket, request);
    if (isKnown) return;
    const close = socket.destroySoon.bind(socket);
    // Node calls this after a response that ends the connection.
    socket.destroySoon = () => {
      const last = unread.get(socket);
      if (last === undefined || last.complete || socket.destroyed) close();
      else linger(socket, last, close);
    };
  }

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (announcedSize(request) <= smallBody) return;
    const writeHead = response.writeHead.bind(response);
    Reflect.set(response, 'writeHead', (...head: Parameters<typeof writeHead>) => {
      noteResponse(request, response);
      return writeHead(...head);
    });
  });
}
