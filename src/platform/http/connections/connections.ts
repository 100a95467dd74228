import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentResponse } from './current-response.ts';

/** Makes Node say `connection: close` with this answer, and end the connection after it. */
function endAfter(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false;
}

/** Tracks connections, upgraded ones too, to end them without cutting a request off. */
export function createConnections(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    // One that asked for another protocol in vain is told of again.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    /** Lets each connection end with its next answer, which says so. */
    windDown(): void {
      for (const socket of sockets) endAfter(currentResponse(socket));
      server.prependListener('request', (_request, response) => endAfter(response));
    },

    /** Ends connections that never sent a byte; Node does not count those as idle. */
    dropUnused(): void {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },

    /** Ends all, whatever they are doing. */
    dropAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
