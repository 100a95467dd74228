import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { currentResponse } from './current-response.ts';

/** The request's head as it was sent, without the wish for another protocol. */
function plainHead({
  method = 'GET',
  url = '/',
  httpVersion,
  rawHeaders,
}: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !/^(?:upgrade|http2-settings)$/i.test(name)
      ? [`${name}: ${rawHeaders[at + 1] ?? ''}`]
      : [],
  );
  const kept = lines.map((line) =>
    line.replace(
      /^(connection: *)(.*)$/i,
      (_line, name: string, options: string) =>
        name +
        (options
          .split(',')
          .map((option) => option.trim())
          .filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option))
          .join(', ') || 'keep-alive'),
    ),
  );
  return `${method} ${url} HTTP/${httpVersion}\r\n${kept.join('\r\n')}\r\n\r\n`;
}

/** Waits until everything that came before on the connection is answered. */
function whenIdle(socket: Duplex, then: () => void): void {
  const answer = currentResponse(socket);
  if (socket.destroyed) return;
  if (answer === undefined) then();
  else answer.once('close', () => setImmediate(whenIdle, socket, then));
}

interface Part {
  isWanted: (request: IncomingMessage) => boolean;
  wanted: Server;
}

/**
 * The server itself knows what it parts: several areas may take some of its upgrades, and what
 * nobody takes is put back once.
 */
const partsOf: unique symbol = Symbol('parts');

interface Parted extends Server {
  [partsOf]?: Part[];
}

/**
 * Parts requests for another protocol (RFC 9110 §7.8): those that `isWanted` come out as `upgrade`
 * events of the server that this gives, which listens to nothing. All others are answered as if
 * they had not asked: clients such as Java's offer HTTP/2 with every request, and Node would take
 * the connection away from HTTP, the body of a POST with it.
 */
export function partUpgrades(
  server: Parted,
  isWanted: (request: IncomingMessage) => boolean,
): Server {
  const part: Part = { isWanted, wanted: createServer() };
  const before = server[partsOf];
  before?.push(part);
  if (before !== undefined) return part.wanted;
  const parts = (server[partsOf] = [part]);

  function asPlain(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
    server.emit('connection', socket);
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onError = () => socket.destroy();
    socket.on('error', onError);
    whenIdle(socket, () => {
      socket.off('error', onError);
      const taker = parts.find((each) => each.isWanted(request));
      if (taker !== undefined) taker.wanted.emit('upgrade', request, socket, head);
      else asPlain(request, socket, head);
    });
  });
  return part.wanted;
}
