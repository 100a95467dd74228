import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { currentResponse } from './current-response.ts';

/** The request's head as sent, without its upgrade headers. */
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

/** Calls `then` once all earlier requests on the connection are answered. */
function whenIdle(socket: Duplex, then: () => void): void {
  const response = currentResponse(socket);
  if (socket.destroyed) return;
  if (response === undefined) then();
  else response.once('close', () => setImmediate(whenIdle, socket, then));
}

interface UpgradeHandler {
  isWanted: (request: IncomingMessage) => boolean;
  server: Server;
}

/**
 * The handlers are stored on the server, because several areas may handle some of its upgrades, and
 * an unhandled request must be put back only once.
 */
const upgradeHandlers: unique symbol = Symbol('parts');

interface ServerWithHandlers extends Server {
  [upgradeHandlers]?: UpgradeHandler[];
}

/**
 * Separates upgrade requests (RFC 9110 §7.8). Those that match `isWanted` are emitted as `upgrade`
 * events of the returned server, which does not listen. All others are answered as if they had no
 * upgrade headers: clients such as Java's offer HTTP/2 with every request, and Node would detach
 * the connection from HTTP, together with the body of a POST.
 */
export function separateUpgrades(
  server: ServerWithHandlers,
  isWanted: (request: IncomingMessage) => boolean,
): Server {
  const handler: UpgradeHandler = { isWanted, server: createServer() };
  const existing = server[upgradeHandlers];
  existing?.push(handler);
  if (existing !== undefined) return handler.server;
  const handlers = (server[upgradeHandlers] = [handler]);

  function handleAsPlain(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
    server.emit('connection', socket);
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onError = () => socket.destroy();
    socket.on('error', onError);
    whenIdle(socket, () => {
      socket.off('error', onError);
      const match = handlers.find((each) => each.isWanted(request));
      if (match !== undefined) match.server.emit('upgrade', request, socket, head);
      else handleAsPlain(request, socket, head);
    });
  });
  return handler.server;
}
