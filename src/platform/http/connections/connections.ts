import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentResponse } from './current-response.ts';

/** Makes Node send `connection: close` with this response, and close the connection after it. */
function closeAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.shouldKeepAlive = false;
}

/** Tracks connections, including upgraded ones, to close them without cutting off a request. */
export function createConnections(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    // A socket whose upgrade was ignored emits `connection` a second time.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    /** Closes each connection after its next response, which has `connection: close`. */
    windDown(): void {
      for (const socket of sockets) closeAfter(currentResponse(socket));
      server.prependListener('request', (_request, response) => closeAfter(response));
    },

    /** Closes connections that never sent a byte, which Node does not count as idle. */
    dropUnused(): void {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },

    /** Closes all connections, even during a request. */
    dropAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
